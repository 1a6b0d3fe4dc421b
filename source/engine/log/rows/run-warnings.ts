/** What the replies of a run gave reason to say beside its results, counted over all its rows. */
import { sourceOf, type TakenAnswers, takenText } from "./answer-source.ts";
import { leftOutKind, leftOutKinds, leftOutWarnings } from "./left-out.ts";
import { cachedReply } from "../../strategy.ts";
import type { Adjustment, Chunk, Row, RunSpec } from "../../types.ts";

type Finish = Extract<Chunk, { type: "finish" }>;

const adjusted = "adjusted:";
const answered = "answered:";
const replies = {
  cut: "reply:cut",
  filtered: "reply:filtered",
  refused: "reply:refused",
  empty: "reply:empty",
} as const;
const noCall = "no-tool-call";

/** The kinds a finished reply counts as in its row. `model` was asked; `hasAnswer` is true where text or a call came. */
export function replyKinds(finish: Finish, model: string, hasAnswer: boolean): readonly string[] {
  const kinds = [
    ...(finish.without ?? []).map((name) => leftOutKind(name, model)),
    ...(finish.adjusted ?? []).map((each) => `${adjusted}${each}:${model}`),
  ];
  if (finish.model !== undefined) kinds.push(`${answered}${model} ${finish.model}`);
  if (finish.reason === "length") kinds.push(replies.cut);
  else if (finish.reason === "content_filter") kinds.push(replies.filtered);
  else if (finish.reason === "refusal") kinds.push(replies.refused);
  else if (!hasAnswer) kinds.push(replies.empty);
  return kinds;
}

/** Whether a row holds a reply that was cut, filtered, refused or empty. */
export function isIncomplete({ counts }: Row): boolean {
  return Object.values(replies).some((kind) => (counts[kind] ?? 0) > 0);
}

/** The kinds as they are kept beside a log. */
export type SavedKinds = {
  readonly counts: readonly (readonly [string, number])[];
  readonly leftOut: readonly (readonly [string, number])[];
  readonly calls: number;
};

/** Sums over the rows of a run, kept up to date as they change: a run may have a hundred thousand of them. */
export class RunKinds {
  #counts = new Map<string, number>();
  #leftOut = new Map<string, number>();
  #calls = 0;

  /** `spec` is the run's when the row was folded: the same for its removal. */
  add(row: Row, spec: RunSpec | undefined, sign: 1 | -1 = 1): void {
    this.#calls += sign * row.calls;
    for (const [kind, count] of Object.entries(row.counts)) add(this.#counts, kind, sign * count);
    for (const kind of leftOutKinds(row, spec)) add(this.#leftOut, kind, sign);
  }

  saved(): SavedKinds {
    return { counts: [...this.#counts], leftOut: [...this.#leftOut], calls: this.#calls };
  }

  restore({ counts, leftOut, calls }: SavedKinds): void {
    this.#counts = new Map(counts);
    this.#leftOut = new Map(leftOut);
    this.#calls = calls;
  }

  /** A run must not pass for one at a temperature that was never sent, or for one with whole replies. */
  warnings(spec: RunSpec | undefined): readonly string[] {
    const kinds = [...this.#counts.keys()];
    return [
      ...this.taken().map(takenText),
      ...leftOutWarnings(new Set(this.#leftOut.keys()), spec),
      ...kinds.flatMap((kind) => (kind.startsWith(adjusted) ? [adjustedText(kind.slice(adjusted.length))] : [])),
      ...kinds.flatMap((kind) => (kind.startsWith(answered) ? [answeredText(kind.slice(answered.length))] : [])),
      ...this.#ofAll(replies.cut, "cut at maxTokens, or at the end of the context"),
      ...this.#ofAll(replies.filtered, "cut by a content filter"),
      ...this.#ofAll(replies.refused, "refused by the model"),
      ...this.#ofAll(replies.empty, "empty"),
      ...this.#ended(),
      ...this.#ofAll(cachedReply, "taken from the cache; the seconds of their tasks count in no figure"),
    ];
  }

  /** How many answers were taken over from which run. */
  taken(): readonly TakenAnswers[] {
    return [...this.#counts].flatMap(([kind, answers]) => {
      const source = sourceOf(kind);
      return source === undefined ? [] : [{ source, answers }];
    });
  }

  #ofAll(kind: string, what: string): readonly string[] {
    const count = this.#counts.get(kind);
    return count === undefined ? [] : [`${count} of ${this.#calls} replies ${what}`];
  }

  #ended(): readonly string[] {
    const count = this.#counts.get(noCall);
    return count === undefined
      ? []
      : [`${count} ${count === 1 ? "task" : "tasks"} ended after 10 requests without a tool call (${noCall})`];
  }
}

function add(counts: Map<string, number>, kind: string, count: number): void {
  const sum = (counts.get(kind) ?? 0) + count;
  if (sum > 0) counts.set(kind, sum);
  else counts.delete(kind);
}

const adjustments: Readonly<Record<Adjustment, string>> = {
  "stop-applied-here": "applied stop strings to its thinking: they were applied here instead",
  "calls-read-from-text": "wrote tool calls as text: they were read from it",
  "calls-read-from-function-call": "sent tool calls as `function_call`: they were read from it",
  "call-arguments-were-an-object": "sent the arguments of tool calls as objects: they were written out",
  "tools-in-prompt": "was offered the tools in its prompt (`tools: text`)",
  "thinking-handed-back": "got its thinking back with its tool calls (`reasoning: keep`)",
  "asked-by-responses": "was asked by the Responses protocol (`api: responses`)",
  "asked-by-messages": "was asked by the Messages protocol (`api: messages`)",
  "max-tokens-by-default":
    "got a limit of 8,192 tokens a reply, as the Messages protocol requires one (`maxTokens` sets it)",
  "thinking-not-taken-back": "does not take its thinking back (`reasoning: drop`)",
};

function adjustedText(kind: string): string {
  const [adjustment, ...model] = kind.split(":");
  return `${model.join(":")} ${adjustments[adjustment as Adjustment] ?? adjustment}`;
}

function answeredText(kind: string): string {
  const [asked, ...model] = kind.split(" ");
  return `${asked} was answered by ${model.join(" ")}`;
}
