/**
 * Warnings about the replies of a run, counted over all rows. They prevent a run from being mistaken for a run at a temperature
 * that its model never received, or with complete replies.
 */
import { type Adjustment, modelSettings, type LeftOut, settingNamed, unsentSettings } from "../../run-settings.ts";
import { counted } from "../../text/counted.ts";
import type { Chunk, NoteKind, Row, RowNote, RunSpec } from "../../types.ts";
import { lackingText, type TakenAnswers, takenText, noteName, otherTasks, repliesOf } from "./row-notes.ts";

type Finish = Extract<Chunk, { type: "finish" }>;

const incomplete = ["cut", "filtered", "refused", "empty"] as const;
const noCall = "no-tool-call";
/** Kind of the note of a fork that calls a tool server without its earlier calls. */
export const unmadeNote = "calls-not-repeated";

/** Returns the notes that a finished reply adds to its row. `model` was called; `hasAnswer` is true if text or a call arrived. */
export function replyNotes(finish: Finish, model: string, hasAnswer: boolean): readonly NoteKind[] {
  const notes: NoteKind[] = [
    ...(finish.without ?? []).map((field) => ({ type: "without", field, model }) as const),
    ...(finish.adjusted ?? []).map((adjustment) => ({ type: "adjusted", adjustment, model }) as const),
  ];
  if (finish.model !== undefined) notes.push({ type: "answered", model, by: finish.model });
  if (finish.reason === "length") notes.push({ type: "reply", how: "cut" });
  else if (finish.reason === "content_filter") notes.push({ type: "reply", how: "filtered" });
  else if (finish.reason === "refusal") notes.push({ type: "reply", how: "refused" });
  else if (!hasAnswer) notes.push({ type: "reply", how: "empty" });
  return notes;
}

/** True if a row has a reply that was truncated, filtered, refused or empty. */
export const isIncomplete = (row: Row): boolean => incomplete.some((how) => repliesOf(row, how) > 0);

/** The notes of all rows as stored beside a log. */
export type SavedNotes = {
  readonly notes: readonly RowNote[];
  readonly sent: readonly (readonly [string, number])[];
  readonly calls: number;
};

/** Note counts of a run, updated when rows change, because a run may have a hundred thousand rows. */
export class RunNotes {
  #notes = new Map<string, RowNote>();
  /** Number of rows that sent a setting absent from the run's cell, as version 0.1.0 did. */
  #sent = new Map<string, number>();
  #calls = 0;

  /** `spec` is that of the run when the row was made; the same `spec` is required to remove the row. */
  add(row: Row, spec: RunSpec | undefined, sign: 1 | -1 = 1): void {
    this.#calls += sign * row.counted.calls;
    for (const note of row.notes) {
      const name = noteName(note);
      const times = (this.#notes.get(name)?.times ?? 0) + sign * note.times;
      if (times > 0) this.#notes.set(name, { ...note, times });
      else this.#notes.delete(name);
    }
    for (const setting of sentUnset(row, spec)) {
      const rows = (this.#sent.get(setting) ?? 0) + sign;
      if (rows > 0) this.#sent.set(setting, rows);
      else this.#sent.delete(setting);
    }
  }

  saved(): SavedNotes {
    return { notes: [...this.#notes.values()], sent: [...this.#sent], calls: this.#calls };
  }

  restore({ notes, sent, calls }: SavedNotes): void {
    this.#notes = new Map(notes.map((note) => [noteName(note), note]));
    this.#sent = new Map(sent);
    this.#calls = calls;
  }

  warnings(spec: RunSpec | undefined): readonly string[] {
    return [
      ...this.taken()
        .filter(({ source }) => source.scoring !== otherTasks)
        .map(takenText),
      ...[...this.#sent.keys()].map(
        (name) =>
          `${name} ${String(settingNamed(name)?.default)} was sent although no value was set, because Planwright 0.1.0 began the run`,
      ),
      ...this.#of("without").map(({ field, model }) => `${model} ${leftOutText(field, spec)}`),
      ...this.#of("adjusted").map(({ adjustment, model }) => `${model} ${adjustments[adjustment] ?? adjustment}`),
      ...this.#of("answered").map(({ model, by }) => `requests to ${model} were answered by ${by}`),
      ...this.#replies("cut", "cut at maxTokens or at the context limit"),
      ...this.#replies("filtered", "cut by a content filter"),
      ...this.#replies("refused", "refused by the model"),
      ...this.#replies("empty", "empty"),
      ...this.#of("note").flatMap(({ kind, times }) =>
        kind === noCall
          ? [
              `${times} ${times === 1 ? "task" : "tasks"} ended after 10 requests in a row without a readable action (${noCall})`,
            ]
          : (lackingText(kind, times) ?? repeatedText(kind, times) ?? []),
      ),
      ...this.#replies("cached", "taken from the cache; figures omit the seconds of their tasks"),
    ];
  }

  /** Returns the number of answers reused from each run. */
  taken(): readonly TakenAnswers[] {
    return this.#of("answer-from").map(({ run, judge, scoring, times }) => ({
      source: { run, judge, ...(scoring !== undefined && { scoring }) },
      answers: times,
    }));
  }

