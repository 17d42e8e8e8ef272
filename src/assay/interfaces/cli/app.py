"""Doors: the command `assay`: which commands there are, and what becomes of errors (docs/reference/exit-codes.md).

Commands are imported when they are called, so that `assay --help` starts at once.
"""

# ruff: noqa: PLC0415 -- a command's import costs more than all of the help

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from assay.api.data import pages_dir
from assay.interfaces.cli import codes, options, streams
from assay.interfaces.cli.output import printable, say_error
from assay.kernel.errors import AssayError, InputError


def _ask() -> click.Command:
    from assay.interfaces.cli.ask import ask

    return ask


def _claims() -> click.Command:
    from assay.interfaces.cli.claims import claims

    return claims


def _demo() -> click.Command:
    from assay.interfaces.cli.demo import demo

    return demo


def _establish() -> click.Command:
    from assay.interfaces.cli.establish import establish

    return establish


def _gate() -> click.Command:
    from assay.interfaces.cli.gate import gate

    return gate


def _keys() -> click.Command:
    from assay.interfaces.cli.keys import keys

    return keys


def _log() -> click.Command:
    from assay.interfaces.cli.log import log

    return log


def _pack() -> click.Command:
    from assay.interfaces.cli.pack import pack

    return pack


def _receipt() -> click.Command:
    from assay.interfaces.cli.receipt import receipt
    from assay.interfaces.cli.receipt_page import page

    receipt.add_command(page)
    return receipt


def _sandbox() -> click.Command:
    from assay.interfaces.cli.sandbox import sandbox

    return sandbox


def _suite() -> click.Command:
    from assay.interfaces.cli.suite import suite

    return suite


def _trial() -> click.Command:
    from assay.interfaces.cli.trial import trial

    return trial


def _vectors() -> click.Command:
    from assay.interfaces.cli.vectors import vectors

    return vectors


def _verify() -> click.Command:
    from assay.interfaces.cli.verify import verify

    return verify


# In the order in which a newcomer meets them. The line is repeated here so that help needs no import.
COMMANDS: Final[dict[str, tuple[str, Callable[[], click.Command]]]] = {
    "demo": ("Walk six claims with a small local model, and two tasks of code.", _demo),
    "ask": ("Walk one claim and show each step.", _ask),
    "verify": ("Decide one proposal, or a file of them.", _verify),
    "establish": ("Say what the evidence establishes; for its owner.", _establish),
    "gate": ("Deliver a candidate only if it passes.", _gate),
    "suite": ("Read, digest and convert suites of acceptance tests.", _suite),
    "trial": ("Count what the gate does with stored candidates.", _trial),
    "sandbox": ("Say whether candidates can be run here, and why.", _sandbox),
    "claims": ("Say what stands accepted, and what no longer holds.", _claims),
    "receipt": ("Check receipts, and show them in plain words.", _receipt),
    "keys": ("Make keys, and say whose signatures count.", _keys),
    "log": ("Verify, prove and anchor the log in which receipts stand.", _log),
    "pack": ("Build, check and look into packs of evidence.", _pack),
    "vectors": ("Run the specification's cases.", _vectors),
}


class Commands(click.Group):
    """A group whose commands are made when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """Return every name, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- as above
        """Return the command of that name."""
        return COMMANDS[cmd_name][1]() if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- as above
        """Write the list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (line, _) in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write where the pages lie that messages name, before the example."""
        with formatter.section("Pages that messages name (spec/…, docs/reference/…)"):
            formatter.write(f"  {printable(str(pages_dir()))}\n")
        super().format_epilog(ctx, formatter)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=options.example(
        "assay verify --pack proteins \\",
        '  --task \'{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}\' \\',
        '  --proposal \'{"state":"VALUE","value":"142"}\'',
    ),
)
@click.version_option(package_name="assay", message="%(version)s")
@click.option("--debug", is_flag=True, help="Show where an unexpected error came from.")
def cli(*, debug: bool) -> None:
    """Let nothing count that pinned evidence does not establish.

    Exit codes: 0 accepted, 1 fault (nobody looked), 2 usage, 3 rejected or unresolved.
    """


def run(arguments: Sequence[str]) -> int:
    """Run the command; every error is one line, and the exit code says of which sort it was."""
    try:
        code = _call(arguments)
        fault = streams.flush_output()
    except (BrokenPipeError, SystemExit):
        # click turns a closed pipe into an exit of its own; nothing else here exits.
        streams.silence(sys.stdout)
        code, fault = codes.BROKEN_PIPE, ""
    if fault:
        code = say_error("fault.output", fault, codes.FAULT, as_json=False)
    streams.flush_error()
    return code


def _call(arguments: Sequence[str]) -> int:
    as_json, debug = "--json" in arguments, "--debug" in arguments[:1]
    try:
        # Outside standalone mode click returns what the command returns, and the code of an early exit.
        code = cli.main(args=list(arguments), prog_name="assay", standalone_mode=False)
    except NoArgsIsHelpError as error:
        return _help(error)
    except (click.UsageError, click.FileError) as error:
        return say_error("usage", _usage(error), codes.USAGE, as_json=as_json)
    except AssayError as error:
        return say_error(
            error.code, str(error), codes.USAGE if isinstance(error, InputError) else codes.FAULT, as_json=as_json
        )
    except (KeyboardInterrupt, click.Abort):
        return say_error("interrupted", "interrupted", codes.INTERRUPTED, as_json=False)
    except BrokenPipeError:
        raise
    except Exception as error:
        fault = streams.write_fault(error)
        if fault:
            return say_error("fault.output", fault, codes.FAULT, as_json=False)
        if debug:
            raise
        # Its own words may hold a value of the evidence, so only its name is told.
        text = f"unexpected {type(error).__name__}; `assay --debug …` shows where"
        return say_error("fault.unexpected", text, codes.FAULT, as_json=as_json)
    return code if isinstance(code, int) else codes.OK


def main() -> NoReturn:
    """Run the command of this process's arguments and end with its exit code."""
    if not streams.prepare():
        sys.exit(say_error("fault.output", streams.CLOSED, codes.FAULT, as_json=False))
    sys.exit(run(sys.argv[1:]))


def _help(error: NoArgsIsHelpError) -> int:
    """All of the help where a command of commands was typed alone: its lines are no error message to be cut."""
    assert error.ctx is not None  # noqa: S101 -- click makes it of the context
    with suppress(OSError):
        print(error.ctx.get_help(), file=sys.stderr)
    return codes.USAGE


def _usage(error: click.ClickException) -> str:
    """The message of click as ours are: lower case, no final stop, and where to look."""
    text = error.format_message().rstrip(".").replace(". (Did", " (did")
    where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else "assay"
    return f"{text[:1].lower()}{text[1:]}; see `{where} --help`"
