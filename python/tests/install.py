# SPDX-License-Identifier: MIT
"""The README's "From Python" runs as written: pip installs the package into a fresh environment and nothing of the source
or build folder is needed afterwards. Not collected by pytest: CTest runs it alone, since it takes a while.

    install.py BUILD_FOLDER     a CMake build, whose native parts the wheel takes so that they are not built again
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def readme_block(language: str, after: str) -> str:
    text = (SOURCE / "README.md").read_text()
    section = text[text.index(after) :]
    return re.search(rf"```{language}\n(.*?)```", section, re.DOTALL).group(1)


def main(build: str) -> None:
    shell, code = readme_block("sh", "## From Python"), readme_block("python", "## From Python")
    assert "pip install . --no-build-isolation" in shell
    # Debian's packages only: no index may be asked, and no path of the build may lead to the package.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"TILEWRIGHT_BUILD": build, "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        shell = shell.replace("/tmp/", f"{folder}/")
        subprocess.run(["bash", "-euc", shell], cwd=SOURCE, env=environment, check=True)

        # From elsewhere, with the source out of reach.
        python = next(Path(folder).glob("*/bin/python"))
        elsewhere = Path(folder, "elsewhere")
        elsewhere.mkdir()
        for name in ("traffic_falls.py", "my_tiled.cu"):
            shutil.copy(SOURCE / "examples" / name, elsewhere)
        environment["PATH"] = "/usr/bin:/bin"

        def run(*arguments: str) -> str:
            result = subprocess.run(
                [python, *arguments], cwd=elsewhere, env=environment, check=True, stdout=subprocess.PIPE, text=True
            )
            return result.stdout

        assert "shared_tile_32   97x61x83" in run("traffic_falls.py")
        assert "FAIL(race)" in run("-c", code.replace("examples/", ""))
        where = run("-c", "import tilewright; print(tilewright.__file__)").strip()
        assert Path(where).is_relative_to(folder), where


if __name__ == "__main__":
    main(sys.argv[1])
