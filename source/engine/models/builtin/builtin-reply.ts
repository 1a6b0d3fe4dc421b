/** The replies of built-in models. */
import type { Asked, Reply } from "../../protocol.ts";
import { perfectReply, type LoadedSuite } from "../../loaded-suite.ts";
import type { DataKind, Asker, Event, Task } from "../../types.ts";
import { callsText, fromToolsInPrompt } from "../replies/tools-in-prompt.ts";
import type { BuiltinName } from "./builtin-name.ts";
import { BuiltinProblem } from "./builtin-name.ts";
import { Replay } from "./replay.ts";
import { faultyReply } from "./injected-faults.ts";
import type { WireRequest } from "./wire-request.ts";

/** Where built-in models get loaded suites, tasks and saved logs from. */
export type BuiltinSources = {
  loadedFor(suite: string, data: DataKind): Promise<LoadedSuite>;
  /** Throws where the split has no such task. */
  taskFor(suite: string, data: DataKind, split: string, id: string): Promise<Task>;
  /** All events of a saved run; absent where there are no saved runs. */
  eventsOf?(run: string): Promise<Iterable<Event>>;
};

export type Answerer = (name: BuiltinName, asker: Asker, request: WireRequest) => Promise<Reply>;

/** The function that answers for all built-in models; it caches the logs it has read. */
export function builtinAnswerer(sources: BuiltinSources): Answerer {
  const replays = new Map<string, Promise<Replay>>();
  const replayOf = (run: string) => {
    if (sources.eventsOf === undefined) throw new BuiltinProblem("Expected saved runs to replay, found none here");
    const known = replays.get(run);
    if (known !== undefined) return known;
    const replay = sources.eventsOf(run).then((events) => new Replay(events));
    replays.set(run, replay);
    // A log that could not be read may be readable the next time.
    replay.catch(() => replays.delete(run));
    return replay;
  };
  return async (name, asker, request) => {
    const inPrompt = request.tools.length === 0 ? fromToolsInPrompt(request.messages) : undefined;
    const reply = await replyTo(name, asker, { ...request, ...inPrompt });
    const { text, calls = [] } = reply;
    if (inPrompt === undefined || calls.length === 0) return reply;
    return { text: [text, callsText(calls)].filter((part) => part !== "").join("\n") };
  };

  async function replyTo(name: BuiltinName, asker: Asker, { messages, tools, stop }: WireRequest): Promise<Reply> {
    const { task: id, role, stage, spec } = asker;
    const asked: Asked = { role, stage, messages, tools, spec };
    if (name.kind === "replay") return (await replayOf(name.log!)).reply(id, asked);
    const [loaded, task] = await Promise.all([
      sources.loadedFor(spec.suite, spec.data),
      sources.taskFor(spec.suite, spec.data, spec.split, id),
    ]);
    return stopped(
      name.kind === "slips" ? faultyReply(loaded, task, asked, name) : oracle(loaded, task, asked, name),
      stop,
    );
  }
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
