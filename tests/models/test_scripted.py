"""The scripted model: says its lines, and nothing else."""

import pytest

from assay.kernel.errors import ModelFault
from assay.models.base import BareToken, Message, Model, OneOf, Usage
from assay.models.scripted import ScriptedModel

ASKED = (Message("user", "How many?"),)


def say(model: Model) -> str:
    return model.complete(ASKED, constraint=OneOf(("a",)), max_tokens=8, seed=0).text


def test_replies_come_in_order() -> None:
    model = ScriptedModel(["58", "count_residues"])
    assert [say(model), say(model)] == ["58", "count_residues"]


def test_a_script_does_not_care_for_constraints() -> None:
    assert say(ScriptedModel(["not an option"])) == "not an option"


def test_a_script_at_its_end_is_a_fault() -> None:
    model = ScriptedModel(["58"], name="scripted navigator")
    say(model)
    with pytest.raises(ModelFault, match="`scripted navigator` has no reply left") as ended:
        say(model)
    assert ended.value.code == "model.script_ended"


def test_what_was_asked_is_kept() -> None:
    model = ScriptedModel(["58", "59"])
    constraint = BareToken("integer")
    completion = model.complete(ASKED, constraint=constraint, max_tokens=8, seed=0)
    assert model.asked == [(ASKED, constraint)]
    assert (completion.model, completion.usage, completion.raw) == ("scripted", Usage(0, 0), "58")
