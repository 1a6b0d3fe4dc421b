/** Determines the cause of a task's result, which is how its last attempt ended, from the events alone. */
import { renamedNote } from "../../settings/varied-names.ts";
import { type Benchmark, freeText, unwrappedMetric } from "../../benchmark.ts";
import { describedTools } from "../../text/described-tools.ts";
import { field, textAt } from "../../text/json-record.ts";
import { wasStopped } from "../../problem.ts";
import { samplingOf } from "../../settings/role-settings.ts";
import type { Cause, Facets, Failure, Json, Message, Role, RunSpec, Score, TaskEvent, ToolCall } from "../../types.ts";
import { closingRepetition, echoedShare } from "./repetition.ts";
import { isClosedIn, type FormReading, unframed, unwrapped, type Unwrapped } from "./unwrapped.ts";
import { verdictOf } from "./verdict.ts";

/** A request to a measured role, with its reply. */
type Reply = {
  readonly request: number;
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly offered: readonly string[] | undefined;
  text: string;
  calls: ToolCall[];
  output: number;
  finish: string | undefined;
};

/** The number of most recent replies that are examined. If none of these contains a call, the cause is `no-call`. */
const kept = 10;
const measured: readonly Role[] = ["model", "actor"];

/** Returns the contents of a reply before its first event. */
const unsaid = () => ({ text: "", calls: [], output: 0, finish: undefined });

/** The facts that determine the cause of a task, collected event by event. */
export class Attempt {
  readonly replies: Reply[] = [];
  readonly facets: Facets;
  /** `offered` is true once a request has offered functions, `called` once a reply has called one. */
  offered = false;
  called = false;
  /** True if text or a call of a measured role came at all. */
  replied = false;
  /** Number of requests to measured roles. */
  requests = 0;
  /** Role of the last request. */
  asked: Role | undefined;
  judged = false;
  /** The strategy's own reason for its end, and the limit that it had reached before. */
  end = "";
  bound = "";
  answer: Json | undefined;
  /** Replies of a simulated environment to calls, and the reply that is still being received. */
  readonly simulated: { readonly stage: string; text: string }[] = [];
  /** The suite's names of functions that requests offer under other names; calls contain the suite's names. */
  #own: Readonly<Record<string, string>> = {};
  #simulating: { readonly request: number; readonly stage: string; text: string } | undefined;

  constructor(facets: Facets) {
    this.facets = facets;
  }

  /** True if the last reply is incomplete. */
  get isInterrupted(): boolean {
    const last = this.replies.at(-1);
    return last !== undefined && last.finish === undefined;
  }

  take(event: TaskEvent): void {
    if (event.type === "answer") this.answer = event.answer;
    else if (event.type === "note") this.#note(event);
    else if (event.type === "prompt") this.#prompt(event);
    else if (event.type === "result") {
      // Only the reply before the result was used: earlier ones were asked for again.
      if (this.#simulating !== undefined) this.simulated.push(this.#simulating);
      this.#simulating = undefined;
    } else if ("request" in event) this.#chunk(event);
  }

  #note({ kind, text, data }: Extract<TaskEvent, { type: "note" }>): void {
    if (kind === renamedNote) this.#own = { ...this.#own, ...(data as Readonly<Record<string, string>>) };
    if (kind === "end") this.end = text;
    if (kind === "bound") this.bound = text;
  }

  #prompt({ request, role, stage, messages, tools }: Extract<TaskEvent, { type: "prompt" }>): void {
    this.asked = role;
    this.judged ||= role === "judge";
    this.#simulating = role === "responder" ? { request, stage, text: "" } : undefined;
    if (!measured.includes(role)) return;
    // Without tools in the request the prompt may describe them (`tools: text`).
    const given = tools ?? describedTools(messages)?.tools ?? [];
    const offered = given.length === 0 ? undefined : given.map(({ name }) => this.#own[name] ?? name);
    this.requests += 1;
    this.offered ||= offered !== undefined;
    this.replies.push({ request, role, stage, messages, offered, ...unsaid() });
    if (this.replies.length > kept) this.replies.shift();
  }

