/** Playing one task: the strategy's steps are recorded, the outcome is scored, failures of the world become events. */
import { ask } from "./ask.ts";
import { Meter, RunLimitProblem } from "./budget.ts";
import { rewriteFor } from "./fork.ts";
import type { Log } from "../log/log.ts";
import { failureOf, Problem } from "../problem.ts";
import { randomFrom } from "../statistics/random.ts";
import { Recorder } from "../log/recorder.ts";
import type { Play, Strategy } from "../strategy.ts";
import type { Bench } from "../suite.ts";
import type { Failure, FailureKind, Message, Model, Outcome, Role, RunSpec, Step, Task } from "../types.ts";

export type Stage = {
  readonly spec: RunSpec;
  readonly bench: Bench;
  readonly strategy: Strategy;
  /** Tasks demonstrations are drawn from. */
  readonly pool: readonly Task[];
  readonly model: (name: string) => Model;
  readonly log: Log;
  readonly runMeter: Meter;
};

/** Kinds of failure after which what was answered so far is still scored: the strategy had its chance. */
const scoredAnyway: readonly FailureKind[] = ["parse", "budget", "timeout", "tool"];

/** Resolves to the failure that ended the task, if any, with the thrown value it came from. Rejects only where the log does. */
export async function playTask(
  stage: Stage,
  task: Task,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<{ readonly failure: Failure; readonly thrown: unknown } | undefined> {
  recorder.start(task.facets, task.question);
  const meter = new Meter(stage.spec.budget.task, "task");
  let play: Play;
  try {
    play = playOf(stage, task, signal);
  } catch (thrown) {
    const failure = failureOf(thrown);
    recorder.fail(failure);
    return { failure, thrown };
  }
  let ended: { failure: Failure; thrown: unknown } | undefined;
  try {
    for await (const step of stage.strategy.run(play)) take(step, stage, meter, recorder);
  } catch (thrown) {
    ended = { thrown, failure: whyEnded(thrown, play.signal, signal) };
  }
  if (ended !== undefined && !scoredAnyway.includes(ended.failure.kind)) {
    recorder.fail(ended.failure);
    return ended;
  }
  const problem = await scoreTask(stage, task, recorder, play, ended?.failure);
  if (problem === undefined && ended !== undefined) recorder.fail(ended.failure);
  return problem ?? ended;
}

function take(step: Step, stage: Stage, meter: Meter, recorder: Recorder): void {
  if (step.type === "prompt") {
    meter.check();
    stage.runMeter.check();
  }
  const price = step.type === "usage" ? priceOf(step.request, stage, recorder) : undefined;
  recorder.take(step);
  meter.take(step, price);
  stage.runMeter.take(step, price);
}

function priceOf(request: number, stage: Stage, recorder: Recorder): Model["price"] {
  const prompt = recorder.events.findLast((event) => event.type === "prompt" && event.request === request);
  return prompt?.type === "prompt" ? stage.model(prompt.model).price : undefined;
}

async function scoreTask(
  stage: Stage,
  task: Task,
  recorder: Recorder,
  play: Play,
  failure: Failure | undefined,
): Promise<{ failure: Failure; thrown: unknown } | undefined> {
  const { spec, bench } = stage;
  const askJudge = async (name: string, messages: readonly Message[]): Promise<string> => {
    const steps = ask(play, { role: "judge", stage: name, messages });
    for (let next = await steps.next(); ; next = await steps.next()) {
      if (next.done === true) return next.value.text;
      recorder.take(next.value);
      stage.runMeter.take(
        next.value,
        next.value.type === "usage" ? priceOf(next.value.request, stage, recorder) : undefined,
      );
    }
  };
  const judge = spec.judge === undefined ? {} : { ask: askJudge };
  try {
    const score = await bench.score(task, outcomeOf(recorder, failure), { spec, signal: play.signal, ...judge });
    recorder.score(score, bench.suite.revision);
    return undefined;
  } catch (thrown) {
    const { kind, message } = whyEnded(thrown, play.signal, play.signal);
    const scoring: Failure = kind === "model" ? { kind: "judge", message: `The judge: ${message}` } : { kind, message };
    recorder.fail(scoring);
    return { failure: scoring, thrown };
  }
}

/** What a scorer reads: the steps of a recorder (or of a saved log) and the last answer among them. */
export function outcomeOf(recorder: Pick<Recorder, "events">, failure: Failure | undefined): Outcome {
  const steps = recorder.events.filter(
    (event) => !["started", "scored", "failed"].includes(event.type),
  ) as unknown as Step[];
  const last = steps.findLast((step) => step.type === "answer");
  return { answer: last?.type === "answer" ? last.answer : undefined, steps, failure };
}

function playOf(stage: Stage, task: Task, signal: AbortSignal): Play {
  const { spec, bench, pool } = stage;
  const random = randomFrom(`${spec.seed} ${spec.trial} ${task.id}`);
  const seconds = spec.budget.task?.seconds;
  let request = 0;
  return {
    task,
    bench,
    spec,
    shots: spec.shots === 0 ? [] : bench.shots(task, spec.shots, pool, random),
    model: (role) => stage.model(modelName(spec, role)),
    random,
    ...(spec.fork === undefined ? {} : { rewrite: rewriteFor(spec.fork) }),
    signal: seconds === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    nextRequest: () => request++,
  };
}

function modelName(spec: RunSpec, role: Role): string {
  const name = role === "actor" ? (spec.actor ?? spec.model) : spec[role];
  if (name === undefined)
    throw new Problem(
      "model",
      `Expected a model for the role \`${role}\`; add \`${role}: ENDPOINT/MODEL\` to the run cell`,
    );
  return name;
}

/** An aborted request throws all kinds of errors; the signal says what it really was. */
function whyEnded(thrown: unknown, task: AbortSignal, run: AbortSignal): Failure {
  if (thrown instanceof RunLimitProblem) return failureOf(thrown);
  if (run.aborted && run !== task) return { kind: "stopped", message: "Stopped" };
  if (task.aborted) {
    if ((task.reason as Error | undefined)?.name === "TimeoutError")
      return { kind: "timeout", message: "The task's limit of seconds is used up" };
    return { kind: "stopped", message: "Stopped" };
  }
  return failureOf(thrown);
}
