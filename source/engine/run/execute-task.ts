/** Executes one task: records the strategy's steps, scores the outcome, and turns external failures into events. */
import { ask, equalReplies, requestRepetitions } from "./ask.ts";
import type { CachedReplies } from "./cached-replies.ts";
import { Meter, RunLimitProblem, TimeLimit } from "./budget.ts";
import { roleModels } from "./run-models.ts";
import { askedTask } from "./fork-point.ts";
import { othersOf, solutionOf } from "./solutions.ts";
import { failureOf, Problem } from "../problem.ts";
import { unsentSettings } from "../run-settings.ts";
import { renamedNote, variedNames, withOwnTools } from "../settings/varied-names.ts";
import { variedTask } from "../settings/varied.ts";
import { randomFrom } from "../statistics/random.ts";
import { isScoredAnyway } from "../log/rows/cause.ts";
import { scoredTwice } from "./unwrapped-score.ts";
import { scoreByJudges } from "./judges.ts";
import type { TaskHold } from "./task-hold.ts";
import { Verdicts } from "./verdicts.ts";
import { Recorder } from "../log/recorder.ts";
import { type ForkedStart, RepeatedTask, repeatedReplies, type SavedRequest, rewriteFor } from "./saved-replies.ts";
import { pickedAnswer, pickedSample, type Sample, scoredSteps } from "./picked-sample.ts";
import type { TakenAnswer } from "./taken-answer.ts";
import { servedContext, type TaskContext, type Strategy } from "../strategy.ts";
import type { LoadedSuite } from "../loaded-suite.ts";
import type { AgentProgram, Environment, ReplyForm } from "../protocol.ts";
import type { Clock } from "../work/clock.ts";
import type { Facets, Failure, Message, Model, Role, RunSpec, Step, Task, TaskEvent } from "../types.ts";

export type Execution = {
  readonly spec: RunSpec;
  readonly loaded: LoadedSuite;
  readonly strategy: Strategy;
  /** Tasks that demonstrations are drawn from. */
  readonly pool: readonly Task[];
  readonly model: (name: string) => Model;
  readonly runMeter: Pick<Meter, "check" | "take">;
  readonly clock?: Clock;
  /** Replies of interrupted attempts, by task, which are not requested again. */
  readonly interrupted?: ReadonlyMap<string, readonly SavedRequest[]>;
  /** Returns what a fork repeats from its original run. Throws `Problem` if the original run no longer has the request. */
  readonly forked?: (task: string) => ForkedStart;
  /** Returns a saved run's answer to a task, which is then only scored; undefined if models must be asked. */
  readonly taken?: (task: string) => TakenAnswer | undefined;
  /** Returns the answers among which the run picks one. If absent, the run requests its own answers. */
  readonly samples?: (task: string) => readonly Sample[];
  /** Plans of solved tasks, to which each solved task adds its plan; absent if no strategy learns from them. */
  readonly solutions?: Map<string, readonly string[]>;
  /** Opens the user's agents by name. Absent if there are none. */
  readonly agent?: ((name: string) => Promise<AgentProgram>) | undefined;
  /** Pauses the task's requests; absent if requests cannot be paused. */
  readonly hold?: TaskHold;
  /** Cache of replies. Absent: caching is off. */
  readonly cache?: CachedReplies | undefined;
};

/** Resolves to the failure that ended the task, if any, with the thrown value that caused it. Rejects only if the log does. */
export async function executeTask(execution: Execution, task: Task, recorder: Recorder, signal: AbortSignal) {
  // Read before the attempt begins, because the answer may be in the last attempt of this very run.
  const taken = execution.taken?.(task.id);
  recorder.start(task.facets, wordsOf(execution, task), unsentSettings(execution.spec));
  const { hold } = execution;
  const limit = new TimeLimit(execution.spec.budget.task?.seconds, execution.clock, () => hold?.held ?? 0);
  const opened: Attempt["opened"] = [];
  try {
    return await executeWithin({ ...execution, opened }, limit, task, taken, recorder, signal);
  } finally {
    limit.end();
    await Promise.all(opened.map((environment) => environment.close?.()));
  }
}

/** The execution of one task; its opened environments are closed at the end. */
type Attempt = Execution & { readonly opened: Pick<Environment, "close">[] };

