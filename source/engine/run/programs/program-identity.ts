/** The identity of a tool server, agent or process: part of its results' ids, and the subject of the user's consent. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../../settings/settings.ts";
import type { ToolServer, UserProgram } from "../../settings/user-program.ts";
import { canonicalJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";

/** The identities of the programs that runs may name, by name; part of the ids of these runs. */
export type ProgramIdentities = {
  readonly toolServers: ReadonlyMap<string, string>;
  readonly agents: ReadonlyMap<string, string>;
  readonly processes: ReadonlyMap<string, string>;
};

export function programIdentities({ toolServers = [], agents = [], processes = [] }: Settings): ProgramIdentities {
  const identities = (all: readonly UserProgram[]) => new Map(all.map((each) => [each.name, identityOfProgram(each)]));
  return {
    toolServers: identities(toolServers),
    agents: identities(agents),
    processes: identities(processes),
  };
}

/**
 * Returns a hash of the arguments, the content of programs among them (`agent.py`), and the report of a tool server. Any other
 * file among the arguments is data that the program itself may change while it runs, so only its name counts. The working folder,
 * the limits and the values of environment variables do not count.
 */
export function identityOfProgram(program: UserProgram | ToolServer): string {
  const { command = [], folder = ".", environment = {}, kept } = program;
  const { url, reported } = program as Partial<ToolServer>;
  const files = command.flatMap((argument) => hashOfProgram(resolve(folder, argument)) ?? []);
  const variables = Object.keys(environment);
  return hashOf({ command, files, variables, kept, url, reported } as unknown as Json);
}

/** Returns the command or URL as the user added it, because another command under the same name needs new consent. */
export function allowedAs(program: UserProgram | ToolServer): string {
  const { command, folder } = program;
  const { url } = program as Partial<ToolServer>;
  return hashOf({ command, folder, url } as unknown as Json);
}

/** Maximum size of a hashed program in bytes. Larger files are interpreters, which users do not edit. */
const largest = 64_000_000;

/** File endings of programs, by the language they are written in or packed for. */
const endings =
  /\.([cm]?[jt]sx?|pyw?|pyz|rb|pl|php|lua|jl|[rR]|sh|bash|zsh|fish|ps1|bat|cmd|exe|go|rs|java|jar|kts?|scala|cs|fsx?|exs?|erl|clj|hs|ml|swift|tcl|awk|wasm)$/;

/** First bytes of programs with any name: of scripts, and of executables for Linux, Windows and macOS, as hexadecimal digits. */
const beginnings = /^(2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;

/** Hashes by path, read again if the file has changed. */
const known = new Map<string, { readonly stamp: string; readonly hash: string | undefined }>();

/**
 * Returns a hash of a program; undefined if the file is missing, not a program, unreadable or too large, because most arguments
 * are not files.
 */
function hashOfProgram(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > largest) return undefined;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.hash;
    const isProgram = endings.test(path) || beginnings.test(firstBytes(path).toString("hex"));
    const hash = isProgram ? createHash("sha256").update(readFileSync(path)).digest("hex") : undefined;
    known.set(path, { stamp, hash });
    return hash;
  } catch {
    return undefined;
  }
}

function firstBytes(path: string): Buffer {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

const hashOf = (value: Json): string => createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
