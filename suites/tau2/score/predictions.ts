/** Scores conversations that another program executed, and the conversations of the conformance files. */
import { z } from "zod";
import { type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import { passHatK } from "../../../source/engine/statistics/pass-at-k.ts";
import { checkedPrediction } from "../../../source/engine/text/checked-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import { Tau2Files } from "../data/files.ts";
import type { DomainName } from "../data/splits.ts";
import { readDomainTasks } from "../data/tasks.ts";
import { type Fields, parseValue } from "../environment/value.ts";
import type { ToolResult, World } from "../environment/world.ts";
import { playedRecord, type Said, shortHash } from "./recorded-dialogue.ts";
import { play, type Reward, referenceWorld, rewardOf, startWorld, type Turn } from "./evaluate.ts";
import { faultOf } from "./fault.ts";
import type { Tau2Task } from "./task.ts";

const fields = z.custom<Fields>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "an object of arguments",
);
const call = z.object({ name: z.string(), args: fields });
const side = z.enum(["assistant", "user"]);
const turn = z.object({ by: side, text: z.string().nullish(), calls: z.array(call).optional() });
const said = z.object({ text: z.string().nullish(), calls: z.array(call).optional() });
const goldLine = z.object({ task: z.string() });
const trajectoryLine = z.object({
  task: z.string(),
  trial: z.number().optional(),
  turns: z.array(turn),
  end: z.string(),
});
const protocolLine = z.object({
  task: z.string(),
  agent: z.array(said),
  user: z.array(said),
  max_steps: z.number().optional(),
  max_errors: z.number().optional(),
  validate: z.boolean().optional(),
});
const officialCall = z.object({ name: z.string(), arguments: fields });
const officialRuns = z.object({
  simulations: z.array(
    z.object({
      task_id: z.string(),
      trial: z.number().nullish(),
      termination_reason: z.string(),
      messages: z.array(
        z.object({ role: z.string(), content: z.string().nullish(), tool_calls: z.array(officialCall).nullish() }),
      ),
    }),
  ),
});

type Trajectory = z.infer<typeof trajectoryLine>;
type Fact = { readonly [name: string]: Json };
type Line = { readonly number: number; readonly value: unknown };

/** Returns the records and sums of these lines. Throws `PredictionProblem` for an invalid line. */
export async function scorePredictions({ lines, folder, split, signal }: PredictionRequest): Promise<Predictions> {
  const [kind, name] = split.includes("-") ? (split.split("-") as [string, DomainName]) : ["", split as DomainName];
  const tasks = await readDomainTasks(new Tau2Files(folder), name);
  // Only the text of a line shows whether a number is an integer.
  const read = lines.map(({ number, value, text }) => ({
    number,
    value: text === undefined ? value : parseValue(text),
  }));
  const yieldIfDue = eventLoopYielder(signal);
  const records: Fact[] = [];
  const score = scorers[kind as keyof typeof scorers] ?? scoreTrajectories;
  for (const line of read)
    for (const record of await score(line, tasks)) {
      records.push(record);
      await yieldIfDue();
    }
  const rewards = records.flatMap((record) => [rewardIn(record)].filter((value) => value !== undefined));
  const mean = rewards.length === 0 ? 0 : rewards.reduce((sum, value) => sum + value, 0) / rewards.length;
  const aggregate = { n: records.length, reward: mean, ...(kind === "" && { passHatK: passedAll(records) }) };
  return { records, aggregate, figures: [figureOf(split, aggregate)], entries: [] };
}

const scorers = { gold: scoreGold, trajectories: scoreRecorded, protocol: scoreProtocol };

/** Returns a dialogue's reward, which is in a separate record. */
function rewardIn({ reward, scored }: Fact): number | undefined {
  const value = reward ?? (scored as Fact | undefined)?.["reward"];
  return typeof value === "number" ? value : undefined;
}

function taskOf(tasks: ReadonlyMap<string, Tau2Task>, id: string, line: number): Tau2Task {
  const task = tasks.get(id);
  if (task === undefined)
    throw new PredictionProblem(line, `Expected \`task\` to be the id of a task of this domain, got \`${id}\``);
  return task;
}

type Tasks = ReadonlyMap<string, Tau2Task>;

function scoreGold({ number, value }: Line, tasks: Tasks): readonly Fact[] {
  const task = taskOf(tasks, checkedPrediction(goldLine, value, number).task, number);
  const { actions, communicate } = task.criteria;
  const turns: readonly Turn[] = [
    { by: "user", text: "Hello." },
    ...actions.map(({ side: by, name, args }) => ({ by, calls: [{ name, args }] })),
    { by: "assistant", text: communicate.length === 0 ? "Done." : `Done. ${communicate.join("; ")}` },
    { by: "user", text: "###STOP###" },
  ];
  const calls: Fact[] = [];
  const played = play(task, turns, (result, world) => {
    const { side: by, name } = actions[calls.length]!;
    calls.push({ ...resultFact(result, 160), state: world.hash("canonical").slice(0, 16), by, name });
  });
  const [initial, final, expected] = [startWorld(task), played.world, referenceWorld(task)].map(stateFact);
  const reward = rewardFact(rewardOf(task, turns, "user_stop", played));
  return [{ initial: initial!, calls, final: final!, expected: expected!, ...reward }];
}

