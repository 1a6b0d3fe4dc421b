/** What makes results of one tool server or agent those of no other, and what a user agrees to who allows one. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../../settings/settings.ts";
import type { ToolServer, UserProgram } from "../../settings/user-program.ts";
import { canonicalJson } from "../../text/json-record.ts";
import type { Json } from "../../types.ts";

/** The identities of the programs that runs may name, by name: part of the id of runs that do. */
export type ProgramIdentities = {
  readonly toolServers: ReadonlyMap<string, string>;
  readonly agents: ReadonlyMap<string, string>;
};

export function programIdentities({ toolServers = [], agents = [] }: Settings): ProgramIdentities {
  const identities = (all: readonly UserProgram[]) => new Map(all.map((each) => [each.name, identityOfProgram(each)]));
  return { toolServers: identities(toolServers), agents: identities(agents) };
}

/**
 * By arguments, by what stands in the programs among them (`agent.py`), and by what a tool server reported. Any other file there is
 * data, which the program itself may write to while it runs: its name is part of it alone. Where it is started, its limits and
 * the values of its environment are no part of it.
 */
export function identityOfProgram(program: UserProgram | ToolServer): string {
  const { command = [], folder = ".", environment = {}, kept } = program;
  const { url, reported } = program as Partial<ToolServer>;
  const files = command.flatMap((argument) => hashOfProgram(resolve(folder, argument)) ?? []);
  const variables = Object.keys(environment);
  return hashOf({ command, files, variables, kept, url, reported } as unknown as Json);
}

/** What is started or asked, as it was added: another command under the same name has to be allowed anew. */
export function allowedAs(program: UserProgram | ToolServer): string {
  const { command, folder } = program;
  const { url } = program as Partial<ToolServer>;
  return hashOf({ command, folder, url } as unknown as Json);
}

/** Bytes of a program: larger ones are interpreters, which are not what somebody is writing. */
const largest = 64_000_000;

/** What programs are called, by the language they are written in or packed for. */
const endings =
  /\.([cm]?[jt]sx?|pyw?|pyz|rb|pl|php|lua|jl|[rR]|sh|bash|zsh|fish|ps1|bat|cmd|exe|go|rs|java|jar|kts?|scala|cs|fsx?|exs?|erl|clj|hs|ml|swift|tcl|awk|wasm)$/;

/** How they begin, whatever they are called: scripts, and those of Linux, Windows and macOS, as hexadecimal digits. */
const beginnings = /^(2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;

/** Read again where the file has changed. */
const known = new Map<string, { readonly stamp: string; readonly hash: string | undefined }>();

/** Undefined where there is no such file, or it is no program, cannot be read or is too large: most arguments are no files at all. */
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

function hashOf(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}