/** `scored`: the task ended early, and its answers so far were scored. */
export type Ended = { readonly failure: Failure; readonly thrown: unknown; readonly scored: boolean };

async function executeWithin(
  execution: Attempt,
  limit: TimeLimit,
  task: Task,
  taken: TakenAnswer | undefined,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  const meter = new Meter(execution.spec.budget.task, "task", execution.hold?.clock ?? execution.clock);
  let context: TaskContext;
  try {
    context = contextOf(execution, task, limit.within(signal), taken);
    if (taken !== undefined) execution.runMeter.check();
  } catch (thrown) {
    const failure = failureOf(thrown);
    recorder.fail(failure);
    return { failure, thrown, scored: false };
  }
  if (taken !== undefined) {
    for (const step of taken.steps) recorder.take(step);
    return scoreAsEnded(execution, task, recorder, context, endedBy(taken.failure));
  }
  if (execution.samples !== undefined)
    return executePicked(execution, execution.samples(task.id), task, recorder, context);
  let ended: Ended | undefined;
  try {
    for await (const step of execution.strategy.run(servedContext(execution.strategy, context)))
      take(step, execution, meter, recorder);
  } catch (thrown) {
    if (thrown instanceof EarlyEnd) {
      recorder.take({ type: "note", kind: thrown.reason, text: thrown.message });
      recorder.take({ type: "note", kind: "end", text: thrown.reason });
    } else ended = { thrown, failure: whyEnded(thrown, context.signal, signal, recorder), scored: false };
  }
  if (ended !== undefined && !isScoredAnyway(ended.failure)) {
    recorder.fail(ended.failure);
    return ended;
  }
  return scoreAsEnded(execution, task, recorder, context, ended);
}

/** Picks one of the samples, with at most a request to the judge, and scores it. */
async function executePicked(
  execution: Execution,
  samples: readonly Sample[],
  task: Task,
  recorder: Recorder,
  context: TaskContext,
): Promise<Ended | undefined> {
  let requests = 0;
  const numbered = { ...context, nextRequest: () => requests++ };
  let answer: TakenAnswer;
  try {
    execution.runMeter.check();
    const askJudge = asking(execution, numbered, execution.spec.judge, recorder);
    const picked = await pickedSample(execution.spec, samples, { loaded: execution.loaded, task }, (messages) =>
      askJudge("pick", messages, undefined),
    );
    answer = pickedAnswer(samples, picked, requests);
  } catch (thrown) {
    const failure = whyEnded(thrown, context.signal, context.signal, recorder);
    recorder.fail(failure);
    return { failure, thrown, scored: false };
  }
  for (const step of answer.steps) recorder.take(step);
  requests = answer.requests;
  const { saved: _, ...own } = numbered;
  const scoring = answer.scored === undefined ? own : { ...own, saved: repeatedReplies(answer.scored) };
  return scoreAsEnded(execution, task, recorder, scoring, endedBy(answer.failure));
}

const endedBy = (failure: Failure | undefined): Ended | undefined =>
  failure === undefined ? undefined : { failure, thrown: undefined, scored: false };

/** Scores a task on its answer so far, and records why it ended early. */
async function scoreAsEnded(
  execution: Execution,
  task: Task,
  recorder: Recorder,
  context: TaskContext,
  ended: Ended | undefined,
): Promise<Ended | undefined> {
  const problem = await scoreTask(execution, task, recorder, context, ended?.failure);
  if (problem !== undefined || ended === undefined) return problem;
  recorder.fail(ended.failure);
  return { ...ended, scored: true };
}

function take(step: Step, execution: Execution, meter: Meter, recorder: Recorder): void {
  if (step.type === "prompt") {
    meter.check();
    if (step.saved === undefined) execution.runMeter.check();
  }
  meter.take(step, record(step, execution, recorder));
}

/** Logs a step, and counts it for the run if it was sent. Returns the price of its request. */
function record(step: Step, execution: Execution, recorder: Recorder): Model["price"] {
  const prompt = "request" in step ? promptOf(step, recorder) : undefined;
  const price = step.type === "usage" && prompt !== undefined ? priceOf(execution, prompt) : undefined;
  recorder.take(step);
  if (prompt !== undefined && prompt.saved === undefined) execution.runMeter.take(step, price);
  return price;
}

/**
 * Returns the price of a model; undefined for another run's model, whose reply a fork repeats, because that model may no longer
 * exist.
 */
