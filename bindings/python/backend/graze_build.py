"""The build backend: scikit-build-core, and source distributions with the C sources that the checkout has elsewhere."""

import shutil
from pathlib import Path

from scikit_build_core import build as scikit
from scikit_build_core.build import *  # noqa: F403

FOLDER = Path(__file__).resolve().parent.parent
CHECKOUT = FOLDER.parent.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "cli", "cmake", "include", "src")


def build_sdist(sdist_directory, config_settings=None):
    """Copies the C sources to vendor/ while the distribution is made. An unpacked distribution has them there."""
    vendor = FOLDER / "vendor"
    if (FOLDER / "PKG-INFO").exists():
        return scikit.build_sdist(sdist_directory, config_settings)
    shutil.rmtree(vendor, ignore_errors=True)
    try:
        vendor.mkdir()
        for name in SOURCES:
            source = CHECKOUT / name
            if source.is_dir():
                shutil.copytree(source, vendor / name, ignore=shutil.ignore_patterns("*.md", "__pycache__"))
            else:
                shutil.copy(source, vendor / name)
        return scikit.build_sdist(sdist_directory, config_settings)
    finally:
        shutil.rmtree(vendor, ignore_errors=True)
