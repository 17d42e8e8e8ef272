"""Pipes: statements gathered for a pack, sorted into tables; what must not count is set aside (spec/pack.md §9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field

from assay.floor.evidence import Alias, Fact, Source
from assay.packs.connectors.base import SetAside, Statement
from assay.packs.csvtable import Table, read_table, write_table
from assay.packs.declarations import Declarations, declare
from assay.packs.refusal import refusal, shown
from assay.packs.rows import COLUMNS, alias_cells, fact_cells, list_cell
from assay.packs.statements import OUTWARD, fact_fault

ALL = "*"  # in a recipe's vocabulary or units: those that the facts use
_SET_ASIDE = frozenset({"value", "implausible"})

Cells = tuple[str, ...]


@dataclass(slots=True)
class Draft:
    """A pack in the making. Mutable, and thrown away once its tables are written."""

    facts: list[Fact] = field(default_factory=list)
    set_aside: list[SetAside] = field(default_factory=list)
    aliases: dict[tuple[str, str, str, str], Alias] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    raw: dict[str, bytes] = field(default_factory=dict)
    dangling: int = 0

    def add(self, statements: Iterable[Statement]) -> None:
        """Gather statements; an alias or a cited source that comes twice counts once."""
        for statement in statements:
            match statement:
                case Fact():
                    self.facts.append(statement)
                case SetAside():
                    self._put_aside(statement.fact, statement.reason, "label")
                case Alias():
                    key = (statement.alias, statement.entity, statement.kind, statement.source)
                    self.aliases.setdefault(key, statement)
                case Source():
                    self.sources.setdefault(statement.source, statement)

    def tables(
        self, properties: Iterable[Mapping[str, str]], namespaces: Iterable[Mapping[str, str]], units: list[Cells]
    ) -> dict[str, list[Cells]]:
        """The rows of every table.

        Raises:
            InvalidPack: a declaration is wrong, or a fact in another way than its value.
        """
        rows: dict[str, list[Cells]] = {
            "sources": [_source_cells(source) for source in self.sources.values()],
            "properties": [_cells("properties", self._collected(row)) for row in properties],
            "units": units,
            "namespaces": [_cells("namespaces", row) for row in namespaces],
        }
        self._judge(declare({name: _table(name, cells) for name, cells in rows.items()}))
        facts = sorted(self.facts, key=fact_cells)
        aside = sorted(self.set_aside, key=lambda item: (fact_cells(item.fact), item.reason))
        width = len(str(len(facts)))
        rows["facts"] = [_numbered("F", place, width, fact) for place, fact in enumerate(facts, 1)]
        rows["quarantine"] = [
            (*_numbered("Q", place, 1, item.fact), item.reason) for place, item in enumerate(aside, 1)
        ]
        entities = {fact.entity for fact in facts} | {item.fact.entity for item in aside}
        kept = [alias for alias in self.aliases.values() if _leads(alias, entities)]
        self.dangling = len(self.aliases) - len(kept)
        rows["aliases"] = sorted(alias_cells(alias) for alias in kept)
        return rows

    def _judge(self, declared: Declarations) -> None:
        facts, self.facts = self.facts, []
        for fact in facts:
            code, words = fact_fault(fact, declared)
            if not words:
                self.facts.append(fact)
            elif code in _SET_ASIDE:
                self._put_aside(fact, f"{code}: {words}", code)
            else:
                at = f"{fact.entity} {fact.property} of source {shown(fact.source)} at {shown(fact.locator)}"
                raise refusal(code, f"{at}: {words}", "correct the recipe")

    def _put_aside(self, fact: Fact, reason: str, code: str) -> None:
        self.set_aside.append(SetAside(fact, reason))
        self.reasons[code] += 1

    def _collected(self, row: Mapping[str, str]) -> Mapping[str, str]:
        found = dict(row)
        facts = [fact for fact in self.facts if fact.property == row["property"]]
        if row["vocabulary"] == ALL:
            found["vocabulary"] = list_cell(sorted({fact.value for fact in facts}))
        if row["units"] == ALL:
            found["units"] = list_cell(sorted({fact.unit for fact in facts}))
        return found


def _leads(alias: Alias, entities: set[str]) -> bool:
    """Whether the alias leads somewhere in the pack, or rightly nowhere."""
    return not alias.entity or alias.entity in entities or alias.kind in OUTWARD


def _numbered(letter: str, place: int, width: int, fact: Fact) -> Cells:
    # The raw spelling is left out where it is the value: the row counts the same (spec/pack.md §3).
    raw = "" if fact.raw == fact.value else fact.raw
    return (f"{letter}{place:0{width}d}", *fact_cells(fact)[1:-1], raw)


def _source_cells(source: Source) -> Cells:
    *texts, namespaces, credible = astuple(source)
    return (*texts, list_cell(namespaces), "yes" if credible else "no")


def _cells(table: str, row: Mapping[str, str]) -> Cells:
    return tuple(row[column] for column in COLUMNS[table])


def _table(name: str, cells: list[Cells]) -> Table:
    return read_table(name, f"recipe {name}", write_table(COLUMNS[name], cells), COLUMNS[name])
