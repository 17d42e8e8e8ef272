"""Decide two proposals about the length of a protein: one wrong, one right."""

from assay import api

pack = api.open_pack("proteins")
task = api.parse_task('{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}')
for proposal in ('{"state":"VALUE","value":"146"}', '{"state":"VALUE","value":"142"}'):
    decision = api.verify(pack, task, proposal)
    print(decision.verdict, decision.code)
    if decision.card is not None:
        print("  you may:", ", ".join(call.name for call in decision.card.operations))
