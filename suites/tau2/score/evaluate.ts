/** Rewards of tau2: the conversation is played again and compared with the reference, with the official quirks. */
import { strip } from "../../../source/engine/python/text.ts";
import { entriesOf, entryOf, equal, type Fields, ToolFailure } from "../environment/value.ts";
import { callTool, respond, type Side, type ToolResult, type World } from "../environment/world.ts";
import type { Criteria, Tau2Task } from "./task.ts";

export type Call = { readonly name: string; readonly args: Fields };
/** One message of a side. */
export type Turn = { readonly by: Side; readonly text?: string | null; readonly calls?: readonly Call[] };

/** A conversation executed again: the world at its end, and the results of all calls in order. */
export type Played = { readonly world: World; readonly results: readonly ToolResult[] };

/** Names of the parts of a reward. */
export type Part = Criteria["basis"][number];

export type Reward = {
  /** 0 or 1. */
  readonly reward: number;
  /** The parts that count for this task. */
  readonly parts: Readonly<Partial<Record<Part, number>>>;
  /** True if both databases equal the reference's; null if they were not compared. */
  readonly db: boolean | null;
  /** 1 or 0 for each reference action, assertion and required text; absent if there are none to check. */
  readonly actions?: readonly number[];
  readonly assertions?: readonly number[];
  readonly communicate?: readonly number[];
};

/** Opens the world of a task in its initial state. */
export function startWorld({ domain, initialActions }: Tau2Task): World {
  const world = domain.open();
  world.sync();
  for (const { side, name, args } of initialActions) world.run(side, name, args);
  world.sync();
  return world;
}

/** Plays the calls of a conversation in a new world; `seen` is called after each. */
export function play(
  task: Tau2Task,
  turns: readonly Turn[],
  seen?: (result: ToolResult, world: World) => void,
): Played {
  const world = startWorld(task);
  const results: ToolResult[] = [];
  for (const { by, calls = [] } of turns) {
    for (const { name, args } of calls) {
      const result = respond(world, by, name, args);
      results.push(result);
      seen?.(result, world);
    }
  }
  return { world, results };
}

/** Returns the reference's world: its calls are not synchronised, and failing calls are skipped. */
export function referenceWorld(task: Tau2Task): World {
  const world = startWorld(task);
  for (const { side, name, args } of task.criteria.actions) {
    try {
      callTool(world, side, name, args);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
    }
  }
  return world;
}

/** Endings with which a conversation can have a reward; others have reward 0, whatever the conversation contains. */
const complete = new Set(["user_stop", "agent_stop"]);

/** Returns the official reward of a conversation that ended for a reason (tau2 0.2.0, section 8 of its specification). */
export function rewardOf(task: Tau2Task, turns: readonly Turn[], end: string, played = play(task, turns)): Reward {
  if (!complete.has(end)) return { reward: 0, parts: {}, db: null };
  const { criteria } = task;
  const { world } = played;
  const db = world.equals(task.reference());
  const assertions = criteria.assertions.map(({ side, name, args, expected }) =>
    Number(world.run(side, name, args) === expected),
  );
  const calls = turns.flatMap(({ calls: own = [] }) => own);
  const actions = criteria.actions.map((action) => Number(calls.some((call) => matches(action, call))));
  const communicate = criteria.communicate.map((words) => Number(isTold(words, turns)));
  const every = (marks: readonly number[]) => Number(marks.every((mark) => mark === 1));
  const values: Record<Part, number> = {
    DB: Number(db),
    ENV_ASSERTION: every(assertions),
    ACTION: every(actions),
    COMMUNICATE: every(communicate),
  };
  const parts = Object.fromEntries(criteria.basis.map((part) => [part, values[part]]));
  return {
    reward: every(Object.values(parts)),
    parts,
    db,
    ...(actions.length > 0 && { actions }),
    assertions,
    ...(communicate.length > 0 && { communicate }),
  };
}

/** True if a call is the action, by the arguments that are compared; it may have failed, and either side may have made it. */
function matches({ name, args, compared }: Criteria["actions"][number], call: Call): boolean {
  if (name !== call.name) return false;
  const keys = compared ?? entriesOf(call.args).map(([key]) => key);
  if (keys.length === 0) return true;
  return keys.every((key) => {
    const [wanted, given] = [entryOf(args, key), entryOf(call.args, key)];
    return wanted === undefined || given === undefined ? wanted === given : equal(wanted, given);
  });
}

function isTold(words: string, turns: readonly Turn[]): boolean {
  const wanted = words.toLowerCase();
  const greeted = greeting.toLowerCase().includes(wanted);
  return (
    greeted ||
    turns.some(
      ({ by, text }) =>
        by === "assistant" &&
        typeof text === "string" &&
        strip(text) !== "" &&
        text.toLowerCase().replaceAll(",", "").includes(wanted),
    )
  );
}

/** The agent's first message, before any request. */
export const greeting = "Hi! How can I help you today?";