  #of<Type extends RowNote["type"]>(type: Type): readonly Extract<RowNote, { readonly type: Type }>[] {
    return [...this.#notes.values()].filter(
      (note): note is Extract<RowNote, { readonly type: Type }> => note.type === type,
    );
  }

  #replies(how: Extract<NoteKind, { readonly type: "reply" }>["how"], what: string): readonly string[] {
    return this.#of("reply").flatMap((note) =>
      note.how === how ? [`${note.times} of ${this.#calls} ${this.#calls === 1 ? "reply" : "replies"} ${what}`] : [],
    );
  }
}

/** Describes how often a request or a search gave no new result; undefined for notes of other kinds. */
function repeatedText(kind: string, times: number): string | undefined {
  if (kind === "same-reply") return `${counted(times, "request")} sent again at temperature 0 got the same reply`;
  if (kind === unmadeNote)
    return `${counted(times, "forked task")} called a tool server without the calls made before the fork, because these are not repeated`;
  if (kind !== "equal-children") return undefined;
  return `The search tree of ${counted(times, "task")} has only identical children: the search tried nothing new`;
}

/** Returns the settings that version 0.1.0 sent with a row's requests although the run's cell did not set them. */
function sentUnset({ counted, notes }: Row, spec: RunSpec | undefined): readonly string[] {
  if (counted.calls === 0 || spec === undefined || !asksServer(spec)) return [];
  return unsentSettings(spec).filter((name) => !notes.some((note) => note.type === "unset" && note.setting === name));
}

const asksServer = (spec: RunSpec): boolean =>
  modelSettings.some((role) => spec[role] !== undefined && !/^(none$|builtin\/)/.test(spec[role]));

function leftOutText(name: LeftOut, spec: RunSpec | undefined): string {
  switch (name) {
    case "seed":
      return `does not accept \`seed\`; ${spec?.seed} was not sent`;
    case "stop":
      return "does not accept `stop`; Planwright cut replies at the stop strings";
    case "max_tokens":
      return "does not accept `max_tokens`; `max_completion_tokens` was sent";
    case "maxTokens":
      return `does not accept \`maxTokens\`; its own limit applied, not ${spec?.maxTokens}`;
    case "stream_options":
      return "does not accept `stream_options`; tokens may be estimates";
    case "system":
      return "does not accept system messages; they were added to the first user message";
    case "format":
      return "does not accept `response_format`; only the prompt requested the format";
    case "limits":
      return "does not accept limits in the schema of replies; only the prompt contained them";
    case "store":
      return "does not accept `store`; its provider decides whether replies are kept";
    case "include":
      return "does not accept `include`; its thinking is returned without the encrypted part";
    default:
      return `does not accept \`${name}\`; its own default was used, not ${spec?.[name]}`;
  }
}

const adjustments: Readonly<Record<Adjustment, string>> = {
  "stop-applied-here": "applied stop strings to its thinking, so Planwright applied them instead",
  "calls-read-from-text": "wrote tool calls as text, from which they were read",
  "calls-read-from-function-call": "sent tool calls as `function_call`, from which they were read",
  "call-arguments-were-an-object": "sent the arguments of tool calls as objects, which were converted to text",
  "tools-in-prompt": "was offered the tools in its prompt (`tools: text`)",
  "thinking-handed-back": "received its earlier thinking with its tool calls (`reasoning: keep`)",
  "arguments-not-sent-back":
    "rejects call arguments that are not a JSON object, so such arguments were sent back to it as `{}`",
  "asked-by-responses": "received requests in the Responses protocol (`api: responses`)",
  "asked-by-messages": "received requests in the Messages protocol (`api: messages`)",
  "max-tokens-by-default":
    "got a limit of 8,192 tokens per reply, because the Messages protocol requires one (`maxTokens` sets it)",
  "thinking-not-taken-back": "does not accept its earlier thinking (`reasoning: drop`)",
};
