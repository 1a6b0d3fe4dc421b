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
const literals: Readonly<
  Record<string, { readonly file: string; readonly sha256: string; readonly names: Readonly<Record<string, RegExp>> }>
> = {
  MessageAPI: {
    file: "message_api.py",
    sha256: "cf72af1635654147af17df1891a7fb354549e78a61930139f741a31f4be21121",
    names: { DEFAULT_STATE: /^DEFAULT_STATE = /m },
  },
  TwitterAPI: {
    file: "posting_api.py",
    sha256: "32b887aaa37c7167ad9c84ddfa7bbb855c75d3c1edab19ba868aba29acc4cfa1",
    names: { DEFAULT_STATE: /^DEFAULT_STATE = /m },
  },
  TicketAPI: {
    file: "ticket_api.py",
    sha256: "6a9375aa6425410c07a151aef27f3e44e9ed1023bb5cc5c25f14f4a9b3c99116",
    names: { DEFAULT_STATE: /^DEFAULT_STATE = /m },
  },
  TradingBot: {
    file: "trading_bot.py",
    sha256: "cc2e3949035b561e9d07418b081561aa07b211672200e2e511aec074bf79fcb2",
    names: { DEFAULT_STATE: /^DEFAULT_STATE = /m, symbol_map: /^ *symbol_map = /m, sector_map: /^ *sector_map = /m },
  },
  TravelAPI: {
    file: "travel_booking.py",
    sha256: "e698e22adccf0d6d41b297f2d5e44faebd828cef4752df6a4ffb1570c0c35296",
    names: {
      DEFAULT_STATE: /^DEFAULT_STATE = /m,
      base_costs: /^ *base_costs: [^=]*= /m,
      airports: /def list_all_airports[^]*?return /,
      exchange_rates: /^ *exchange_rates = /m,
      airport_map: /^ *airport_map = /m,
    },
  },
  VehicleControlAPI: {
    file: "vehicle_control.py",
    sha256: "f5f7a2f28968728927a98ae12ec68a32d70781cfb74c2d7b14801772362b12d1",
    names: { DEFAULT_STATE: /^DEFAULT_STATE = /m },
  },
};
const extensions = {
  file: "long_context.py",
  sha256: "5c9a5710115609c779e5b2ccb43f6ad58271ed96f2ea7a797edb0d65c385aa38",
};

/** The files that tables are read from, with their hashes in bfcl-eval 2026.3.23. */
export const tableFiles: readonly { readonly path: string; readonly sha256: string }[] = [
  ...Object.values(literals),
  extensions,
].map(({ file, sha256 }) => ({ path: `${sources}/${file}`, sha256 }));

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
  const assignments = readAssignments(await textOf(folder, extensions.file));
  return new Map(assignments.map(([name, expression]) => [name, evaluate(expression, names)] as const));
}
