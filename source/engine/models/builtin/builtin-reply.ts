/** The replies of built-in models. */
import { isDeepStrictEqual } from "node:util";
import { type Asked, type Reply, spoiltMark } from "../../protocol.ts";
import { fillerText, perfectReply, type LoadedSuite } from "../../loaded-suite.ts";
import type { DataKind, Asker, Event, Role, RunSpec, Task } from "../../types.ts";
import { callsText, fromToolsInPrompt } from "../replies/tools-in-prompt.ts";
import { modelSettings } from "../../run-settings.ts";
import { type BuiltinName, BuiltinProblem, keyless } from "./builtin-name.ts";
import { Replay } from "./replay.ts";
import type { WireRequest } from "./wire-request.ts";
import { variedTask } from "../../settings/varied.ts";
import { randomFrom, shuffled } from "../../statistics/random.ts";

/** Provides built-in models with loaded suites, tasks and saved logs. */
export type BuiltinSources = {
  loadedFor(suite: string, data: DataKind): Promise<LoadedSuite>;
  /** Throws if the split does not contain the task. */
  taskFor(suite: string, data: DataKind, split: string, id: string): Promise<Task>;
  /** Returns all events of a saved run; absent if there are no saved runs. */
  eventsOf?(run: string): Promise<Iterable<Event>>;
  /** Returns the settings of a saved run; undefined if the run does not exist. */
  specOf?(run: string): RunSpec | undefined;
};

export type Answerer = (name: BuiltinName, asker: Asker, request: WireRequest) => Promise<Reply>;

/** Returns the function that answers for all built-in models; it caches the logs it has read. */
export function builtinAnswerer(sources: BuiltinSources): Answerer {
  const replays = new Map<string, Promise<Replay>>();
  const replayOf = (run: string) => {
    if (sources.eventsOf === undefined) throw new BuiltinProblem("Expected saved runs to replay, found none here");
    const known = replays.get(run);
    if (known !== undefined) return known;
    const replay = sources.eventsOf(run).then((events) => new Replay(events));
    replays.set(run, replay);
    // An unreadable log may be readable the next time.
    replay.catch(() => replays.delete(run));
    return replay;
  };
  return async (name, asker, request) => {
    const inPrompt = request.tools.length === 0 ? fromToolsInPrompt(request.messages) : undefined;
    const reply = withGivenNames(await replyTo(name, asker, { ...request, ...inPrompt }), asker.names);
    const { text, calls = [] } = reply;
    if (inPrompt === undefined || calls.length === 0) return reply;
    const { calls: _, ...rest } = reply;
    return { ...rest, text: [text, callsText(calls)].filter((part) => part !== "").join("\n") };
  };

  async function replyTo(name: BuiltinName, asker: Asker, { messages, tools, stop }: WireRequest): Promise<Reply> {
    const { task: id, role, stage, spec } = asker;
    const asked = withOwnNames({ role, stage, messages, tools, spec }, asker.names);
    if (keyless.has(name.kind)) return stopped({ text: name.kind === "filler" ? fillerText : "" }, stop);
    if (name.kind === "replay") return (await replayOf(name.log!)).reply(id, asked);
    const [loaded, own] = await Promise.all([
      sources.loadedFor(spec.suite, spec.data),
      sources.taskFor(spec.suite, spec.data, spec.split, id),
    ]);
    const task = variedTask(loaded, spec, own);
    return stopped(
      name.kind === "slips" ? faultyReply(loaded, task, asked, name) : oracle(loaded, task, asked, name),
      stop,
    );
  }
}

type Names = Asker["names"];

/** Returns a request in which functions have the names that suites know. */
function withOwnNames(asked: Asked, names: Names): Asked {
  if (names === undefined) return asked;
  const own = <Named extends { readonly name: string }>(each: Named): Named => ({
    ...each,
    name: Object.hasOwn(names, each.name) ? names[each.name]! : each.name,
  });
  const messages = asked.messages.map((message) =>
    message.role === "assistant" && message.calls !== undefined
      ? { ...message, calls: message.calls.map(own) }
      : message,
  );
  return { ...asked, messages, tools: asked.tools.map(own) };
}