function scoreRecorded({ number, value }: Line, tasks: Tasks): readonly Fact[] {
  const { task: id, turns, end } = checkedPrediction(trajectoryLine, value, number) as Trajectory & { turns: Turn[] };
  const task = taskOf(tasks, id, number);
  const played = play(task, turns);
  const results = played.results.map((result) => resultFact(result, 48));
  const state = stateFact(played.world);
  return [{ results, ...state, ...rewardFact(rewardOf(task, turns, end, played)) }];
}

async function scoreProtocol({ number, value }: Line, tasks: Tasks): Promise<readonly Fact[]> {
  const line = checkedPrediction(protocolLine, value, number);
  const task = taskOf(tasks, line.task, number);
  const limits = { steps: line.max_steps ?? 100, errors: line.max_errors ?? 10 };
  const world = startWorld(task);
  const replies = { model: line.agent as Said[], user: line.user as Said[] };
  const played = await playedRecord(task.id, world, replies, { limits, separate: line.validate ?? false });
  const { turns, end } = played;
  // The official run breaks off at a reply without text and calls.
  if (end === undefined) return [{ raises: "ValueError", requests: played.requests, steps: played.steps }];
  const { steps, errors, requests, messages } = played;
  const scored = rewardFact(rewardOf(task, turns, end));
  return [{ end, steps, errors, requests, messages, state: world.hash("canonical"), scored }];
}

function scoreTrajectories({ number, value }: Line, tasks: Tasks): readonly Fact[] {
  const isOfficial = typeof value === "object" && value !== null && "simulations" in value;
  const all = isOfficial
    ? trajectoriesOf(checkedPrediction(officialRuns, value, number))
    : [checkedPrediction(trajectoryLine, value, number)];
  return all.map(({ task: id, trial = 0, turns: given, end }) => {
    const turns = given as readonly Turn[];
    const task = taskOf(tasks, id, number);
    const played = play(task, turns);
    const { results } = played;
    const reward = rewardOf(task, turns, end, played);
    const fault = faultOf(task, { turns, end, results }, reward);
    return { task: id, trial, ...rewardFact(reward), fault };
  });
}

/** The trajectories of the official program's file of results. */
function trajectoriesOf({ simulations }: z.infer<typeof officialRuns>): readonly Trajectory[] {
  return simulations.map(({ task_id: task, trial, termination_reason: end, messages }) => ({
    task,
    trial: trial ?? 0,
    end,
    turns: messages.flatMap(({ role, content, tool_calls: calls }) =>
      role === "assistant" || role === "user"
        ? [{ by: role, text: content, calls: (calls ?? []).map(({ name, arguments: args }) => ({ name, args })) }]
        : [],
    ),
  }));
}

/** The share of tasks whose first `k` trials all passed, in expectation; for tasks with the same number of trials. */
function passedAll(records: readonly Fact[]): Fact {
  const tasks = [...Map.groupBy(records, (record) => record["task"] as string).values()];
  const trials = Math.min(...tasks.map(({ length }) => length));
  if (tasks.length === 0 || tasks.some(({ length }) => length !== trials)) return {};
  return Object.fromEntries(
    Array.from({ length: trials }, (_, index) => {
      const shares = tasks.map(
        (own) => passHatK(trials, own.filter(({ reward }) => reward === 1).length, index + 1) ?? 0,
      );
      return [String(index + 1), shares.reduce((sum, share) => sum + share, 0) / shares.length];
    }),
  );
}

/** Returns the fact about a result without messages of Python's own failures, which depend on its version. */
function resultFact({ text, failed, own }: ToolResult, short: number): Fact {
  if (failed && !own) return { error: "Exception" };
  const { length } = Array.from(text);
  return {
    ...(failed && { error: "ValueError" }),
    sha: shortHash(text),
    len: length,
    ...(length <= short && { text }),
  };
}

function stateFact(world: World): Fact {
  return { state: world.hash("canonical"), agent: world.hash("official"), user: world.userHash() };
}

function rewardFact({ reward, parts, db, actions, assertions, communicate }: Reward): Fact {
  return {
    reward,
    parts,
    db,
    ...(actions !== undefined && { actions }),
    ...(assertions !== undefined && { assertions }),
    ...(communicate !== undefined && { communicate }),
  } as Fact;
}

function figureOf(split: string, { passHatK: passed, ...sums }: Fact): TableFigure {
  const rows = [
    ...Object.entries(sums),
    ...Object.entries((passed ?? {}) as Fact).map(([k, value]) => [`pass^${k}`, value] as const),
  ];
  return {
    kind: "table",
    title: `tau2 0.2.0, ${split}`,
    notes: ["reward: share of conversations with the same state, texts and actions as the reference"],
    columns: tableColumns(["Measure"], ["value"]),
    rows: rows.map(([title, value]) => [
      { text: title },
      { text: Number.isInteger(value) ? String(value) : Number(value).toFixed(4), value: Number(value) },
    ]),
  };
}
