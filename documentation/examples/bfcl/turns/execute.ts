/**
 * Execution of calls in the systems of a task, after BFCL's `execute_multi_turn_func_call`: a call is a text in Python, names of
 * functions in it are led to the system that has them, and its result is a text.
 */
import { evaluate, type Names } from "./python/evaluate.ts";
import { readExpression } from "./python/expression.ts";
import { Dict, jsonText, type Py, PyError, text } from "./python/value.ts";
import { FileSystem } from "./systems/files.ts";
import { Mathematics } from "./systems/mathematics.ts";
import { Messages } from "./systems/messages.ts";
import { Postings } from "./systems/postings.ts";
import type { Setting, System, Tables } from "./systems/system.ts";
import { Tickets } from "./systems/tickets.ts";
import { Trading } from "./systems/trading.ts";
import { Travel } from "./systems/travel.ts";
import { Vehicle } from "./systems/vehicle.ts";

const systems: Readonly<Record<string, new (setting: Setting) => System>> = {
  GorillaFileSystem: FileSystem,
  MathAPI: Mathematics,
  MessageAPI: Messages,
  TwitterAPI: Postings,
  TicketAPI: Tickets,
  TradingBot: Trading,
  TravelAPI: Travel,
  VehicleControlAPI: Vehicle,
};

export const systemNames: readonly string[] = Object.keys(systems);

/** What the systems of a task are opened with. */
export type World = {
  readonly id: string;
  readonly classes: readonly string[];
  /** The initial state, by class. */
  readonly scenario: Dict;
  readonly isLong: boolean;
  readonly tables: Readonly<Record<string, Tables>>;
  readonly extensions: Tables;
};

/** Names that BFCL refuses to call, because its calls are evaluated by Python. */
const refused = new Set(["kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run"]);

/** The systems of one episode. */
export class Systems {
  readonly byClass: ReadonlyMap<string, System>;
  readonly #names: Names;
  readonly #owners = new Map<string, string>();

  /**
   * `who` is part of the names that systems have in calls, which a text can show (see README.md). `shared` is one map for all
   * systems that are compared.
   */
  constructor(world: World, who: string, shared = new Map<string, Py>()) {
    const { id, classes, scenario, isLong, tables, extensions } = world;
    const opened = classes.flatMap((name) => {
      const Kind = Object.hasOwn(systems, name) ? systems[name] : undefined;
      const own = scenario.get(name);
      const setting = { scenario: own instanceof Dict ? own : new Dict(), isLong, extensions, shared };
      return Kind === undefined ? [] : [[name, new Kind({ ...setting, tables: tables[name] ?? new Map() })] as const];
    });
    this.byClass = new Map(opened);
    const named = opened.map(([name, system]) => {
      const instance = `${who}_${id}_${name}_instance`.replaceAll(/[-./:]/g, "_");
      for (const method of system.names) this.#owners.set(method, instance);
      return [instance, system] as const;
    });
    this.#names = new Map<string, Py>(named);
  }

  /** Returns the arguments that a function takes, in order; undefined if no system has it. */
  argumentsOf(name: string): readonly string[] | undefined {
    return [...this.byClass.values()].findLast((system) => system.names.includes(name))?.argumentsOf(name);
  }

  /** Executes a call and returns its result as a text. Never throws because of the call. */
  execute(call: string): string {
    const addressed = this.#addressed(call);
    try {
      const [before = ""] = addressed.split("(");
      const name = before.includes(".") ? before.split(".")[1]! : before;
      if (refused.has(name)) throw new PyError("Exception", `Function call ${name} is not allowed.`);
      return resultText(evaluate(readExpression(addressed.replace(/^[ \t]+/, "")), this.#names));
    } catch (thrown) {
      if (thrown instanceof PyError) return `Error during execution: ${thrown.message}`;
      if (thrown instanceof RangeError) return "Error during execution: maximum recursion depth exceeded";
      throw thrown;
    }
  }

  /** Puts its system before each name of a function, also inside texts: the pattern does not know them. */
  #addressed(call: string): string {
    return call.replaceAll(/(?<![\p{L}\p{N}_])([a-zA-Z_][\p{L}\p{N}_]*)\s*(?=\()/gu, (_, name: string) => {
      const owner = this.#owners.get(name);
      return owner === undefined ? name : `${owner}.${name}`;
    });
  }
}

function resultText(result: Py): string {
  if (!(result instanceof Dict)) return text(result);
  try {
    return jsonText(result);
  } catch (thrown) {
    if (thrown instanceof PyError) return text(result);
    throw thrown;
  }
}
