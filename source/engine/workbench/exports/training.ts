/** Replies of runs as examples to train a model on: JSON Lines of messages, as fine-tuning services and trainers read them. */
import { isDeepStrictEqual } from "node:util";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Turn } from "../../log/trajectory.ts";
import { jsonText } from "../../text/json-text.ts";
import { chatMessage, type ChatMessage, chatTool } from "./chat-message.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";
import { originOf } from "./line-origin.ts";

/** A line of the file, and the line that says in another one where it is from: services refuse fields they do not know. */
export type TrainingExample = { readonly example: string; readonly origin: string };

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
