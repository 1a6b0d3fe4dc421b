/** A task of a report: its question, its score, and the whole trajectory with mistakes marked in the text. */
import { separator, signs } from "../../../look/signs.ts";
import type { ErrorKind } from "../../benchmark.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { besideCause } from "../../log/rows/cause-beside.ts";
import { isUnread, unreadCause } from "../../log/rows/cause-text.ts";
import { mistakePlaces, type WordsPlace, mistakeText, overruledText, scoreText } from "../../log/rows/mistake-text.ts";
import { messagesBefore, newsText, promptNews, type PromptNews } from "../../log/prompt-news.ts";
import { endText, finishText, roleName, type RunWords } from "../../log/run-words.ts";
import type { Entry, Turn } from "../../log/trajectory.ts";
import { noMistake } from "../../log/rows/verdict.ts";
import { readableFacets } from "../../run/fork-point.ts";
import { callText } from "../../text/call-text.ts";
import { counted } from "../../text/counted.ts";
import type { Mistake } from "../../types.ts";
import { codesHtml } from "./codes-html.ts";
import { type ExportedTask, turnSeconds } from "../exports/exported-run.ts";

/** A mistake, its position, and its id in the page. */
type Placed = { readonly mistake: Mistake; readonly place: WordsPlace | undefined; readonly id: string };

/** The data for describing a task. */
type Described = { readonly id: string; readonly errorKinds: readonly ErrorKind[]; readonly run: RunWords };

type Words = Described & { readonly placed: readonly Placed[] };

/** `id` is the element's id; ids of its steps and mistakes start with it. */
export function taskHtml(
  { row, trajectory, reference, codes }: ExportedTask,
  { id, verdict, errorKinds, run }: Described & { readonly verdict: string },
): Markup {
  const { entries, score, failure } = trajectory;
  const errors = score?.errors ?? [];
  const places = mistakePlaces(entries, errors);
  const placed = errors.map((mistake, index) => ({ mistake, place: places[index], id: `${id}m${index}` }));
  const words = { id, placed, errorKinds, run };
  const deciding = entries.find((entry) => entry.kind === "turn" && entry.request === row.cause?.request);
  const beside = deciding?.kind === "turn" ? besideCause(deciding, { ...trajectory, ...row }, run.reading) : [];
  const facets = readableFacets(row.facets).map(([name, value]) => `${name} ${value}`);
  return markup`<details class="task" id="${id}">
    <summary>
      ${verdictSigns[verdict] ?? signs.more} <b>${row.task}</b> ${verdict} <span class="about">${oneLine(row.question)}</span>
    </summary>
    <p>${row.question}</p>
    <p class="quiet">${[`score ${scoreText(score?.value)}`, ...facets].join(separator)}</p>
    ${row.cause === undefined || !isUnread(row) ? undefined : markup`<p class="warn">${unreadCause(row.cause, beside)}</p>`}
    ${failure === undefined || verdict === "stopped" ? undefined : markup`<p class="warn">Failed (${failure.kind}): ${failure.message}</p>`}
    ${
      placed.length === 0
        ? undefined
        : markup`<h4>${counted(placed.length, "mistake")}</h4>
            <ul>
              ${placed.map((each) => mistakeItem(each, words))}
            </ul>`
    }
    ${codesHtml(codes)}
    ${checksHtml(score?.checks ?? [])}
    ${
      reference === undefined
        ? undefined
        : markup`<h4>Reference</h4>
            <pre>${reference}</pre>`
    }
    <h4>Steps</h4>
    ${entries.length === 0 ? markup`<p class="quiet">No request was sent</p>` : entries.map((entry, index) => entryHtml(entry, index, entries, words))}
  </details> `;
}

const { right, wrong, unscored, failed, stopped } = signs;
const verdictSigns: Readonly<Record<string, string>> = { right, wrong, unscored, failed, stopped };

/** Characters of a question that suffice to recognize it. */
const longest = 140;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}${signs.more}`;
}

function mistakeItem({ mistake, place, id }: Placed, { errorKinds }: Words): Markup {
  const text = mistakeText(mistake, { errorKinds });
  const correction = overruledText(mistake, { errorKinds });
  const step = mistake.step === undefined ? "" : ` (step ${mistake.step + 1})`;
  const words = place === undefined ? markup`${text}` : markup`<a href="#${id}">${text}</a>`;
  return markup`<li class="${mistake.kind === noMistake ? "quiet" : "bad"}">
    ${words}${step}${correction === undefined ? undefined : markup` <span class="warn">${correction}</span>`}
  </li>`;
}

function checksHtml(
  checks: readonly { readonly name: string; readonly kept: boolean | undefined; readonly message?: string }[],
) {
  if (checks.length === 0) return undefined;
  const word = (kept: boolean | undefined) =>
    kept === undefined ? "does not apply" : kept ? `${signs.right} kept` : `${signs.wrong} broken`;
  const items = checks.map(
    ({ name, kept, message }) => markup`<li>${name}: ${word(kept)}${message === undefined ? "" : `, ${message}`}</li>`,
  );
  return markup`<details>
    <summary>${counted(checks.length, "check")}</summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

