/** Executing one task: the strategy's steps are recorded, the outcome is scored, failures of the world become events. */
import { ask } from "./ask.ts";
import { Meter, RunLimitProblem, TimeLimit } from "./budget.ts";
import { rewriteFor } from "./fork.ts";
import { requestRepetitions } from "./request-seed.ts";
import { EarlyEnd, ToolUse } from "./tool-use.ts";
import type { Log } from "../log/log.ts";
import { failureOf, Problem } from "../problem.ts";
import { unsentSettings } from "../run-settings.ts";
import { randomFrom } from "../statistics/random.ts";
import { Recorder } from "../log/recorder.ts";
import { servedContext, type TaskContext, type Strategy } from "../strategy.ts";
import type { LoadedSuite } from "../loaded-suite.ts";
import type { Clock } from "../work/clock.ts";
import type { Failure, FailureKind, Message, Model, Outcome, Role, RunSpec, Step, Task } from "../types.ts";

export type Execution = {
  readonly spec: RunSpec;
  readonly loaded: LoadedSuite;
  readonly strategy: Strategy;
  /** Tasks demonstrations are drawn from. */
  readonly pool: readonly Task[];
  readonly model: (name: string) => Model;
  readonly log: Log;
  readonly runMeter: Meter;
  readonly clock?: Clock;
};

/**
 * Kinds of failure after which what was answered so far is still scored: the strategy had its chance. Failures of the world
 * (`model`, `judge`, `tool`) are never among them.
 */
const scoredAnyway: readonly FailureKind[] = ["parse", "budget", "timeout", "context"];

/** Resolves to the failure that ended the task, if any, with the thrown value it came from. Rejects only where the log does. */
export async function executeTask(
  execution: Execution,
  task: Task,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  recorder.start(task.facets, task.question, unsentSettings(execution.spec));
  const limit = new TimeLimit(execution.spec.budget.task?.seconds, execution.clock);
  try {
    return await executeWithin(limit, execution, task, recorder, signal);
  } finally {
    limit.end();
  }
}

type Ended = { readonly failure: Failure; readonly thrown: unknown };

async function executeWithin(
  limit: TimeLimit,
  execution: Execution,
  task: Task,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  const meter = new Meter(execution.spec.budget.task, "task", execution.clock);
  let context: TaskContext;
  try {
    context = contextOf(execution, task, limit.within(signal));
  } catch (thrown) {
    const failure = failureOf(thrown);
    recorder.fail(failure);
    return { failure, thrown };
  }
  let ended: Ended | undefined;
  try {
    for await (const step of execution.strategy.run(servedContext(execution.strategy, context)))
      take(step, execution, meter, recorder);
  } catch (thrown) {
    if (thrown instanceof EarlyEnd) {
      recorder.take({ type: "note", kind: thrown.reason, text: thrown.message });
      recorder.take({ type: "note", kind: "end", text: thrown.reason });
    } else ended = { thrown, failure: whyEnded(thrown, context.signal, signal, recorder) };
  }
  if (ended !== undefined && !scoredAnyway.includes(ended.failure.kind)) {
    recorder.fail(ended.failure);
    return ended;
  }
  const problem = await scoreTask(execution, task, recorder, context, ended?.failure);
  if (problem === undefined && ended !== undefined) recorder.fail(ended.failure);
  return problem ?? ended;
}

function take(step: Step, execution: Execution, meter: Meter, recorder: Recorder): void {
  if (step.type === "prompt") {
    meter.check();
    execution.runMeter.check();
  }
  const price = step.type === "usage" ? priceOf(step.request, execution, recorder) : undefined;
  recorder.take(step);
  meter.take(step, price);
  execution.runMeter.take(step, price);
}

function priceOf(request: number, execution: Execution, recorder: Recorder): Model["price"] {
  const prompt = recorder.events.findLast((event) => event.type === "prompt" && event.request === request);
  return prompt?.type === "prompt" ? execution.model(prompt.model).price : undefined;
}

async function scoreTask(
  execution: Execution,
  task: Task,
  recorder: Recorder,
  context: TaskContext,
  failure: Failure | undefined,
): Promise<{ failure: Failure; thrown: unknown } | undefined> {
  const { spec, loaded } = execution;
  const askJudge = async (name: string, messages: readonly Message[]): Promise<string> => {
    const steps = ask(context, { role: "judge", stage: name, messages });
    for (let next = await steps.next(); ; next = await steps.next()) {
      if (next.done === true) return next.value.text;
      recorder.take(next.value);
      execution.runMeter.take(
        next.value,
        next.value.type === "usage" ? priceOf(next.value.request, execution, recorder) : undefined,
      );
    }
  };
  const judge = spec.judge === undefined ? {} : { ask: askJudge };
  try {
    const score = await loaded.score(task, outcomeOf(recorder, failure), { spec, signal: context.signal, ...judge });
    recorder.score(score, loaded.suite.revision);
    return undefined;
  } catch (thrown) {
    const { kind, message } = whyEnded(thrown, context.signal, context.signal, recorder);
    const scoring: Failure =
      kind === "model" || kind === "context" ? { kind: "judge", message: `The judge: ${message}` } : { kind, message };
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

function contextOf(execution: Execution, task: Task, signal: AbortSignal): TaskContext {
  const { spec, loaded, pool } = execution;
  const random = randomFrom(`${spec.seed} ${spec.trial} ${task.id}`);
  let request = 0;
  return {
    task,
    loaded,
    spec,
    shots: spec.shots === 0 ? [] : loaded.shots(task, spec.shots, pool, random),
    model: (role) => execution.model(modelName(spec, role)),
    random,
    ...(spec.fork === undefined ? {} : { rewrite: rewriteFor(spec.fork) }),
    signal,
    repetition: requestRepetitions(),
    toolUse: new ToolUse(),
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
function whyEnded(thrown: unknown, task: AbortSignal, run: AbortSignal, { events }: Pick<Recorder, "events">): Failure {
  if (thrown instanceof RunLimitProblem) return failureOf(thrown);
  if (run.aborted && run !== task) return { kind: "stopped", message: "Stopped" };
  if (task.aborted) {
    const last = events.at(-1);
    if ((task.reason as Error | undefined)?.name === "TimeoutError" && last?.type === "retry" && last.wait > 0)
      return { kind: "model", message: `The task's limit of seconds passed while its model was away: ${last.error}` };
    if ((task.reason as Error | undefined)?.name === "TimeoutError")
      return { kind: "timeout", message: "The task's limit of seconds is used up" };
    return { kind: "stopped", message: "Stopped" };
  }
  return failureOf(thrown);
}