const priceOf = ({ spec, model }: Execution, prompt: Prompt): Model["price"] =>
  roleModels(spec).includes(prompt.model) ? model(prompt.model).price : undefined;

/** Returns the prompt of the request that a step belongs to. */
function promptOf(step: Step & { readonly request: number }, recorder: Recorder): Prompt | undefined {
  if (step.type === "prompt") return step;
  // Pieces of text and thinking are frequent and have no measurements.
  if (step.type === "text" || step.type === "thinking") return undefined;
  return recorder.stream.prompt(step.request);
}

type Prompt = Extract<Step, { readonly type: "prompt" }>;

/** Returns a function that sends a request to a judge and resolves to its reply. */
function asking(execution: Execution, context: TaskContext, judge: string | undefined, recorder: Recorder) {
  const own = { ...context, ...(judge !== undefined && { model: () => execution.model(judge) }) };
  return async (stage: string, messages: readonly Message[], form: ReplyForm | undefined): Promise<string> => {
    const steps = ask(own, { role: "judge", stage, messages, form });
    for (let next = await steps.next(); ; next = await steps.next()) {
      if (next.done === true) return next.value.text;
      record(next.value, execution, recorder);
    }
  };
}

async function scoreTask(
  execution: Execution,
  task: Task,
  recorder: Recorder,
  context: TaskContext,
  failure: Failure | undefined,
): Promise<Ended | undefined> {
  const { spec, loaded } = execution;
  const verdictsOf = (judge: string) => new Verdicts(spec, asking(execution, context, judge, recorder));
  try {
    const outcome = outcomeOf(recorder, failure);
    const { signal } = context;
    const score = await scoreByJudges(spec, verdictsOf, (byJudge) =>
      scoredTwice(loaded, variedTask(loaded, spec, askedTask(spec, task)), outcome, {
        spec,
        signal,
        ...(byJudge !== undefined && { ask: byJudge }),
      }),
    );
    recorder.score(score, loaded.suite.revision);
    const solution = solutionOf(recorder.events, score);
    if (solution !== undefined) execution.solutions?.set(task.id, solution);
    return undefined;
  } catch (thrown) {
    const { kind, message } = whyEnded(thrown, context.signal, context.signal, recorder);
    const scoring: Failure =
      kind === "model" || kind === "context" ? { kind: "judge", message: `The judge: ${message}` } : { kind, message };
    recorder.fail(scoring);
    return { failure: scoring, thrown, scored: false };
  }
}

/**
 * Returns the scorer's input: the last answer and the steps of a recorder or saved log (if samples were picked, only the steps of
 * the picked sample).
 */
export function outcomeOf({ events }: { readonly events: readonly TaskEvent[] }, failure: Failure | undefined) {
  const all = events.filter((event) => !["started", "scored", "failed"].includes(event.type)) as unknown as Step[];
  const isRenamed = all.some((step) => step.type === "note" && step.kind === renamedNote);
  const steps = isRenamed ? withOwnTools(scoredSteps(all)) : scoredSteps(all);
  const last = steps.findLast((step) => step.type === "answer");
  return { answer: last?.type === "answer" ? last.answer : undefined, steps, failure };
}

/** Returns the question in the words of this variant of the run; a task without these words fails when the question is needed. */
function wordsOf({ loaded, spec }: Execution, task: Task): string {
  try {
    return variedTask(loaded, spec, askedTask(spec, task)).question;
  } catch (thrown) {
    if (thrown instanceof Problem) return task.question;
    throw thrown;
  }
}

