"""Workshops: how a report looks, in light and dark. No meaning is in a colour alone: words or shapes say it too."""

from __future__ import annotations

from typing import Final

COLOURS: Final = """\
:root{color-scheme:light dark;--paper:#faf8f3;--card:#fff;--ink:#1c2026;--soft:#59616c;--line:#dfdbd0;--gate:#1450b0;
--wrong:#b93a08;--other:#868d97;--tint:#e6eefb}
@media(prefers-color-scheme:dark){:root{--paper:#13161b;--card:#1a1f26;--ink:#e9e6df;--soft:#a3aab4;--line:#2f363f;
--gate:#7fb2ff;--wrong:#ff9b66;--other:#79818c;--tint:#1c2a40}}
"""
PICTURE: Final = """\
svg text{font:13px/1.2 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--ink);paint-order:stroke;
stroke:var(--paper);stroke-width:4px;stroke-linejoin:round;font-variant-numeric:tabular-nums}
svg .said,svg .tick{fill:var(--soft)}svg .tick{font-size:11px}svg .title{font-size:16px;font-weight:650}
svg .name.gate,svg .count{font-weight:650}svg .count{font-size:12px}
svg .grid{stroke:var(--line)}svg .zero{stroke:var(--soft)}svg .paper{fill:var(--paper)}
svg .whisker{stroke:var(--other);stroke-width:3;stroke-linecap:round;opacity:.7}svg .whisker.gate{stroke:var(--gate)}
svg .whisker.ceiling{stroke-dasharray:1 6}
svg .dot{fill:var(--other);stroke:var(--paper);stroke-width:2}svg .dot.gate{fill:var(--gate)}
svg .dot.ceiling{fill:var(--paper);stroke:var(--other)}
svg .way{stroke:var(--gate);stroke-width:3;opacity:.45}
svg .bar{fill:var(--other)}svg .bar.gate{fill:var(--gate)}
"""
PAGE: Final = """\
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI",Roboto,"DejaVu Sans",
sans-serif}
main{max-width:780px;margin:0 auto;padding:36px 16px 72px}
h1{font-size:clamp(26px,6vw,38px);line-height:1.15;letter-spacing:-.02em;margin:.1em 0 .5em;overflow-wrap:anywhere}
h2{font-size:20px;letter-spacing:-.01em;margin:56px 0 6px}p{margin:.5em 0}
.kicker{color:var(--soft);font-size:13px;letter-spacing:.08em;text-transform:uppercase;margin:0}
.lead{font-size:18px;max-width:60ch}.lead b{font-weight:650}
.note{border-left:4px solid var(--gate);background:var(--tint);padding:12px 16px;margin:24px 0;
border-radius:0 6px 6px 0}
.soft{color:var(--soft);font-size:14px}
.whole{display:flex;height:46px;border-radius:6px;overflow:hidden;margin:22px 0 10px;gap:2px}
.whole span{min-width:3px}
.right{background:var(--gate)}
.wrong{background:repeating-linear-gradient(45deg,var(--wrong) 0 5px,
color-mix(in srgb,var(--wrong) 72%,var(--paper)) 5px 8px)}
.refused{background:var(--card);box-shadow:inset 0 0 0 2px var(--other)}
.lost{background:var(--card);box-shadow:inset 0 0 0 2px var(--wrong)}
.nosuite{background:var(--card);border:2px dashed var(--other)}
.void{background:var(--card);border:2px dotted var(--soft)}
ul.key{list-style:none;display:flex;flex-wrap:wrap;gap:6px 22px;padding:0;margin:10px 0}
ul.key i{display:inline-block;width:13px;height:13px;border-radius:3px;margin-right:8px;vertical-align:-2px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(158px,1fr));gap:12px;margin:22px 0}
.cards div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
.cards b{display:block;font-size:25px;line-height:1.2;font-variant-numeric:tabular-nums}
.cards span{color:var(--soft);font-size:13.5px;display:block;line-height:1.4}
.picture{display:block;margin:14px 0 4px;overflow:visible}
.tasks{display:flex;flex-wrap:wrap;gap:3px;margin:14px 0}.tasks i{width:14px;height:14px;border-radius:3px}
details{margin:8px 0}summary{cursor:pointer;color:var(--soft);font-size:14px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums;margin:8px 0}
th,td{text-align:right;padding:5px 8px;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{text-align:left;overflow-wrap:anywhere;min-width:8.5em}
thead th{color:var(--soft);font-weight:500}tr.gate th{color:var(--gate)}tbody th{font-weight:500}
tr.gate th,tr.gate td{font-weight:650}
td{white-space:nowrap}td.meter{min-width:70px;width:24%;vertical-align:middle}
td.meter span{display:block;background:var(--line);border-radius:4px;overflow:hidden}
td.meter i{display:block;height:10px;background:var(--other)}
dl{display:grid;grid-template-columns:minmax(7em,auto) 1fr;gap:4px 16px;font-size:14px;margin:8px 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,"DejaVu Sans Mono",monospace;
font-size:12.5px}
ul.traps li{margin:8px 0}
@media(max-width:560px){table{font-size:12.5px}th,td{padding:4px 3px}td{white-space:normal}
th:first-child,td:first-child{min-width:5.5em}.meter{display:none}td.meter{display:none}}
:focus-visible{outline:3px solid var(--gate);outline-offset:2px}
@media print{details>*{display:block}body{background:#fff}}
"""