  #chunk(event: Extract<TaskEvent, { readonly request: number }>): void {
    const reply = this.replies.findLast(({ request }) => request === event.request);
    if (reply === undefined) return this.#simulatedChunk(event);
    switch (event.type) {
      case "text":
        reply.text += event.text;
        break;
      case "thinking":
        if (event.textBefore === true) reply.text = "";
        return;
      case "call":
        // Calls that follow the end of a reply were read out of its text by the strategy.
        if (reply.finish === undefined) reply.calls.push(event.call);
        this.called ||= reply.finish === undefined;
        break;
      case "retry":
        Object.assign(reply, { text: "", calls: [] });
        return;
      case "usage":
        reply.output = event.output;
        return;
      case "finish":
        reply.finish = event.reason;
        break;
      default:
        return;
    }
    this.replied = true;
  }

  #simulatedChunk(event: Extract<TaskEvent, { readonly request: number }>): void {
    const reply = this.#simulating;
    if (reply?.request !== event.request) return;
    if (event.type === "text") reply.text += event.text;
    else if (event.type === "retry") reply.text = "";
  }
}

/**
 * Returns whether the answers before a failure are still scored, because the strategy could have avoided the failure. External
 * failures (`model`, `judge`, `tool`) never allow this.
 */
export const isScoredAnyway = ({ kind }: Failure): boolean => ["parse", "budget", "timeout", "context"].includes(kind);

type Ended = {
  readonly score: Score | undefined;
  readonly failure: Failure | undefined;
  readonly spec: RunSpec;
  readonly form: Benchmark["form"];
};

/** Returns the cause of an attempt that has a score or failed; undefined if it does not depend on the model. */
export function causeOf(attempt: Attempt, ended: Ended): Cause | undefined {
  const { score, failure } = ended;
  const hasNone = failure === undefined || wasStopped(failure) || failure.kind === "bug";
  if (score === undefined && hasNone) return undefined;
  const answer = attempt.replies.length === 0 ? writtenAnswer(attempt.answer) : undefined;
  if (!attempt.replied && (score === undefined || attempt.replies.length > 0)) return undefined;
  const outside = environmentOf(attempt, ended);
  if (outside !== undefined) return { cause: "environment", ...placed(attempt.replies.at(-1)), detail: outside };
  const last = attempt.replies.at(-1) ?? answered(answer);
  if (last === undefined) return { cause: "read" };
  const own = (cause: Pick<Cause, "cause" | "from" | "to" | "detail">): Cause => ({
    ...cause,
    ...placed(attempt.replies.at(-1)),
  });
  if (failure?.kind === "context") return own({ cause: "context", detail: failure.message });
  if (verdictOf(score) === "right") return own({ cause: "read" });
  return own({ from: 0, to: last.text.length, ...ofReply(attempt, last, ended) });
}

/**
 * Returns the cause if a score or failure follows the attempt's first score, whose events are no longer in memory: its last
 * request was refused, a limit was reached, or it was scored again.
 */
export function causeAfter(
  before: Cause | undefined,
  { score, failure }: Pick<Ended, "score" | "failure">,
): Cause | undefined {
  if (before === undefined) return undefined;
  const { request } = before;
  const own = (cause: Pick<Cause, "cause" | "detail">) => ({ ...cause, ...(request !== undefined && { request }) });
  if (before.cause === "environment") return score?.value === undefined ? before : own({ cause: "read" });
  if (failure?.kind === "context") return own({ cause: "context", detail: failure.message });
  if (verdictOf(score) === "right") return own({ cause: "read" });
  if (before.cause !== "read" || failure === undefined) return before;
  const budget = usedUp(failure);
  return budget === undefined ? before : { ...before, cause: "limit", detail: budget };
}

type Found = Pick<Cause, "cause" | "from" | "to" | "detail">;

