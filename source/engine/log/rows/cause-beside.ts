/** States what is known about a reply besides its cause: the form that was asked for, and how other replies ended. */
import { type Benchmark, freeText, unwrappedMetric } from "../../benchmark.ts";
import { parseJson } from "../../text/json-record.ts";
import type { CauseName, RunSpec } from "../../types.ts";
import type { Trajectory, Turn } from "../trajectory.ts";

/** How a run reads replies: its suite's functions with its settings. */
export type RunReading = Pick<Benchmark, "form" | "formName"> & { readonly spec: RunSpec };

/** Causes of a reply that could have been read, and of one in which nothing was found. */
const couldBeRead: ReadonlySet<CauseName> = new Set(["cut", "echo", "repeats"]);
const hadOtherForm: ReadonlySet<CauseName> = new Set(["cut", "other-form", "repeats"]);

export const readAnyway = "the official program still reads an answer from the reply";

/** Returns the facts about the reply that decides the cause of a task; empty if there are none. */
export function besideCause(
  turn: Turn,
  { cause, entries, facets = {}, score }: Trajectory,
  { form, formName, spec }: Partial<RunReading> = {},
): readonly string[] {
  if (cause === undefined) return [];
  const facts: string[] = [];
  if (form !== undefined && spec !== undefined && turn.calls.length === 0 && turn.text.trim() !== "") {
    const asked = { stage: turn.stage, spec, facets, score };
    const read = form(turn.text, asked);
    const name = formName?.(asked);
    if (read !== undefined && read.got !== freeText.got && couldBeRead.has(cause.cause)) facts.push(readAnyway);
    if (name !== undefined && read === undefined && hadOtherForm.has(cause.cause))
      facts.push(...insteadOf(turn.text, name, cause.cause));
  }
  const inside = cause.cause === "wrapped" ? score?.metrics[unwrappedMetric] : undefined;
  if (inside !== undefined) facts.push(`${unwrappedMetric}, the answer scores ${Number((inside * 100).toFixed(1))} %`);
  let [others, cut] = [0, 0];
  for (const entry of entries) {
    if (entry.kind !== "turn" || entry === turn || entry.role === "judge") continue;
    others += 1;
    if (entry.finish === "length") cut += 1;
  }
  if (cut > 0) facts.push(othersCut(cut, others, turn.finish === "length" ? "also " : ""));
  return facts;
}

function othersCut(cut: number, others: number, also: string): string {
  if (others === 1) return `the other reply was ${also}cut`;
  if (cut === others) return `all ${others} other replies were ${also}cut`;
  return `${cut} of the ${others} other replies ${cut === 1 ? "was" : "were"} ${also}cut`;
}

/** States what came instead of a form. The beginning of JSON may yet have become the JSON that was asked for. */
function insteadOf(text: string, name: string, cause: CauseName): readonly string[] {
  const came = writtenAs(text);
  const isSame = came === "JSON" && name.includes("JSON");
  if (cause === "other-form") return [isSame ? `JSON, but not ${name}` : `${came} instead of ${name}`];
  return isSame ? [] : [`the reply so far is ${came}, not ${name}`];
}

const code = /^\s*(?:def|import|from|function|const|let|class|async|for|print|console)\b/m;
const item = /^\s*(?:[-*+\u2022]\s|\(?\d{1,3}[.):]|Step \d)/;

/** Names what a text is written as. */
export function writtenAs(text: string): "JSON" | "code" | "numbers" | "a plain-text list" | "prose" {
  const [, fenced] = /```\w{0,20}\n([^]*)/.exec(text) ?? [];
  const inside = (fenced ?? text).trim();
  if (/^[[{]\s*["'{[\]}]/.test(inside) || parseJson(inside) !== undefined)
    return /^[[{"]/.test(inside) ? "JSON" : "numbers";
  if (fenced !== undefined || code.test(inside)) return "code";
  if (!/\p{L}/u.test(inside)) return "numbers";
  const lines = inside.split("\n").filter((line) => line.trim() !== "");
  const items = lines.filter((line) => item.test(line));
  return lines.length > 1 && items.length * 2 >= lines.length ? "a plain-text list" : "prose";
}
