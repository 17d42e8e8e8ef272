"""Doors: several options whose values count in the order in which they were typed, all of them together."""

from __future__ import annotations

from typing import Any, Final

import click

_ORDER: Final = "assay.in_order"


class InOrder(click.Command):
    """A command that remembers in which order its options came; click keeps only the order within one option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, and note the names of the options, with repetitions."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[_ORDER] = [one.name for one in order]
        return super().parse_args(ctx, args)


def in_order(ctx: click.Context, **values: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """The values of these options, each with its option's name, as they were typed; each is in its own order."""
    left = {name: iter(some) for name, some in values.items()}
    return [(name, next(left[name])) for name in ctx.meta[_ORDER] if name in left]