/** Returns a reply that calls functions by the names that the request offered. */
function withGivenNames(reply: Reply, names: Names): Reply {
  if (names === undefined || reply.calls === undefined) return reply;
  const given = new Map(Object.entries(names).map(([name, own]) => [own, name]));
  return { ...reply, calls: reply.calls.map((call) => ({ ...call, name: given.get(call.name) ?? call.name })) };
}

function oracle(loaded: LoadedSuite, task: Task, asked: Asked, name: BuiltinName): Reply {
  if (name.kind === "responder" && asked.role !== "responder" && asked.role !== "judge")
    throw new BuiltinProblem(
      `\`builtin/responder\` only plays the responder or judge, it was asked as \`${asked.role}\``,
    );
  return perfectReply(loaded, task, asked);
}

/** Cuts the text before the first stop string, as servers do. */
function stopped(reply: Reply, stop: readonly string[]): Reply {
  let end = reply.text.length;
  for (const word of stop) {
    const at = word === "" ? -1 : reply.text.indexOf(word);
    if (at !== -1 && at < end) end = at;
  }
  return end === reply.text.length ? reply : { ...reply, text: reply.text.slice(0, end) };
}

/**
 * Returns the oracle's reply, or a reply with an injected fault. A task gets at most one kind of fault, drawn with the given
 * rates from a stream seeded by seed, trial, task id and the run's settings: all requests of a task draw the same kind, and
 * compared runs have independent faults. If the task does not allow the drawn kind, `rate` draws another one that it allows, all
 * equally likely; with rates by kind, the oracle answers.
 */
export function faultyReply(loaded: LoadedSuite, task: Task, asked: Asked, name: BuiltinName): Reply {
  const { seed, trial, strategy, shots, options } = asked.spec;
  const stream = [name.seed ?? seed, trial, task.id, strategy, shots, JSON.stringify(options)].join("/");
  const rates = faultRates(loaded, name);
  const drawn = faultKind(rates, randomFrom(stream)());
  if (drawn === undefined) return perfectReply(loaded, task, asked);
  // Every kind continues with the number behind the draw, so that a kind has the same fault whether drawn first or later.
  const random = () => {
    const next = randomFrom(stream);
    next();
    return next;
  };
  const played = { roles: rolesOf(asked), spec: asked.spec };
  const names = rates.map(([kind]) => kind);
  const others = name.rate === undefined ? [] : shuffled(names, randomFrom(`${stream}/other kinds`));
  for (const kind of new Set([drawn, ...others])) {
    const isAllowed = name.rate === undefined || loaded.allowsFault?.(task, played, kind, random());
    if (isAllowed === false) continue;
    const spoilt = loaded.fault?.(task, asked, kind, random());
    if (spoilt !== undefined) {
      // A fault may change only a later reply, such as the last of many calls.
      const isPerfect = isDeepStrictEqual(spoilt, perfectReply(loaded, task, asked));
      return isPerfect ? spoilt : { ...spoilt, fingerprint: `${spoiltMark}${kind}` };
    }
    // Another request of the task has the mistake.
    if (isAllowed === true) break;
  }
  return perfectReply(loaded, task, asked);
}

/** Returns the roles that the asked model plays in the run. */
function rolesOf({ role, spec }: Asked): readonly Role[] {
  const modelOf = (each: Role) => spec[each] ?? (each === "actor" || each === "user" ? spec.model : undefined);
  return modelSettings.filter((each) => each === role || (modelOf(each) ?? "none") === modelOf(role));
}

/** Returns the rate of each kind, in the suite's order. Throws `BuiltinProblem` for a kind the suite does not know. */
function faultRates(loaded: Pick<LoadedSuite, "suite">, { rate, rates }: BuiltinName) {
  const known = loaded.suite.faultKinds.map((kind) => kind.name);
  for (const kind of rates.keys()) {
    if (!known.includes(kind))
      throw new BuiltinProblem(
        `Expected a kind of fault of \`${loaded.suite.name}\` (${known.join(", ")}), got \`${kind}\``,
      );
  }
  return known.map((kind) => [kind, rate === undefined ? (rates.get(kind) ?? 0) : rate / known.length] as const);
}

/** Returns the kind whose interval of the range from 0 to 1 contains `draw`; undefined beyond all intervals. */
function faultKind(rates: readonly (readonly [string, number])[], draw: number): string | undefined {
  let cumulative = 0;
  for (const [kind, rate] of rates) {
    cumulative += rate;
    if (draw < cumulative) return kind;
  }
  return undefined;
}
