"""The room for LÖVE runs, headless: it prints what its README says, and the picture shows the room."""
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

ROOT = Path(os.environ["GRAZE_SOURCE_DIR"])
ROOM = ROOT / "examples/lua/love-room"
MODULES = Path(os.environ["GRAZE"]).parent / "lua/jit"  # LÖVE has LuaJIT


def unfilter(raw, stride, step):
    """The rows of a PNG from its filtered bytes; step: how many bytes back the pixel to the left is."""
    above = bytes(stride)
    for start in range(0, len(raw), stride + 1):
        method, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride):
            left, up, corner = row[x - step] if x >= step else 0, above[x], above[x - step] if x >= step else 0
            nearest = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[method]) & 255
        yield row
        above = row


def pixels(path):
    """The size of a PNG without interlacing, and a function that tells the RGB of a pixel. LÖVE writes whatever is
    smallest: with a palette, or without."""
    data, at, chunks = path.read_bytes(), 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunks[kind] = chunks.get(kind, b"") + data[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    bits = depth * {2: 3, 3: 1, 6: 4}[colour]
    rows = list(unfilter(zlib.decompress(chunks[b"IDAT"]), (width * bits + 7) // 8, max(1, bits // 8)))

    def at_pixel(x, y):
        if colour != 3:
            return rows[y][x * bits // 8:x * bits // 8 + 3]
        index = rows[y][x * bits // 8] >> (8 - bits - x * bits % 8) & ((1 << bits) - 1)
        return chunks[b"PLTE"][3 * index:3 * index + 3]

    return width, height, at_pixel


@unittest.skipUnless(all(map(shutil.which, ("love", "Xvfb", "xvfb-run", "xauth"))), "needs love, xvfb and xauth")
@unittest.skipUnless(MODULES.is_dir(), "the module for LuaJIT was not built")
class Love(unittest.TestCase):
    def test_room(self):
        with tempfile.TemporaryDirectory() as folder:
            shot = Path(folder) / "room.png"
            environment = dict(os.environ, LUA_CPATH=f"{MODULES}/?.so;;", GRAZE_SHOT=str(shot), HOME=folder,
                               SDL_AUDIODRIVER="dummy", LIBGL_ALWAYS_SOFTWARE="1")
            done = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1024x768x24", "love", str(ROOM)], env=environment,
                                  capture_output=True, text=True, timeout=300)
            text = re.search(r"```text\n(.*?)```", (ROOM / "README.md").read_text(encoding="utf-8"), re.S)[1]
            self.assertEqual(done.stdout, text, done.stderr)
            width, height, at_pixel = pixels(shot)
        self.assertEqual((width, height), (960, 540))

        def shows(x, y, colour):  # in tiles
            found = at_pixel(int(x * 30), int(y * 30))
            self.assertTrue(all(abs(a / 255 - b) < 0.02 for a, b in zip(found, colour)), (x, y, tuple(found)))

        shows(0.5, 9, (0.36, 0.33, 0.38))   # rock
        shows(19.3, 13.5, (0.36, 0.33, 0.38))
        shows(16, 3, (0.13, 0.16, 0.24))    # air
        shows(12, 9.5, (0.52, 0.45, 0.4))   # the arch, and what is under it
        shows(14, 10, (0.13, 0.16, 0.24))
        shows(24, 8.5, (0.85, 0.4, 0.35))   # the middle of the bar
        shows(18.87, 11.9, (1, 0.8, 0.3))   # the player
        shows(14, 7.4, (1, 0.9, 0.3))       # a coin that is left


if __name__ == "__main__":
    unittest.main()
