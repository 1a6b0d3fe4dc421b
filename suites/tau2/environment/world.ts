/** An environment for the conversation and the scorer: tools of two sides, and a state that can be compared. */
import { execute, type Tools } from "./toolkit.ts";
import { type Fields, pythonJson, refuse, ToolFailure, type Value } from "./value.ts";

/** The calling side: the agent (`assistant`) or the user. */
export type Side = "assistant" | "user";

/** The environment of one episode. */
export type World = {
  /** The official names of the toolkits, which messages of Python contain. */
  readonly agentTitle: string;
  readonly userTitle?: string;
  readonly agentTools: Tools;
  /** Undefined if the user only talks. */
  readonly userTools: Tools | undefined;
  /** Copies changes of one side to the other. */
  sync(): void;
  /** Calls a function that is not a tool of a model: of a task's initial state or of its assertions. */
  run(side: Side, name: string, given: Fields): Value;
  /** SHA-256 of the agent's database as the official program writes it, or of the whole state as canonical JSON. */
  hash(form: "official" | "canonical"): string;
  /** The official hash of the user's side; null if it has no state. */
  userHash(): string | null;
  /** Returns whether both sides are in the same state; floats differ from ints. */
  equals(other: World): boolean;
  /** Returns the records that may have been changed, of both sides, by table and id. */
  touched(): ReadonlyMap<string, Value>;
  /** Returns a changed record, or its original if it is unchanged; undefined if there is none. */
  recordOf(name: string): Value | undefined;
  /** Returns what the user's screen shows all the time; absent if the user has no screen. */
  screen?(): string;
};

export type ToolResult = {
  readonly text: string;
  readonly failed: boolean;
  /** True for a failure of the tool's own check, whose text is normative. */
  readonly own: boolean;
};

/** Executes a call without carrying changes over, as the official evaluator does with the reference. Throws `ToolFailure`. */
export function callTool(world: World, side: Side, name: string, given: Fields): Value {
  if (side === "assistant") return execute(world.agentTools, world.agentTitle, name, given);
  if (world.userTools === undefined) return refuse("User tools not available");
  return execute(world.userTools, world.userTitle ?? "", name, given);
}

/** Executes a call of a model and synchronises both sides. A failure is a result. */
export function respond(world: World, side: Side, name: string, given: Fields): ToolResult {
  try {
    const value = callTool(world, side, name, given);
    world.sync();
    return { text: resultText(value), failed: false, own: false };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { text: `Error: ${error.message}`, failed: true, own: error.own };
  }
}

const resultText = (value: Value) => (typeof value === "string" ? value : pythonJson(value));
