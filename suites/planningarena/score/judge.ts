/**
 * Requests a model's opinion on a plan (section 6.10), one question at a time. Opinions are separate from the verdicts of
 * rules.
 */
import { promptMessages, promptPair } from "../../../source/engine/settings/prompt-template.ts";
import type { ScoreContext, VerdictReading } from "../../../source/engine/loaded-suite.ts";
import { objectForm } from "../../../source/engine/protocol.ts";
import { field, parseJson } from "../../../source/engine/text/json-record.ts";
import { seedOf } from "../../../source/engine/statistics/random.ts";
import type { Json, Message, RunSpec } from "../../../source/engine/types.ts";
import { readObject } from "./transcript.ts";

const questions = [
  {
    name: "SC",
    stage: "judge-missing-steps",
    text: "Does the plan leave out a step without which the request is not fulfilled?",
  },
  { name: "SR", stage: "judge-redundant-steps", text: "Does the plan contain a step that the request does not need?" },
  {
    name: "PC",
    stage: "judge-parameters",
    text: "Does any step use a parameter or value that is invented, misused, or contradicts the request?",
  },
  {
    name: "OSC",
    stage: "judge-operations",
    text: "Does any step do something its tool or the screen does not offer, or go on after a failure as if it had worked?",
  },
  { name: "TR", stage: "judge-time", text: "Does any step use a date or time that does not follow from the request?" },
  {
    name: "TD",
    stage: "judge-dependencies",
    text: "Does any step ignore an earlier result it needs, use one that does not exist, or come too early?",
  },
] as const;

/** Number of requests per plan. */
export const judgings = questions.length;

const planMark = "The plan, with what its steps returned:\n";

/** The prompts of a question about a plan. */
const promptsOf = ({ stage, text }: (typeof questions)[number]) =>
  promptPair(stage, {
    role: "judge",
    system: "You review plans that carry out a person's request with tools. You are strict and fair.",
    user: `The request:\n{{request}}\n\n${planMark}{{plan}}\n\n${text}\nAnswer with one JSON object and nothing else: {"problem": true or false, "reason": "one sentence"}`,
  });

export const judgePrompts = questions.flatMap(promptsOf);

/** Returns the fingerprint of the prompts, so that verdicts by different prompts are distinguished. */
export function fingerprintOf({ judgePrompts: own = {} }: Pick<RunSpec, "judgePrompts">): string {
  const changed = Object.keys(own).length === 0 ? "" : JSON.stringify(own);
  return seedOf(questions.map(({ text }) => text).join("\n") + changed)
    .toString(16)
    .padStart(8, "0");
}

export type Opinion = Readonly<Record<string, boolean | undefined>>;

/** Returns true for each check without a problem, false for a check with a problem, undefined if the answer is unreadable. */
export async function judge(
  query: string,
  dialogue: readonly Json[],
  ask: NonNullable<ScoreContext["ask"]>,
  spec: Pick<RunSpec, "judgePrompts"> = {},
): Promise<Opinion> {
  const opinion: Record<string, boolean | undefined> = {};
  for (const question of questions)
    opinion[question.name] = readVerdict(
      await ask(question.stage, messagesFor(query, dialogue, question, spec), verdict),
    );
  return opinion;
}

const verdict: VerdictReading = {
  isReadable: (reply) => readVerdict(reply) !== undefined,
  form: objectForm("opinion", { problem: { type: "boolean" }, reason: { type: "string" } }),
};

function messagesFor(
  request: string,
  dialogue: readonly Json[],
  question: (typeof questions)[number],
  spec: Pick<RunSpec, "judgePrompts">,
): readonly Message[] {
  const plan = JSON.stringify(dialogue.filter((record) => field(record, "OrderSteps") !== undefined));
  return promptMessages(spec, promptsOf(question), { request, plan });
}

/** Reads the check and the dialogue from a judge's request; returns undefined for any other request. */
export function readJudgeQuestion(
  stage: string,
  messages: readonly Message[],
): { readonly check: (typeof questions)[number]["name"]; readonly dialogue: readonly Json[] } | undefined {
  const check = questions.find((question) => question.stage === stage)?.name;
  const text = messages.at(-1)?.content ?? "";
  const from = text.indexOf(planMark);
  if (check === undefined || from < 0) return undefined;
  const written = text.slice(from + planMark.length).split("\n")[0]!;
  const dialogue = parseJson(written);
  return Array.isArray(dialogue) ? { check, dialogue } : undefined;
}

/** Reads a verdict; an unreadable verdict is unknown, never "no problem". */
function readVerdict(reply: string): boolean | undefined {
  const problem = readObject(reply)?.["problem"];
  return typeof problem === "boolean" ? !problem : undefined;
}