function entryHtml(entry: Entry, index: number, entries: readonly Entry[], words: Words): Markup {
  const id = `${words.id}e${index}`;
  switch (entry.kind) {
    case "turn":
      return turnHtml(entry, { id, index, known: messagesBefore(entries, index), words });
    case "result": {
      const { name, result } = entry;
      const sign = result.ok ? signs.right : signs.wrong;
      return markup`<div class="entry" id="${id}">
        ${folded(markup`<span class="${result.ok ? "good" : "bad"}">${sign} ${name} ${signs.right2} ${String(result.status)}</span>`, result.observation)}
      </div>`;
    }
    case "note":
      return markup`<div class="entry" id="${id}">
        ${folded(markup`<span class="warn">${entry.note}</span>`, entry.note === "end" ? endText(entry.text) : entry.text)}
      </div>`;
    case "answer": {
      const text = typeof entry.answer === "string" ? entry.answer : JSON.stringify(entry.answer, null, 2);
      return markup`<div class="entry" id="${id}">${folded(markup`<b>Answer</b>`, text)}</div>`;
    }
  }
}

/** Folds a text of several lines to its first line, with its size. */
function folded(label: Markup, text: string): Markup {
  const [first = "", ...more] = text.trimEnd().split("\n");
  if (more.length === 0 && first.length <= longest) return markup`${label} <code>${first}</code>`;
  const size = more.length === 0 ? counted(text.length, "character") : counted(more.length + 1, "line");
  return markup`<details>
    <summary>${label} <code>${oneLine(first)}</code> <small>${size}</small></summary>
    <pre>${text}</pre>
  </details>`;
}

function turnHtml(
  turn: Turn,
  { id, index, known, words }: { id: string; index: number; known: Turn["messages"]; words: Words },
): Markup {
  const { tokens, saved, finish, thinking, retries, voided } = turn;
  const ended = finishText(turn, words.run);
  const facts = [
    roleName(turn.role, words.run),
    turn.stage,
    turn.model,
    saved === "cache" ? "from the cache" : `${turnSeconds(turn).toFixed(1)} s`,
    ...(tokens === undefined
      ? []
      : [`${tokens.estimated ? "about " : ""}${tokens.input} tokens in, ${tokens.output} out`]),
    ...(finish === undefined ? ["the end of the reply is missing"] : ended === undefined ? [] : [ended]),
  ];
  const here = words.placed.filter(({ place }) => place?.entry === index);
  const inText = here.filter(({ place }) => place?.call === undefined);
  return markup`<div class="turn" id="${id}">
    <h4>${facts.join(separator)}</h4>
    ${promptNews(turn.messages, known).map(newsHtml)}
    ${voided.map((text) => folded(markup`<span class="quiet">Cut off</span>`, text))}
    ${retries.map(({ error, status }) => markup`<p class="warn">Retry${status === undefined ? "" : ` (${status})`}: ${error}</p>`)}
    ${thinking === "" ? undefined : markup`<div class="quiet">${folded(markup`Thinking`, thinking)}</div>`}
    ${turn.text === "" ? undefined : markup`<pre>${markedText(turn.text, inText)}</pre>`}
    ${turn.calls.map((call, number) => {
      const own = here.filter(({ place }) => place?.call === number);
      return own.length === 0
        ? markup`<pre>${callText(call)}</pre>`
        : markup`<pre>${call.name} ${markedText(call.text, own)}</pre>`;
    })}
    ${here.map(({ mistake, id: at, place }) => markup`<p class="bad" ${place?.from === undefined ? markup` id="${at}"` : undefined}>${signs.wrong} ${mistakeText(mistake, words)}</p>`)}
  </div> `;
}

function newsHtml(news: PromptNews): Markup {
  const label = markup`${news.role === "system" ? "System" : "User"} <small>${newsText(news) ?? ""}</small>`;
  return markup`<div class="quiet">${folded(label, news.text)}</div>`;
}

/** Marks the words of mistakes in a text; of overlapping words, the first. */
function markedText(text: string, placed: readonly Placed[]): Markup {
  const parts: Markup[] = [];
  let done = 0;
  const inOrder = placed.toSorted((one, other) => (one.place?.from ?? 0) - (other.place?.from ?? 0));
  for (const { place, id } of inOrder) {
    const { from, to } = place ?? {};
    if (from === undefined || to === undefined) continue;
    // Another mistake has the same words; its link leads to the same place.
    if (from < done) parts.push(markup`<a id="${id}"></a>`);
    else parts.push(markup`${text.slice(done, from)}<mark id="${id}">${text.slice(from, to)}</mark>`);
    done = Math.max(done, to);
  }
  return markup`${parts}${text.slice(done)}`;
}