/** Returns the first cause that applies to a reply that was not right. */
function ofReply(attempt: Attempt, last: Omit<Reply, "request">, ended: Ended): Found {
  const { text, calls, finish } = last;
  const isCut = finish === "length";
  const limit = isCut ? cutBy(last, ended.spec) : undefined;
  const withLimit = limit === undefined ? {} : { detail: `cut, too (${limit})` };
  if (finish === "refusal" || finish === "content_filter") return { cause: "refused", detail: finish };
  const interruption = finish === undefined ? usedUp(ended.failure) : undefined;
  if (text.trim() === "" && calls.length === 0)
    return interruption === undefined ? { cause: "empty", ...withLimit } : { cause: "limit", detail: interruption };
  const period = closingRepetition(text);
  if (period !== undefined) return { cause: "repeats", from: period.from, to: text.length, ...withLimit };
  const read = readingOf(last, attempt, ended);
  if (isSameAgain(attempt, ended)) return { cause: "repeats", detail: "the last three replies are equal" };
  const hasForm = ended.form !== undefined && calls.length === 0;
  const isWhole = () => (calls.length > 0 ? calls.every(hasArguments) : hasForm && isClosedIn(text, read));
  if (limit !== undefined && !isWhole()) return { cause: "cut", from: Math.max(0, text.length - 80), detail: limit };
  const inside = hasForm ? (unwrapped(text, read) ?? framedIn(attempt, text, read, ended)) : undefined;
  if (inside !== undefined) return { cause: "wrapped", ...wrapping(text, inside), detail: inside.layers.join(", ") };
  // An interrupted reply might still have taken the suite's form or called a function.
  if (interruption !== undefined) return { cause: "limit", detail: interruption };
  return ofCalls(attempt, last) ?? ofWords(attempt, last, ended, hasForm && read(text) === undefined);
}

/**
 * Returns the answer inside general layers. If the answer was scored without them, they are a wrapping only if that score is
 * higher; otherwise, as for answers that only a judge scores, the form alone decides.
 */
function framedIn({ answer }: Attempt, text: string, read: FormReading, { score, spec }: Ended): Unwrapped | undefined {
  const { [unwrappedMetric]: inside } = score?.metrics ?? {};
  const isScored = score?.value !== undefined && writtenAnswer(answer) === text;
  if (isScored && (inside === undefined ? spec.judge === undefined : inside <= score.value)) return undefined;
  return unframed(text, read, inside !== undefined).next().value;
}

function ofCalls(
  { offered, called, replies }: Attempt,
  { calls, offered: names }: Pick<Reply, "calls" | "offered">,
): Found | undefined {
  const asking = replies.filter((reply) => reply.offered !== undefined);
  const isSilent = asking.length === kept && asking.every((reply) => reply.calls.length === 0);
  if (offered && (!called || isSilent)) return { cause: "no-call" };
  const unknown = names === undefined ? [] : calls.filter(({ name }) => !names.includes(name));
  if (calls.length === 0 || unknown.length < calls.length) return undefined;
  return { cause: "unknown-tool", detail: unknown[0]!.name };
}

function ofWords(
  attempt: Attempt,
  { text, messages, calls, offered }: Omit<Reply, "request">,
  ended: Ended,
  isUnread: boolean,
): Found {
  const hasPoints = (ended.score?.value ?? 0) > 0;
  if (calls.length === 0 && !hasPoints && echoedShare(text, messages) >= 0.8) return { cause: "echo" };
  // Between its calls a model may think aloud.
  if (isUnread && !(offered !== undefined && attempt.called)) return { cause: "other-form" };
  const limit = limitOf(attempt, ended);
  return limit === undefined ? { cause: "read" } : { cause: "limit", detail: limit };
}

