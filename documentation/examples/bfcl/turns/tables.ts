/**
 * Tables of the simulated systems: default states, prices, what long contexts add. They are read as literals from the wheel's
 * files; nothing of these is run.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Callable, evaluate, type Names } from "./python/evaluate.ts";
import { readAssignments, readExpression } from "./python/expression.ts";
import { type Py, PyError, PySet } from "./python/value.ts";
import type { Tables } from "./systems/system.ts";

const sources = "bfcl_eval/eval_checker/multi_turn_eval/func_source_code";

/** The file of each class, and the literals in it that its system needs, by what stands before them. */
const literals: Readonly<Record<string, { readonly file: string; readonly names: Readonly<Record<string, RegExp>> }>> =
  {
    MessageAPI: { file: "message_api.py", names: { DEFAULT_STATE: /^DEFAULT_STATE = /m } },
    TwitterAPI: { file: "posting_api.py", names: { DEFAULT_STATE: /^DEFAULT_STATE = /m } },
    TicketAPI: { file: "ticket_api.py", names: { DEFAULT_STATE: /^DEFAULT_STATE = /m } },
    TradingBot: {
      file: "trading_bot.py",
      names: { DEFAULT_STATE: /^DEFAULT_STATE = /m, symbol_map: /^ *symbol_map = /m, sector_map: /^ *sector_map = /m },
    },
    TravelAPI: {
      file: "travel_booking.py",
      names: {
        DEFAULT_STATE: /^DEFAULT_STATE = /m,
        base_costs: /^ *base_costs: [^=]*= /m,
        airports: /def list_all_airports[^]*?return /,
        exchange_rates: /^ *exchange_rates = /m,
        airport_map: /^ *airport_map = /m,
      },
    },
    VehicleControlAPI: { file: "vehicle_control.py", names: { DEFAULT_STATE: /^DEFAULT_STATE = /m } },
  };
const extensionFile = "long_context.py";

/** The files that tables are read from. */
export const tableFiles: readonly string[] = [
  ...Object.values(literals).map(({ file }) => `${sources}/${file}`),
  `${sources}/${extensionFile}`,
];

class EmptySet extends Callable {
  readonly typeName = "type";

  repr(): string {
    return "<class 'set'>";
  }

  call(): Py {
    return new PySet();
  }
}

const names: Names = new Map([["set", new EmptySet()]]);

/** Returns the source of the literal that begins at a bracket: everything up to the bracket that closes it. */
function literalAt(source: string, from: number): string {
  const signs = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[[\](){}]/g;
  signs.lastIndex = from;
  let depth = 0;
  for (let found = signs.exec(source); found !== null; found = signs.exec(source)) {
    if ("[({".includes(found[0])) depth += 1;
    if ("])}".includes(found[0])) depth -= 1;
    if (depth === 0) return source.slice(from, signs.lastIndex);
  }
  throw new PyError("SyntaxError", "Expected the end of a literal");
}

const textOf = (folder: string, file: string) => readFile(join(folder, sources, file), "utf8");

/** Reads the tables of a class; none if it has no file. Rejects if the file is missing or another one than expected. */
export async function readTables(folder: string, name: string): Promise<Tables> {
  const { file, names: wanted } = literals[name] ?? {};
  if (file === undefined || wanted === undefined) return new Map();
  const source = await textOf(folder, file);
  const tables = new Map<string, Py>();
  for (const [table, before] of Object.entries(wanted)) {
    const found = before.exec(source);
    // A file that has fewer tables (the sample's) leaves them empty.
    if (found === null) continue;
    tables.set(table, evaluate(readExpression(literalAt(source, found.index + found[0].length)), names));
  }
  return tables;
}

/** Reads what long contexts add to the systems. */
export async function readExtensions(folder: string): Promise<Tables> {
  const assignments = readAssignments(await textOf(folder, extensionFile));
  return new Map(assignments.map(([name, expression]) => [name, evaluate(expression, names)] as const));
}
