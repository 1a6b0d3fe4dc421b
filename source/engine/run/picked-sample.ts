/** Picks one of several answers to a task. The answers come from other trials, so no answer is requested again. */
import { type LoadedSuite, viewOf } from "../loaded-suite.ts";
import { pickedNote } from "../log/rows/row-notes.ts";
import { Problem } from "../problem.ts";
import { canonicalJson } from "../text/json-record.ts";
import { fit } from "../text/printable.ts";
import type { Json, Message, RunSpec, Score, Step, Task, ToolCall } from "../types.ts";
import type { TakenAnswer } from "./taken-answer.ts";

/**
 * The judge picks none of the answers. Its kind is not `judge`, because that kind means that the answer exists and only its
 * verdict is missing.
 */
export class UnreadPick extends Problem {
  constructor(answers: number, reply: string) {
    super("model", `Expected the judge to name one of ${answers} answers, got ${JSON.stringify(fit(reply, 160))}`);
  }
}

/** The answer of one trial. */
export type Sample = {
  /** The run that gave the answer. */
  readonly run: string;
  readonly answer: TakenAnswer;
  readonly score: Score | undefined;
};

/** The number of the picked sample, from 0, and the reason. */
export type PickedSample = { readonly index: number; readonly reason: string };

/** Kind of the note before the steps of a sample that is not picked. */
const sampleNote = "sample";

/** Characters of an answer that a note contains. */
const longestNoted = 200;

/**
 * Picks a sample. `ask` sends one request to the judge. Rejects with `UnreadPick` if the judge picks no answer in two replies.
 */
export async function pickedSample(
  { pick = "majority" }: Pick<RunSpec, "pick">,
  samples: readonly Sample[],
  { loaded, task }: { readonly loaded: LoadedSuite; readonly task: Task },
  ask: (messages: readonly Message[]) => Promise<string>,
): Promise<PickedSample> {
  if (pick === "oracle") return bestScored(samples);
  const answers = samples.map(({ answer }) => readAnswer(answer, loaded, task));
  return pick === "judge" ? namedByJudge(task, answers, ask) : mostFrequentAnswer(answers);
}

/** Returns the answer as the suite reads it: its plan, otherwise its text; undefined without an answer. */
function readAnswer({ steps }: TakenAnswer, loaded: LoadedSuite, task: Task): string | undefined {
  const answer = answerIn(steps);
  const asked = new Map<string, ToolCall>();
  const calls = steps.flatMap((step): readonly ToolCall[] => {
    if (step.type === "call") asked.set(step.call.id, step.call);
    return step.type === "result" ? [asked.get(step.callId) ?? []].flat() : [];
  });
  if (loaded.describe !== undefined) {
    const { plan } = viewOf(loaded, task, answer, calls);
    const lines = plan.flatMap((step) => [step.title, ...step.lines].map((line) => line.trim()));
    if (lines.length > 0) return lines.join("\n");
  }
  if (answer === undefined) return undefined;
  return typeof answer === "string" ? answer.trim() : canonicalJson(answer);
}

function answerIn(steps: readonly Step[]): Json | undefined {
  const last = steps.findLast((step) => step.type === "answer");
  return last?.type === "answer" ? last.answer : undefined;
}

/** Picks the most frequent answer, the first of equally frequent answers. Trials without an answer do not vote. */
function mostFrequentAnswer(answers: readonly (string | undefined)[]): PickedSample {
  const votes = Map.groupBy(
    answers.flatMap((answer, index) => (answer === undefined ? [] : [{ answer, index }])),
    ({ answer }) => answer,
  );
  const [first] = [...votes.values()].toSorted((one, other) => other.length - one.length);
  if (first === undefined) return { index: 0, reason: "no sample has an answer" };
  return { index: first[0]!.index, reason: `majority: ${first.length} of ${answers.length} answers are equal` };
}

/** Picks the best score, the first of equal scores. A missing score counts less than any score. */
function bestScored(samples: readonly Sample[]): PickedSample {
  const values = samples.map(({ score }) => score?.value ?? -1);
  const best = Math.max(...values);
  return { index: values.indexOf(best), reason: "oracle: the best score, which reads the answer key" };
}

async function namedByJudge(
  task: Task,
  answers: readonly (string | undefined)[],
  ask: (messages: readonly Message[]) => Promise<string>,
): Promise<PickedSample> {
  const listed = answers.map((answer, index) => `Answer ${index + 1}:\n${answer ?? "(none)"}`);
  const content = [
    `Here is a task, with ${answers.length} answers to it. Which answer is the best?`,
    `Task:\n${task.question}`,
    ...listed,
    "Reply with the number of the best answer, and nothing else.",
  ].join("\n\n");
  let reply = "";
  for (let times = 0; times < 2; times++) {
    reply = await ask([{ role: "user", content }]);
    const number = numberIn(reply);
    if (number >= 1 && number <= answers.length) return { index: number - 1, reason: "judge" };
  }
  throw new UnreadPick(answers.length, reply);
}

/** Returns the only number in a reply; NaN if there is no number, or several. */
function numberIn(reply: string): number {
  const numbers = new Set(reply.match(/\d+/g) ?? []);
  return numbers.size === 1 ? Number([...numbers][0]) : Number.NaN;
}

/**
 * Returns the steps of all samples as one attempt, so that its effort is the sum of theirs; the steps of the picked sample come
 * last and are scored. Plans and answers of the other samples are omitted, because an attempt has only one of each; a note names
 * their runs. Requests are numbered from `first`.
 */
export function pickedAnswer(samples: readonly Sample[], { index, reason }: PickedSample, first: number): TakenAnswer {
  const picked = samples[index]!.answer;
  const steps: Step[] = [];
  let request = first;
  const add = ({ steps: own, requests }: TakenAnswer) => {
    for (const step of own) {
      if ("request" in step) steps.push({ ...step, request: step.request + request });
      else if (step.type === "result" && step.asked !== undefined) steps.push({ ...step, asked: step.asked + request });
      else steps.push(step);
    }
    request += requests;
  };
  for (const [at, { run, answer }] of samples.entries()) {
    if (at === index) continue;
    const given = answerIn(answer.steps);
    const text = given === undefined ? "no answer" : typeof given === "string" ? given : JSON.stringify(given);
    steps.push(sampleStep(sampleNote, at, run, `Sample ${at + 1} of ${samples.length}: ${fit(text, longestNoted)}`));
    add({ ...answer, steps: answer.steps.filter(({ type }) => type !== "answer" && type !== "node") });
  }
  const said = `Sample ${index + 1} of ${samples.length} is picked by ${reason}`;
  steps.push(sampleStep(pickedNote, index, samples[index]!.run, said));
  const before = request;
  add(picked);
  const scored = picked.scored && [...Array.from({ length: before }, () => picked.scored![0]!), ...picked.scored];
  return { steps, requests: request, failure: picked.failure, ...(scored && { scored }) };
}

const sampleStep = (kind: string, index: number, run: string, text: string): Step => ({
  type: "note",
  kind,
  text,
  data: { sample: index + 1, run },
});

/** Returns the steps that are scored: those of the picked sample, otherwise all steps. */
export function scoredSteps(steps: readonly Step[]): readonly Step[] {
  const picked = steps.findLastIndex((step) => step.type === "note" && step.kind === pickedNote);
  return picked < 0 ? steps : steps.slice(picked + 1);
}