/** Returns the failure outside the model that ended the task; undefined if there was none. */
function environmentOf(attempt: Attempt, ended: Ended): string | undefined {
  const { end, asked, judged, simulated } = attempt;
  const { score, failure, form } = ended;
  if (end === "responder-unparsable") return "the Responder's reply cannot be read";
  // Today such a task fails by itself; runs of earlier versions continued with the error that the model was shown.
  if (form !== undefined && simulated.some((reply) => readingOf(reply, attempt, ended)(reply.text) === undefined))
    return "the simulated server's reply cannot be read";
  if (score === undefined) return failure === undefined || isScoredAnyway(failure) ? undefined : failure.message;
  // A judge that gave no readable verdict leaves the answer without a score.
  const wasJudged = judged && score.value === undefined && score.override === undefined;
  return wasJudged && asked === "judge" ? "no verdict of the judge can be read" : undefined;
}

function cutBy({ output, role }: Pick<Reply, "output" | "role">, spec: RunSpec): string {
  const { maxTokens } = samplingOf(spec, role);
  return maxTokens !== undefined && output >= maxTokens ? `maxTokens ${maxTokens}` : "the context";
}

const hasArguments = ({ arguments: given }: ToolCall) => given !== undefined;

/** Reads a text as the suite reads replies of this stage. */
export function readingOf(
  { stage }: { readonly stage: string },
  { facets }: Pick<Attempt, "facets">,
  ended: Ended,
): FormReading {
  const { form, spec, score } = ended;
  return (text) => (form === undefined ? freeText : form(text, { stage, spec, facets, score }));
}

/** Reports whether the last three replies to different requests are equal and none could be read. */
function isSameAgain(attempt: Attempt, ended: Ended): boolean {
  const three = attempt.replies.slice(-3);
  const differ = (of: (reply: Reply) => unknown) => new Set(three.map(of)).size;
  return (
    differ(({ text }) => text) === 1 &&
    differ(({ messages }) => JSON.stringify(messages)) === 3 &&
    three.every((reply) => reply.calls.length === 0 && readingOf(reply, attempt, ended)(reply.text) === undefined)
  );
}

/** The reasons that strategies give if a limit ended the task. */
const limits = new Set(["step limit", "step-limit", "error limit", "depth limit", "prompt too long"]);

/** Names the budget or time limit that a task used up; undefined if it failed for another reason or did not fail. */
const usedUp = (failure: Failure | undefined): string | undefined =>
  failure?.kind === "budget" || failure?.kind === "timeout" ? failure.message : undefined;

function limitOf({ end, bound, requests }: Attempt, { failure, spec }: Ended): string | undefined {
  const budget = usedUp(failure);
  if (budget !== undefined) return budget;
  const steps = spec.budget.task?.steps ?? Infinity;
  if (end === "no answer" && bound === "" && requests >= steps) return `Model requests are used up: ${steps}`;
  if (limits.has(end)) return end;
  return bound === "" || bound.endsWith("could be read") ? undefined : bound;
}

/**
 * Finds the characters around the answer: the text before it, otherwise the text after it, otherwise the first line with such
 * characters.
 */
function wrapping(text: string, { text: inside }: Unwrapped): { readonly from: number; readonly to: number } {
  const at = text.indexOf(inside);
  if (at > 0) return { from: 0, to: at };
  if (at === 0) return { from: inside.length, to: text.length };
  let from = 0;
  while (text[from] === inside[from]) from += 1;
  const end = text.indexOf("\n", from);
  return { from, to: end < 0 ? text.length : end };
}

const placed = (reply: Reply | undefined) => (reply === undefined ? {} : { request: reply.request });

/** Returns the text of an answer without requests: of an imported prediction, or of an agent of the user's. */
export function writtenAnswer(answer: Json | undefined): string | undefined {
  if (typeof answer === "string" || answer === undefined) return answer ?? "";
  return field(answer, "output") === undefined ? undefined : textAt(answer, "output");
}

function answered(text: string | undefined): Omit<Reply, "request"> | undefined {
  if (text === undefined) return undefined;
  return { ...unsaid(), role: "model", stage: "", messages: [], offered: undefined, text, finish: "stop" };
}
