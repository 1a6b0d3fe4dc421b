/** What makes results of one tool server or agent those of no other, and what a user agrees to who allows one. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../../settings/settings.ts";
import type { ToolServer, UserProgram } from "../../settings/user-program.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
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
 * By arguments, by what stands in the files among them (`agent.py`), and by what a tool server reported. Where it is started, its
 * limits and the values of its environment are no part of it.
 */
function identityOfProgram(program: UserProgram | ToolServer): string {
  const { command = [], folder = ".", environment = {}, kept } = program;
  const { url, reported } = program as Partial<ToolServer>;
  const files = command.flatMap((argument) => hashOfFile(resolve(folder, argument)) ?? []);
  const variables = Object.keys(environment);
  return hashOf({ command, files, variables, kept, url, reported } as unknown as Json);
}

/** What is started or asked, as it was added: another command under the same name has to be allowed anew. */
export function allowedAs(program: UserProgram | ToolServer): string {
  const { command, folder } = program;
  const { url } = program as Partial<ToolServer>;
  return hashOf({ command, folder, url } as unknown as Json);
}

/** Larger files are no programs that somebody is writing. */
const largest = 4_000_000;

/** Read again where the file has changed. */
const known = new Map<string, { readonly stamp: string; readonly hash: string }>();

/** Undefined where there is no such file, it cannot be read, or it is a large one: most arguments are no files at all. */
function hashOfFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > largest) return undefined;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.hash;
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    known.set(path, { stamp, hash });
    return hash;
  } catch {
    return undefined;
  }
}

function hashOf(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}