/** Returns the functions and data that the strategy may use. Request numbers continue after those of a reused answer. */
function contextOf(execution: Attempt, logged: Task, signal: AbortSignal, taken: TakenAnswer | undefined): TaskContext {
  const { spec, loaded, pool, cache, solutions, agent, hold } = execution;
  const task = variedTask(loaded, spec, askedTask(spec, logged));
  const names = variedNames(spec);
  const repeated = new RepeatedTask({
    forked: execution.forked?.(logged.id),
    cut: execution.interrupted?.get(logged.id),
  });
  const saved = taken === undefined ? repeated.saved : taken.scored && repeatedReplies(taken.scored);
  let request = taken?.requests ?? 0;
  const random = randomFrom(`${spec.seed} ${spec.trial} ${task.id}`);
  return {
    task,
    loaded,
    spec,
    shots: spec.shots === 0 ? [] : loaded.shots(task, spec.shots, pool, random),
    model: (role) => execution.model(modelName(spec, role)),
    random,
    ...(spec.fork === undefined ? {} : { rewrite: rewriteFor(spec.fork) }),
    ...(saved === undefined ? {} : { saved }),
    ...(repeated.logged === undefined ? {} : { logged: repeated.logged }),
    signal,
    ...(agent === undefined ? {} : { agent }),
    opened: (environment) => void execution.opened.push(environment),
    ...(names && { names }),
    repetition: requestRepetitions(),
    again: equalReplies(),
    ...(cache === undefined ? {} : { cached: cache.of(task.id, spec) }),
    toolUse: new ToolUse(),
    ...(hold === undefined ? {} : { hold }),
    ...(solutions === undefined ? {} : { solutions: othersOf(solutions, task.id) }),
    nextRequest: () => request++,
  };
}

/** Returns the model of a role. Throws `Problem` if the run names none. */
export function modelName(spec: RunSpec, role: Role): string {
  const name = role === "actor" || role === "user" ? (spec[role] ?? spec.model) : spec[role];
  if (name === undefined)
    throw new Problem(
      "model",
      `Expected a model for the role \`${role}\`; add \`${role}: ENDPOINT/MODEL\` to the run cell`,
    );
  return name;
}

/** Returns why a task ended. An aborted request throws many kinds of errors, so the reason comes from the signal. */
function whyEnded(thrown: unknown, task: AbortSignal, run: AbortSignal, { events }: Pick<Recorder, "events">): Failure {
  if (thrown instanceof RunLimitProblem) return failureOf(thrown);
  if (run.aborted && run !== task) return { kind: "stopped", message: "Stopped" };
  if (task.aborted) {
    const last = events.at(-1);
    if ((task.reason as Error | undefined)?.name === "TimeoutError" && last?.type === "retry" && last.wait > 0)
      return {
        kind: "model",
        message: `The task reached its limit of seconds while its model was down: ${last.error}`,
      };
    if ((task.reason as Error | undefined)?.name === "TimeoutError")
      return { kind: "timeout", message: "The task reached its limit of seconds" };
    return { kind: "stopped", message: "Stopped" };
  }
  return failureOf(thrown);
}

type Saved = Pick<Execution, "forked" | "interrupted" | "solutions" | "taken">;

/** Earlier replies for one task alone, so that they can be sent to another program. */
export type SavedForTask = {
  readonly forked?: ForkedStart | undefined;
  readonly interrupted?: readonly SavedRequest[] | undefined;
  readonly taken?: TakenAnswer | undefined;
  readonly solutions?: readonly (readonly [string, readonly string[]])[] | undefined;
  /** Facets of a task that is a place in another task; absent for all other tasks, whose facets are in the data. */
  readonly facets?: Facets | undefined;
};

export function savedForTask({ forked, interrupted, solutions, taken }: Saved, task: string): SavedForTask {
  const [cut, answer] = [interrupted?.get(task), taken?.(task)];
  return { forked: forked?.(task), interrupted: cut, taken: answer, solutions: solutions && [...solutions] };
}

/** Converts the saved data of one task into the form in which the task's execution needs them. */
export function savedOf({ forked, interrupted, solutions, taken }: SavedForTask, task: string): Saved {
  return {
    ...(forked && { forked: () => forked }),
    ...(interrupted && { interrupted: new Map([[task, interrupted]]) }),
    ...(taken && { taken: () => taken }),
    ...(solutions && { solutions: new Map(solutions) }),
  };
}

/** Maximum number of successive requests without a readable action. */
const most = 10;

/** Ends a task before its strategy does; its answers so far are then scored. */
export class EarlyEnd extends Error {
  override readonly name = "EarlyEnd";
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Ends the task of a model that never acts, which would otherwise get hundreds of useless requests. */
export class ToolUse {
  #without = 0;

  /**
   * Counts the actions of a reply; called after every reply that may contain actions. Throws `EarlyEnd` after ten replies
   * without one.
   */
  take(actions: number): void {
    this.#without = actions > 0 ? 0 : this.#without + 1;
    if (this.#without >= most)
      throw new EarlyEnd("no-tool-call", `${most} requests in a row returned no readable action, so the task ended`);
  }
}
