"""Library: closed lists of names, the same on every interpreter (spec/suite.md §8)."""

from __future__ import annotations

from typing import Final

# Those of CPython 3.11; a later interpreter's further names are not reserved.
_KEYWORDS: Final = """
    False None True and as assert async await break class continue def del elif else except finally for from global
    if import in is lambda nonlocal not or pass raise return try while with yield
"""
_FUNCTIONS: Final = """
    Ellipsis NotImplemented abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
    classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float
    format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list
    locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set
    setattr slice sorted staticmethod str sum super tuple type vars zip
"""
_EXCEPTIONS: Final = """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError EncodingWarning Exception ExceptionGroup FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit ImportError ImportWarning IndentationError
    IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
    TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
"""
# Modules of the standard library that do nothing but be loaded, in every version since 3.11 and in the sandbox.
_MODULES: Final = """
    __future__ abc array ast base64 binascii bisect calendar cmath collections collections.abc contextlib copy csv
    dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq hmac html inspect io itertools
    json keyword math numbers operator os os.path pathlib pprint queue random re secrets shlex statistics string struct
    sys textwrap threading time timeit traceback types typing unicodedata urllib.parse uuid warnings weakref zlib
"""

KEYWORDS: Final = frozenset(_KEYWORDS.split())
FUNCTIONS: Final = frozenset(_FUNCTIONS.split())
EXCEPTIONS: Final = frozenset(_EXCEPTIONS.split())
MODULES: Final = frozenset(_MODULES.split())
# Two old names of one class: a suite that writes them means that class.
ALIASES: Final = {"EnvironmentError": "OSError", "IOError": "OSError"}


def is_built_in(name: str) -> bool:
    """Whether every module has the name without binding it."""
    return name in FUNCTIONS or name in EXCEPTIONS or name in ALIASES
