"""The game for LÖVE runs headless: it prints the text of its README, and the picture shows the level."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, ROOT

GAME = ROOT / "examples/lua/love-room"
MODULES = Path(GRAZE).parent / "lua/jit"  # LÖVE has LuaJIT

# A program for LÖVE: prints the size of the picture, and the colour of each pixel of PIXELS.
READ = """function love.errorhandler() os.exit(1) end
function love.load()
  local file = assert(io.open(os.getenv "GRAZE_SHOT", "rb"))
  local picture = love.image.newImageData(love.filesystem.newFileData(file:read "*a", "game.png"))
  print(picture:getDimensions())
  for x, y in os.getenv("PIXELS"):gmatch "(%d+) (%d+)" do print(picture:getPixel(tonumber(x), tonumber(y))) end
  love.event.quit()
end
"""
# Tile and colour: rock, air, the arch and what is under it, the middle of the bar, the player, a coin that is left.
SHOWN = {(0.5, 9): (0.36, 0.33, 0.38), (19.3, 13.5): (0.36, 0.33, 0.38), (16, 3): (0.13, 0.16, 0.24),
         (12, 9.5): (0.52, 0.45, 0.4), (14, 10): (0.13, 0.16, 0.24), (24, 8.5): (0.85, 0.4, 0.35),
         (18.87, 11.9): (1, 0.8, 0.3), (14, 7.4): (1, 0.9, 0.3)}


@unittest.skipUnless(all(map(shutil.which, ("love", "Xvfb", "xvfb-run", "xauth"))), "needs love, xvfb and xauth")
@unittest.skipUnless(MODULES.is_dir(), "the module for LuaJIT was not built")
class Love(unittest.TestCase):
    def test_game(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "main.lua").write_text(READ, encoding="utf-8")
            environment = dict(os.environ, LUA_CPATH=f"{MODULES}/?.so;;", GRAZE_SHOT=f"{folder}/game.png", HOME=folder,
                               SDL_AUDIODRIVER="dummy", LIBGL_ALWAYS_SOFTWARE="1",
                               PIXELS=", ".join(f"{int(x * 30)} {int(y * 30)}" for x, y in SHOWN))

            def printed(program):
                done = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1024x768x24", "love", str(program)],
                                      env=environment, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                return done.stdout

            text = re.search(r"```text\n(.*?)```", (GAME / "README.md").read_text(encoding="utf-8"), re.S)[1]
            self.assertEqual(printed(GAME), text)
            size, *pixels = printed(folder).splitlines()[-1 - len(SHOWN):]  # after warnings about devices
        self.assertEqual(size.split(), ["960", "540"])
        self.assertEqual(len(pixels), len(SHOWN))
        for (place, colour), pixel in zip(SHOWN.items(), pixels):
            for expected, found in zip(colour, map(float, pixel.split())):
                self.assertAlmostEqual(expected, found, delta=0.02, msg=place)
