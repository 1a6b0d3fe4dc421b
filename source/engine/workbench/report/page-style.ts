/**
 * How a report looks, on light and on dark ground, as the reader's system is set. Right and wrong are signs and words too: nothing is
 * told by colour alone. Pictures stay on white, as they are exported; paper is white, too.
 */
import { type Ground, hexOf, palettes } from "../../figures/palette.ts";

/** The class of what is named after a run, by the number of its colour. */
export function runClass(colour: number | undefined): string | undefined {
  return colour === undefined ? undefined : `ink-${colour % palettes.light.series.length}`;
}

const runColours = (ground: Ground) =>
  palettes[ground].series.map((colour, number) => `.ink-${number} { color: ${hexOf(colour)}; }`).join("\n");

export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1b1b; --ground: #fff; --quiet: #595959; --line: #d5d5d5; --good: #1a6b2f; --bad: #a32014; --warn: #7a5200; --link: #14548c; --mark: #ffe08a; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.4em 0 .4em; }
h4 { font-size: 1em; font-weight: 600; }
small, .quiet, summary .about { color: var(--quiet); }
a { color: var(--link); }
pre, code, .call { font: 13px/1.45 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2em 0; }
pre + pre { margin-top: -.2em; }
blockquote { margin: .4em 0; padding-left: .8em; border-left: 3px solid var(--line); }
table { border-collapse: collapse; margin: .6em 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .2em 0; }
th, td { padding: .15em .7em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.right { text-align: right; }
th[data-sorts] { cursor: pointer; }
th[aria-sort=descending]::after { content: " \\2193"; }
th[aria-sort=ascending]::after { content: " \\2191"; }
.best { font-weight: 700; }
.second { text-decoration: underline; }
.faint { color: var(--quiet); }
.reported { font-style: italic; }
[data-tasks] { cursor: pointer; }
td[data-tasks] { color: var(--link); }
[data-tasks]:hover, [data-tasks]:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
figure { margin: 1em 0; }
figure, .wide { overflow-x: auto; padding: 2px; }
.figures { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 1.5em; }
.figures > figure { max-width: 100%; }
td small { white-space: nowrap; }
@media screen { td.right { white-space: nowrap; } }
figure ul, .notes { margin: .3em 0; padding-left: 1.2em; color: var(--quiet); font-size: .87em; }
details > summary { cursor: pointer; }
.task { border-top: 1px solid var(--line); padding: .2em 0; }
.task > :not(summary) { margin-left: 1.2em; }
.turn, .entry { border-left: 3px solid var(--line); padding-left: .8em; margin: .7em 0; }
.here { outline: 2px solid var(--link); outline-offset: 3px; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
mark { background: var(--mark); color: inherit; border-bottom: 2px solid var(--bad); }
dialog { max-width: 60rem; max-height: 80vh; border: 1px solid #888; }
dialog form { float: right; }
[class^=ink-] { font-weight: 600; }
${runColours("light")}
@media screen and (prefers-color-scheme: dark) {
:root { --ink: #e6e6e6; --ground: #16181d; --quiet: #a8a8a8; --line: #41454d; --good: #6fcf83; --bad: #ff8f85; --warn: #e3b04b; --link: #7db8f0; --mark: #5a4300; }
dialog { color: var(--ink); background: var(--ground); }
svg { border-radius: 4px; }
${runColours("dark")}
}
/* Paper does not scroll: what is wide is made as narrow as a page. */
@media print {
body { font-size: 10pt; margin: 0; max-width: none; }
figure, .wide { overflow: visible; }
.figures { display: block; }
svg { max-width: 100%; height: auto; }
svg, tr { break-inside: avoid; }
h1, h2, h3, h4, caption { break-after: avoid; }
table { font-size: 7pt; }
th, td { padding: .1em .35em; }
}
`;
