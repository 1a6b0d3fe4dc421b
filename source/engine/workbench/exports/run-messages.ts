/** Conversations of runs as JSON Lines: a line for each request, or for each example to train a model on. */
import { jsonText } from "../../text/json-text.ts";
import type { Turn } from "../../log/trajectory.ts";
import { turnSeconds, type ExportedRun, type ExportedTask } from "./exported-run.ts";
import { isDeepStrictEqual } from "node:util";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Message, ToolCall, ToolSpec, Row } from "../../types.ts";
import type { JsonRecord } from "../../text/json-record.ts";

/** The requests of a task in the order they were made. */
export function messageLines(run: ExportedRun, { row, trajectory }: ExportedTask): readonly string[] {
  const turns = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn");
  return turns.map((turn) => {
    const { request, role, stage, model, messages, tools, text, thinking, calls, tokens, finish, retries } = turn;
    return `${jsonText({
      ...originOf(run, row),
      request,
      role,
      stage,
      model,
      messages,
      ...(tools.length === 0 ? {} : { tools }),
      reply: { text, ...(thinking === "" ? {} : { thinking }), ...(calls.length === 0 ? {} : { calls }) },
      finish,
      tokens,
      ...(retries.length === 0 ? {} : { retries }),
      ...(turn.saved === undefined ? {} : { saved: turn.saved }),
      startedAt: new Date(turn.from).toISOString(),
      seconds: turnSeconds(turn),
    })}\n`;
  });
}

/** A line of the file, and the line that says in another one where it is from: services refuse fields they do not know. */
type TrainingExample = { readonly example: string; readonly origin: string };

/**
 * The conversations a model of the strategy had (not the judge), of tasks whose answer is right; with `least`, of those that
 * score at least that much (0 to 1). A request that the next one goes on from is part of that one. Replies that are not whole
 * (cut, refused, filtered, empty) teach nothing and are left out, as are those taken over from another run.
 */
export function trainingExamples(
  run: ExportedRun,
  { row, trajectory }: ExportedTask,
  least: number | undefined,
): readonly TrainingExample[] {
  const { state, score } = row;
  if (state !== "scored" || score?.value === undefined) return [];
  if (least === undefined ? verdictOf(score) !== "right" : score.value < least) return [];
  const turns = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn" && entry.role !== "judge");
  const examples = turns.map(({ messages, text, calls }) =>
    [...messages, { role: "assistant", content: text, calls } as const].map(chatMessage),
  );
  return turns.flatMap((turn, index) => {
    if (!isWhole(turn) || continues(examples[index]!, examples[index + 1])) return [];
    const offered = turn.tools.length === 0 ? {} : { tools: turn.tools.map(chatTool) };
    const { request, role, stage, model } = turn;
    const origin = { ...originOf(run, row), request, role, stage, model, score: score.value };
    return [{ example: line({ messages: examples[index], ...offered }), origin: line(origin) }];
  });
}

const line = (value: object): string => `${jsonText(value)}\n`;

function isWhole({ finish, text, calls, saved }: Turn): boolean {
  return saved === undefined && (finish === "stop" || finish === "tool_calls") && (text !== "" || calls.length > 0);
}

/** True where the second conversation begins with all of the first. */
function continues(first: readonly ChatMessage[], second: readonly ChatMessage[] | undefined): boolean {
  if (second === undefined || second.length <= first.length) return false;
  return first.every((message, index) => isDeepStrictEqual(message, second[index]));
}

type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

type ChatCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

function chatMessage(message: Message): ChatMessage {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return message;
  const { content, calls = [] } = message;
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }) };
}

function chatCall({ id, name, text }: ToolCall): ChatCall {
  return { id, type: "function", function: { name, arguments: text } };
}

export function chatTool({ name, description, parameters }: ToolSpec): unknown {
  return { type: "function", function: { name, description, parameters } };
}

/** The task, and of its run what a reader tells runs apart by; all of its settings are in the rows. */
function originOf({ run, cell, label, readsAnswerKey, spec }: ExportedRun, { task }: Row): JsonRecord {
  const { suite, split, data, dataset, strategy, trial } = spec;
  const own = dataset === undefined ? {} : { dataset };
  return { run, cell, label, readsAnswerKey, suite, split, data, ...own, strategy, trial, task };
}
