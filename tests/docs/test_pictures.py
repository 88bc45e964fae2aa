"""The pictures in docs/images are what tools/picture.py draws from the answers of this build."""
import subprocess
import sys
import unittest

from building import GRAZE, ROOT


class Pictures(unittest.TestCase):
    def test_current(self):
        done = subprocess.run([sys.executable, ROOT / "tools/picture.py", "--graze", GRAZE, "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
