/** Writes conversations of runs as JSON Lines: one line per request, or per example for training a model. */
import { jsonText } from "../../text/json-text.ts";
import type { Turn } from "../../log/trajectory.ts";
import { turnSeconds, type ExportedRun, type ExportedTask } from "./exported-run.ts";
import { isDeepStrictEqual } from "node:util";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Message, ToolCall, ToolSpec, Row } from "../../types.ts";
import { filledList } from "../../text/json-record.ts";

/** Returns the requests of a task in the order they were made. */
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
      tools: filledList(tools),
      reply: { text, thinking: thinking || undefined, calls: filledList(calls) },
      finish,
      tokens,
      retries: filledList(retries),
      saved: turn.saved,
      startedAt: new Date(turn.from).toISOString(),
      seconds: turnSeconds(turn),
    })}\n`;
  });
}

/**
 * Returns conversations of the strategy's models (not the judge's) in correctly answered tasks; with `least`, in tasks with at
 * least that score (0 to 1). A request that the next request continues is part of that conversation. Incomplete replies
 * (truncated, refused, filtered, empty) and replies reused from another run are omitted. Each conversation is a line of the file,
 * and its origin a line of another file, because services reject unknown fields.
 */
export function trainingExamples(run: ExportedRun, { row, trajectory }: ExportedTask, least: number | undefined) {
  const { state, score } = row;
  if (state !== "scored" || score?.value === undefined) return [];
  if (least === undefined ? verdictOf(score) !== "right" : score.value < least) return [];
  const turns = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn" && entry.role !== "judge");
  const examples = turns.map(({ messages, text, calls }) =>
    [...messages, { role: "assistant", content: text, calls } as const].map(chatMessage),
  );
  return turns.flatMap((turn, index) => {
    if (!isWhole(turn) || continues(examples[index]!, examples[index + 1])) return [];
    const { request, role, stage, model, tools } = turn;
    const origin = { ...originOf(run, row), request, role, stage, model, score: score.value };
    return [
      { example: line({ messages: examples[index], tools: filledList(tools.map(chatTool)) }), origin: line(origin) },
    ];
  });
}

const line = (value: object): string => `${jsonText(value)}\n`;

const isWhole = ({ finish, text, calls, saved }: Turn): boolean =>
  saved === undefined && (finish === "stop" || finish === "tool_calls") && (text !== "" || calls.length > 0);

/** Returns true if the second conversation begins with all messages of the first. */
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

/** Returns the task and the settings that distinguish its run; the rows contain all settings. */
function originOf({ run, cell, label, readsAnswerKey, spec }: ExportedRun, { task }: Row) {
  const { suite, split, data, dataset, strategy, trial } = spec;
  return { run, cell, label, readsAnswerKey, suite, split, data, dataset, strategy, trial, task };
}
