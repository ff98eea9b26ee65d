# SPDX-License-Identifier: MIT
"""pip install . --no-build-isolation: CMake builds the native parts of the package, setuptools makes the wheel.

With TILEWRIGHT_BUILD set to a folder that CMake has configured with -DTILEWRIGHT_PYTHON=ON, that build is used.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent
NATIVE = "_native" + sysconfig.get_config_var("EXT_SUFFIX")
SCRATCH = SOURCE / "build" / "wheel"  # of setuptools; begun anew, or a wheel would hold what the source no longer does


class CMakeBuild(build_ext):
    def run(self) -> None:
        if self.editable_mode:
            sys.exit("tilewright: there is no editable install; set PYTHONPATH to <CMake's build folder>/python instead")
        build = os.environ.get("TILEWRIGHT_BUILD")
        if build is None:
            build = SOURCE / "build" / "python"
            options = ["-DTILEWRIGHT_PYTHON=ON", "-DTILEWRIGHT_WEB=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
            subprocess.run(["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "tilewright_python"], check=True)
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", self.build_lib], check=True)
        if not Path(self.build_lib, "tilewright", NATIVE).exists():
            sys.exit(f"tilewright: {build} was not built for {sys.executable}: there is no {NATIVE}")


shutil.rmtree(SCRATCH, ignore_errors=True)
SCRATCH.mkdir(parents=True)
setup(
    version=re.search(r"project\(tilewright VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1),
    packages=["tilewright"],
    package_dir={"": "python"},
    package_data={"tilewright": ["py.typed"]},
    ext_modules=[Extension("tilewright._native", sources=[])],  # says that the wheel is of this platform
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)
