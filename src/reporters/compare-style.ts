/** The look of a comparison's page: light, dark and on paper. Charts take their colours from the custom properties. */
export const compareStyle = `
:root { color-scheme: light dark; --back: light-dark(#f6f7f8, #0e1216); --surface: light-dark(#ffffff, #161b21); --ink: light-dark(#16191d, #e6e9ec);
  --muted: light-dark(#545d67, #9ca7b3); --line: light-dark(#dfe3e7, #2b333c); --warn: light-dark(#7d5200, #e5b04a); --warn-soft: light-dark(#fbf0d9, #382a0e);
  --good: light-dark(#17703a, #5cc47f); --bad: light-dark(#b3202a, #ff8a80);
  --plot-ink: var(--ink); --plot-muted: var(--muted); --plot-grid: var(--line); --plot-rule: light-dark(#8c959f, #6b7682); --plot-paper: var(--surface);
  --plot-1: light-dark(#0072b2, #4ba6e0); --plot-2: light-dark(#d55e00, #f0803c); --plot-3: light-dark(#009e73, #25c497); --plot-4: light-dark(#cc79a7, #dd94bd);
  --plot-5: light-dark(#e69f00, #f0b53c); --plot-6: light-dark(#56b4e9, #7cc8f3); --plot-7: light-dark(#4d4d4d, #b4b4b4); }
* { box-sizing: border-box }
body { font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem } h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem } p { margin: .5rem 0 }
.lead { color: var(--muted); margin: 0 0 1.4rem }
.finding { border: 1px solid var(--line); border-left: .3rem solid var(--muted); border-radius: .4rem; padding: .7rem 1rem; margin: .6rem 0; background: var(--surface) }
.finding strong { font-size: 1.08rem; font-weight: 600 } .finding span { display: block; color: var(--muted); font-size: .9rem }
.finding.better { border-left-color: var(--good) } .finding.worse { border-left-color: var(--bad) }
.many .finding { padding: .3rem .9rem; margin: .25rem 0 } .many .finding strong { font-size: 1rem; font-weight: 500 } .many .finding span { display: none }
.mind { border-left: .3rem solid var(--warn); border-radius: .4rem; padding: .4rem .9rem; margin: .5rem 0; background: var(--warn-soft) }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; vertical-align: top }
td.number, th.number { text-align: right } th { font-weight: 600 }
figure { margin: 1rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--surface) } svg { max-width: 100%; height: auto }
details { margin: .6rem 0 } summary { cursor: pointer; font-weight: 600 }
@media print { :root { color-scheme: light; --back: #ffffff } body { max-width: none; margin: 0 } .finding, figure, tr { break-inside: avoid } }
`;
