"""Programs end, print and read here as under plain Python, which runs beside each of them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.test_slot import feed

from assay.sandbox.base import Exited, Printed, Raised
from assay.sandbox.conformance import codec_source
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot

TEXT = "3\r\n4\n"
PROGRAMS = {
    # What is printed after the last line.
    "a global object's __del__ prints": (
        "class Last:\n    def __del__(self): print('last')\nkept = Last()\nprint('first')\n"
    ),
    "a cycle's __del__ prints": (
        "class Last:\n    def __del__(self): print('last')\nkept = Last()\nkept.own = kept\ndel kept\n"
    ),
    "a suspended generator's finally prints": (
        "def count():\n    try:\n        yield 1\n    finally:\n        print('closed')\nkept = count()\nnext(kept)\n"
    ),
    "a __del__ that another module keeps": (
        "import math\nclass Last:\n    def __del__(self): print('last')\nmath.kept = Last()\n"
    ),
    "a __del__ that a module gone from sys.modules keeps": (
        "import sys, types\nclass Last:\n    def __del__(self): print('last')\n"
        "kept = types.ModuleType('kept')\nkept.own, kept.last = kept, Last()\ndel kept\n"
    ),
    "a __del__ that imports, computes and prints": (
        "import json\nclass Last:\n    def __del__(self):\n        import math\n"
        "        print(json.dumps(math.floor(3.5)))\n"
        "kept = Last()\n"
    ),
    "a __del__ in the attributes of a built-in module": (
        "import builtins\nclass Last:\n    def __del__(self): print('last')\nbuiltins.kept = Last()\n"
    ),
    "a __del__ in the attributes of sys": (
        "import sys\nclass Last:\n    def __del__(self): print('last')\nsys.kept = Last()\n"
    ),
    "a __del__ that writes past the streams when all else is gone": (
        "import os, sys\nclass Last:\n    def __del__(self, write=os.write): write(1, b'last\\n')\n"
        "sys.kept = Last()\nprint('first')\n"
    ),
    "a class of a library keeps it": (
        "import collections\nclass Last:\n    def __del__(self): print('last')\n"
        "class Mine(collections.UserDict): pass\nMine.kept = Last()\n"
    ),
    "a cache of a library keeps it": (
        "import functools\nclass Last:\n    def __del__(self): print('last')\n"
        "@functools.lru_cache\ndef f(x): return x\nf(Last())\n"
    ),
    "a thread's own place keeps it": (
        "import threading\nclass Last:\n    def __del__(self): print('last')\nown = threading.local()\n"
        "own.kept = Last()\n"
    ),
    "a context variable keeps it": (
        "import contextvars\nclass Last:\n    def __del__(self): print('last')\nown = contextvars.ContextVar('own')\n"
        "own.set(Last())\n"
    ),
    "weakref.finalize prints": (
        "import weakref\nclass Kept: pass\nkept = Kept()\nweakref.finalize(kept, print, 'last')\n"
    ),
    "exit functions, threads and objects, in order": (
        "import atexit, threading, time\nclass Last:\n    def __del__(self): print('object')\nkept = Last()\n"
        "atexit.register(print, 'exit function')\n"
        "threading.Thread(target=lambda: (time.sleep(.05), print('thread'))).start()\nprint('end')\n"
    ),
    "globals go in their order": (
        "class Last:\n    def __init__(self, name): self.name = name\n    def __del__(self): print(self.name)\n"
        "b = Last('b')\n_a = Last('_a')\na = Last('a')\n"
    ),
    # Buffers other than those of `sys.stdout`.
    "the old sys.stdout is written to": (
        "import io, sys\nold = sys.stdout\nsys.stdout = io.StringIO()\nprint('lost')\nold.write('3\\n')\n"
    ),
    "open(1) is left open": "f = open(1, 'w')\nf.write('3\\n')\n",
    "open(1) is left open in a function's default": "def f(out=open(1, 'w')):\n    out.write('3\\n')\nf()\n",
    "sys.__stdout__ is written to": "import sys\nsys.stdout = None\nsys.__stdout__.write('3\\n')\n",
    "os.fdopen(1) is left open": "import os\nf = os.fdopen(1, 'wb')\nf.write(b'3\\n')\n",
    "FastIO": (
        "import os, sys\nfrom io import BytesIO, IOBase\nclass FastIO(IOBase):\n    newlines = 0\n"
        "    def __init__(self, file):\n        self._fd = file.fileno()\n        self.buffer = BytesIO()\n"
        "        self.writable = 'x' in file.mode or 'r' not in file.mode\n"
        "        self.write = self.buffer.write if self.writable else None\n"
        "    def read(self):\n        return os.read(self._fd, 8192)\n"
        "    def flush(self):\n        if self.writable:\n            os.write(self._fd, self.buffer.getvalue())\n"
        "            self.buffer.truncate(0), self.buffer.seek(0)\n"
        "class IOWrapper(IOBase):\n    def __init__(self, file):\n        self.buffer = FastIO(file)\n"
        "        self.flush = self.buffer.flush\n        self.writable = self.buffer.writable\n"
        "        self.write = lambda s: self.buffer.write(s.encode('ascii'))\n"
        "        self.read = lambda: self.buffer.read().decode('ascii')\n"
        "sys.stdin, sys.stdout = IOWrapper(sys.stdin), IOWrapper(sys.stdout)\n"
        "sys.stdout.write(sys.stdin.read().split()[0] + '\\n')\n"
    ),
    # Streams of the program's own.
    "a sys.stdout without `closed`": (
        "import sys\nclass Out:\n    write = sys.stdout.write\n    def flush(self): pass\n"
        "sys.stdout = Out()\nprint(3)\n"
    ),
    "a sys.stdout without anything": "import sys\nprint(3)\nsys.stdout = 5\n",
    "a sys.stdout that cannot be flushed": (
        "import sys\nclass Out:\n    def write(self, text): pass\n    def flush(self): raise KeyError\n"
        "sys.stdout = Out()\n"
    ),
    "a sys.stdout whose flush prints": (
        "import os, sys\nclass Out:\n    def write(self, text): pass\n    def flush(self): os.write(1, b'3\\n')\n"
        "sys.stdout = Out()\n"
    ),
    "closed streams": "import sys\nprint(3)\nsys.stdout.close()\nsys.stderr.close()\nsys.stdin.close()\n",
    "descriptor 1 is closed with bytes to write": "import os, sys\nprint(3)\nos.close(1)\n",
    # Ends.
    "an exit function that raises": "import atexit\natexit.register(lambda: 1 / 0)\nprint(3)\n",
    "an exit function that exits": "import atexit, sys\natexit.register(sys.exit, 3)\nprint(3)\n",
    "a thread that raises": "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nprint(3)\n",
    "a __del__ that raises": "class Last:\n    def __del__(self): raise KeyError\nkept = Last()\nprint(3)\n",
    "a __del__ that exits": (
        "import os, sys\nclass Last:\n    def __del__(self, leave=os._exit): leave(3)\nkept = Last()\nprint(3)\n"
    ),
    "an exit of 0": "print(3)\nraise SystemExit(0)\n",
    "an exit of 3": "print(3)\nraise SystemExit(3)\n",
    "an exit by text": "import sys\nprint(3)\nsys.exit('bad')\n",
    "an exit in an exit function by the system": "import atexit, os\natexit.register(os._exit, 3)\nprint(3)\n",
    # Reading.
    "names and modes of the streams": (
        "import sys\nfor f in (sys.stdin, sys.stdout, sys.stderr):\n"
        "    print(f.name, f.mode, f.encoding, f.newlines, f.line_buffering, f.write_through, f.buffer.name,\n"
        "          f.buffer.mode, f.buffer.raw.name, f.buffer.raw.mode, f.buffer.raw.closefd, type(f.buffer),\n"
        "          f.fileno())\n"
    ),
    "carriage returns are read as they are": "import sys\nprint(ascii(sys.stdin.read()))\n",
    "carriage returns stay on a line": "print(ascii(input()), ascii(input()))\n",
    "open('/dev/stdin')": "print(ascii(open('/dev/stdin', newline='').read()), open('/dev/fd/0').readlines()[-1:])\n",
    "open(0), and no file in the folder": "import os\nprint(ascii(open(0, newline='').read()), os.listdir('.'))\n",
    "carriage returns by open(0)": "print(ascii(open(0).read()))\n",
}


@pytest.fixture(scope="module")
def slot() -> Iterator[LinuxSlot]:
    with open_slot(codec_source()) as opened:
        yield opened


@pytest.mark.parametrize("source", [pytest.param(source, id=name) for name, source in PROGRAMS.items()])
def test_a_program_is_seen_to_do_what_it_does_in_plain_python(slot: LinuxSlot, source: str, tmp_path: Path) -> None:
    given = tmp_path / "input"
    given.write_text(TEXT, encoding="utf-8", newline="")
    (tmp_path / "empty").mkdir()
    with given.open("rb") as stdin:
        plain = subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", source],
            stdin=stdin,
            capture_output=True,
            check=False,
            timeout=20,
            cwd=tmp_path / "empty",
        )
    report = feed(slot, source, TEXT)
    if plain.returncode == 0:
        assert report.ending.how is None, report.ending
        (seen,) = report.observations
        assert isinstance(seen, Printed)
        assert seen.stdout == plain.stdout
    elif report.ending.how is None:
        assert isinstance(report.observations[0], Exited | Raised)
