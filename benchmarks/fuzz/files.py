"""Changed files of every main format through the parser's own process: what becomes of them.

    python benchmarks/fuzz/files.py [--count 2000] [--only pdf docx …] [--keep FOLDER] [--seconds 20]

Two processes at a time read file after file, as the worker does. A file ends `read`, refused with a code, or as a fault
of ours: `died` (the process ended on its own), `bug` (an exception that no refusal explains), `out of time` or `out of
memory`. The exit status says whether there was any. `--keep` stores those files; the same count makes the same files.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from django.conf import settings  # noqa: E402 -- found through the path set above

settings.configure(USE_I18N=False)

from mutating import mutated  # noqa: E402
from seeds import chance_of, seeds  # noqa: E402

from documents.parsing.errors import DamagedFile, LimitExceeded, ParseError  # noqa: E402
from documents.parsing.limits import DEFAULT_LIMITS, ParseLimits  # noqa: E402
from documents.parsing.sandbox import ParserProcess  # noqa: E402

PROCESSES = 2
FAULTS = ("died", "bug", "out of time", "out of memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="files of each format")
    parser.add_argument("--only", nargs="*", default=[], help="endings of names; all by default")
    parser.add_argument("--keep", type=Path, help="folder for files that end in a fault")
    parser.add_argument("--seconds", type=float, default=20, help="that one file may take")
    options = parser.parse_args()
    limits = replace(DEFAULT_LIMITS, seconds=options.seconds, memory_bytes=1024**3)
    faults = 0
    for ending, files in seeds().items():
        if options.only and ending not in options.only:
            continue
        started, ended = time.monotonic(), Counter[str]()
        with ThreadPoolExecutor(PROCESSES) as pool:
            shares = [range(first, options.count, PROCESSES) for first in range(PROCESSES)]
            work = pool.map(lambda share: list(_outcomes(ending, files, share, limits)), shares)  # noqa: B023
            for number, outcome, data in (row for rows in work for row in rows):
                ended[outcome] += 1
                if outcome in FAULTS:
                    faults += 1
                    _keep(options.keep, f"{outcome}-{number}.{ending}".replace(" ", "-"), data)
        took = time.monotonic() - started
        said = ", ".join(f"{outcome} {count}" for outcome, count in ended.most_common())
        print(f"{ending:5} {options.count} files in {took:.0f} s: {said}", flush=True)
    sys.exit(1 if faults else 0)


def _outcomes(ending: str, files: list[bytes], numbers: range, limits: ParseLimits) -> Iterator[tuple[int, str, bytes]]:
    with ParserProcess() as parser, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{ending}"
        for number in numbers:
            chance = chance_of(ending, number)
            data = mutated(chance.choice(files), chance)
            path.write_bytes(data)
            yield number, _outcome(parser, path, limits), data


def _outcome(parser: ParserProcess, path: Path, limits: ParseLimits) -> str:
    try:
        parser.parse(path, limits=limits)
    except LimitExceeded as error:
        told = str(error)
        return told if told in FAULTS else "out of time" if "signal" in told else f"refused: {error.code}"
    except DamagedFile as error:
        if "ended with status" not in str(error):
            return f"refused: {error.code}"
        return "bug" if str(error).endswith(" 1") else "died"
    except ParseError as error:
        return f"refused: {error.code}"
    return "read"


def _keep(folder: Path | None, name: str, data: bytes) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
