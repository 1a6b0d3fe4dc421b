/** The suite's fixed stages, one request each: directly (`direct`) or with a chain of thought (`cot`). */
import { ask } from "../run/ask.ts";
import { lackingNote } from "../log/rows/row-notes.ts";
import { Problem } from "../problem.ts";
import { perfectReply } from "../loaded-suite.ts";
import type { Estimate, TaskContext, Strategy } from "../strategy.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Reasoning, Stage } from "../protocol.ts";
import type { Json, Message, Step } from "../types.ts";

/** The answer of a staged strategy: the output of the last stage, and of every stage by name. */
export type StagedAnswer = { readonly output: string; readonly stages: { readonly [stage: string]: string } };

/** Returns the output of the last stage; empty without an answer. */
export function stagedOutput(answer: Json | undefined): string {
  if (typeof answer === "string") return answer;
  const staged = answer as Partial<StagedAnswer> | undefined | null;
  return typeof staged?.output === "string" ? staged.output : "";
}

/** Answers a stage; undefined gives up. */
type Answering = (stage: Stage, messages: readonly Message[]) => AsyncGenerator<Step, string | undefined>;

/**
 * Sends the requests of a task's stages in order, each with the answers to earlier stages. Ends without an answer if a stage is
 * given up.
 */
export async function* inStages(
  context: TaskContext<"stages">,
  reasoning: Reasoning,
  answering: Answering,
): AsyncGenerator<Step, void> {
  const previous: string[] = [];
  const stages: Record<string, string> = {};
  const all = stagesOf(context);
  for (const stage of all) {
    const messages = stage.messages(previous, reasoning);
    const reply = yield* answering(stage, messages);
    if (reply === undefined) {
      yield { type: "note", kind: "end", text: "gave up" };
      return;
    }
    const answer = stage.answer?.(reply, reasoning) ?? reply;
    previous.push(answer);
    stages[stage.name] = answer;
    const staged: StagedAnswer = { output: answer, stages: { ...stages } };
    if (stage.usable?.(answer) === false) {
      yield { type: "answer", answer: { ...staged, output: "" } satisfies Json };
      if (stage.lacking !== undefined) {
        const text = `The answer to stage \`${stage.name}\` names no ${stage.lacking}`;
        yield { type: "note", kind: lackingNote(stage.name, stage.lacking), text };
      }
      throw new Problem("parse", `Nothing could be read from the answer to stage \`${stage.name}\``);
    }
    if (previous.length === all.length) yield { type: "answer", answer: staged satisfies Json };
  }
}

function byModel(context: TaskContext): Answering {
  return async function* ({ name, form }, messages) {
    const { text } = yield* ask(context, { role: "model", stage: name, messages, form });
    return text;
  };
}

type Staged = Pick<TaskContext<"stages">, "loaded" | "task" | "spec" | "shots">;

const stagesOf = ({ loaded, task, spec, shots }: Staged) => loaded.asks.stages(task, spec, shots);

/** Renders prompts with the oracle's replies to earlier stages, and assumes that replies are as long as the oracle's. */
function estimate(context: Staged): Estimate {
  let input = 0;
  let output = 0;
  const previous: string[] = [];
  const stages = stagesOf(context);
  for (const stage of stages) {
    const messages = stage.messages(previous, "none");
    for (const message of messages) input += tokensOf(message.content) + 4;
    const asked = { role: "model", stage: stage.name, messages, tools: [], spec: context.spec } as const;
    const reply = perfectReply(context.loaded, context.task, asked).text;
    previous.push(reply);
    output += tokensOf(reply);
  }
  return { calls: stages.length, input, output };
}

export const direct: Strategy<"stages"> = {
  name: "direct",
  title: "Direct",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  usesShots: true,
  run: (context) => inStages(context, "none", byModel(context)),
  estimate,
};

export const cot: Strategy<"stages"> = {
  name: "cot",
  title: "Chain of thought",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  usesShots: true,
  run: (context) => inStages(context, "steps", byModel(context)),
  estimate: (context) => {
    const plain = estimate(context);
    return { ...plain, output: plain.output * 3 };
  },
};
