/**
 * The page around a report: one file that loads nothing from any server and allows only its own script. It follows the reader's
 * light or dark setting, and marks right and wrong with signs and words in addition to colours. Exported pictures stay white.
 */
import { createHash } from "node:crypto";
import { Markup, markup } from "../../figures/markup.ts";
import { jsonText } from "../../text/json-text.ts";
import { pageVariables, runClasses } from "../../../look/paper.ts";

const pageStyle = `
:root { color-scheme: light dark; ${pageVariables.light} }
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
dialog { max-width: 60rem; max-height: 80vh; border: 1px solid var(--edge); }
dialog form { float: right; }
[class^=ink-] { font-weight: 600; }
${runClasses("light")}
@media screen and (prefers-color-scheme: dark) {
:root { ${pageVariables.dark} }
dialog { color: var(--ink); background: var(--ground); }
svg { border-radius: 4px; }
${runClasses("dark")}
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

/**
 * The script of a report's page, which runs in the reader's browser: columns sort, a number opens the list of its tasks, and
 * links open their targets. Texts of the session are inserted only as text.
 */
const pageScript = `"use strict";
const tasks = JSON.parse(document.getElementById("tasks").textContent);
const list = document.getElementById("list");
const collator = new Intl.Collator(undefined, { numeric: true });

function show(id) {
  const target = document.getElementById(id);
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) if (at.localName === "details") at.open = true;
  for (const marked of document.querySelectorAll(".here")) marked.classList.remove("here");
  target.classList.add("here");
  target.scrollIntoView({ block: "center" });
}
const fromAddress = () => show(decodeURIComponent(location.hash.slice(1)));
function open(id) {
  list.close();
  if (location.hash === "#" + id) show(id);
  else location.hash = id;
}

/* "3-5,9" are 3, 4, 5 and 9. */
function numbers(ranges) {
  return ranges.split(",").flatMap((range) => {
    const [from, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function offer(element) {
  const found = numbers(element.dataset.tasks);
  if (found.length === 1 && tasks[found[0]][4]) return open("t" + found[0]);
  const title = element.querySelector("title")?.textContent ?? element.title;
  list.querySelector("h2").textContent = (title === "" ? "" : title + " \\u00b7 ") + found.length + (found.length === 1 ? " task" : " tasks");
  list.querySelector("ol").replaceChildren(...found.map((number) => {
    const [run, task, verdict, question, included] = tasks[number];
    const item = document.createElement("li");
    const name = document.createElement(included ? "a" : "span");
    if (included) name.href = "#t" + number;
    name.textContent = verdict + "  " + task;
    const about = document.createElement("small");
    about.textContent = " " + run + "  " + question + (included ? "" : " (its trajectory is not in this report)");
    item.append(name, about);
    return item;
  }));
  list.showModal();
}

function sort(head) {
  const table = head.closest("table");
  const column = [...head.parentElement.children].indexOf(head);
  const descending = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
  const valueOf = (row) => {
    const cell = row.children[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = ([a], [b]) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return descending * (typeof a === "number" ? a - b : collator.compare(a, b));
  };
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending === -1 ? "descending" : "ascending");
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => [valueOf(row), row]).sort(compare);
  for (const [, row] of rows) body.append(row);
}

document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-tasks]");
  const link = event.target.closest("a[href^='#']");
  const head = event.target.closest("th[data-sorts]");
  if (number !== null) offer(number);
  else if (link !== null) {
    event.preventDefault();
    open(link.getAttribute("href").slice(1));
  } else if (head !== null) sort(head);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.matches("[data-tasks], th[data-sorts]")) return;
  event.preventDefault();
  event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});
window.addEventListener("hashchange", fromAddress);
fromAddress();
`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Forbids loading anything; only the script and style with these hashes may be used. */
const policy = `default-src 'none'; script-src ${hashOf(pageScript)}; style-src ${hashOf(pageStyle)}; base-uri 'none'; form-action 'none'`;

/** Returns the page before its content. */
export function pageHead(title: string): Markup {
  return markup`<!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="${policy}">
      <meta name="viewport" content="width=device-width">
      <meta name="referrer" content="no-referrer">
      <title>${title}</title>
      <style>${new Markup(pageStyle)}</style>
    </head>
    <body>
  `;
}

/** A task in the page's lists: its names, and whether the report contains its trajectory. */
export type ListedTask = {
  readonly run: string;
  readonly task: string;
  readonly verdict: string;
  readonly question: string;
  readonly isIncluded: boolean;
};

/** Returns the page after its content: the names of all tasks by number, and the script. */
export function pageFoot(tasks: readonly ListedTask[]): Markup {
  const list = jsonText(
    tasks.map(({ run, task, verdict, question, isIncluded }) => [run, task, verdict, question, isIncluded ? 1 : 0]),
  );
  // Escaped, so that no text can end the element.
  return markup`<dialog id="list" aria-label="Tasks">
      <form method="dialog"><button>Close</button></form>
      <h2></h2>
      <ol></ol>
    </dialog>
    <script type="application/json" id="tasks">${new Markup(list.replaceAll("<", "\\u003c"))}</script>
    <script>${new Markup(pageScript)}</script>
    </body>
    </html>
  `;
}
