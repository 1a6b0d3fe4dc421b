/** The page around a report: one file that asks nothing of any server, and in which only its own script can run. */
import { createHash } from "node:crypto";
import { Markup, markup } from "../../figures/markup.ts";
import { jsonText } from "../../text/json-text.ts";
import { pageScript } from "./page-script.ts";
import { pageStyle } from "./page-style.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing may be loaded from anywhere; of scripts and styles those two may be used whose text has these hashes. */
const policy = `default-src 'none'; script-src ${hashOf(pageScript)}; style-src ${hashOf(pageStyle)}; base-uri 'none'; form-action 'none'`;

/** What the page needs before its content. */
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

/** A task as the lists of the page show it: whether its trajectory is in the report, and what to call it. */
export type ListedTask = {
  readonly run: string;
  readonly task: string;
  readonly verdict: string;
  readonly question: string;
  readonly isIncluded: boolean;
};

/** What comes after the content: the names of all tasks, by their numbers, and the script. */
export function pageFoot(tasks: readonly ListedTask[]): Markup {
  const list = jsonText(
    tasks.map(({ run, task, verdict, question, isIncluded }) => [run, task, verdict, question, isIncluded ? 1 : 0]),
  );
  // As data, no text in it can end the element.
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
