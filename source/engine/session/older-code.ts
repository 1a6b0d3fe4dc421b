/**
 * Results of the same run by older code of the user's own: of an extension, a tool server or an agent. They stay where they are, and are never passed off as results of the
 * present code, unless a person says that they hold for it: `kept.json` beside them says who did, and why.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { replaceFile } from "../files/replace-file.ts";
import { agentOption } from "../run/agents/agent-option.ts";
import { readStart } from "../log/file/log-reader.ts";
import { Problem } from "../problem.ts";
import { isRecord, parseJson } from "../text/json-record.ts";
import type { RunSpec } from "../types.ts";
import type { KeptResults, OlderRun, PlannedCell, PlannedRun } from "./run-cell.ts";
import { runId } from "./run-spec.ts";
import type { SessionFolder } from "./session-folder.ts";

/** The cell with the older runs of each of its runs; one whose results are kept stands in the place of the present one. */
export function withOlderRuns(cell: PlannedCell, folder: SessionFolder): PlannedCell {
  if (cell.runs.every(({ spec }) => codeIn(spec) === undefined)) return cell;
  return { ...cell, runs: cell.runs.map((planned) => withOlder(planned, folder)) };
}

function withOlder(planned: PlannedRun, folder: SessionFolder): PlannedRun {
  const { spec, predictions } = planned;
  const code = codeIn(spec);
  if (code === undefined || predictions !== undefined) return planned;
  const older = olderRuns(spec, folder);
  if (older.length === 0) return planned;
  for (const { run, spec: before } of older) {
    const kept = readKept(folder, run, code);
    if (kept !== undefined) return { ...planned, run, spec: before, kept: { ...kept, code } };
  }
  return { ...planned, older };
}

/** Runs of the session that differ from this one in nothing but the code, the youngest first. */
function olderRuns(spec: RunSpec, folder: SessionFolder): readonly OlderRun[] {
  const [own, others] = [runId(spec), idWithoutCode(spec)];
  const found = folder.runs().flatMap((run): readonly OlderRun[] => {
    if (run === own) return [];
    const start = startOf(join(folder.path, "runs", run, "events.jsonl"));
    if (start === undefined || codeIn(start.spec) === undefined || runId(start.spec) !== run) return [];
    return idWithoutCode(start.spec) === others ? [{ run, spec: start.spec, at: start.at }] : [];
  });
  return found.toSorted((one, other) => other.at - one.at);
}

/** How a run was begun; undefined where its log does not say. */
export function startOf(path: string) {
  try {
    return readStart(path);
  } catch {
    // Whatever stands there instead of a log.
    return undefined;
  }
}

/** What is the user's own in a run, by its hash: code of extensions by their parts, tool servers and agents; undefined: nothing. */
export function codeIn({ code = {}, toolServers = {}, agent, options }: RunSpec): RunSpec["code"] {
  // An environment of the user's own is code, and has no identity beside.
  const servers = Object.entries(toolServers).filter(([name]) => !Object.hasOwn(code, `environment:${name}`));
  const parts = {
    ...code,
    ...Object.fromEntries(servers.map(([name, identity]) => [`tool server ${name}`, identity])),
    ...(agent === undefined ? {} : { [`agent ${String(options[agentOption.name])}`]: agent }),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Equal for runs that differ in nothing but the user's own code. */
export function idWithoutCode(spec: RunSpec): string {
  const { code: _, agent: __, toolServers, ...rest } = spec;
  const named = toolServers && Object.fromEntries(Object.keys(toolServers).map((name) => [name, ""]));
  return runId({ ...rest, ...(named && { toolServers: named }) });
}

const keptFile = (folder: SessionFolder, run: string): string => join(folder.run(run), "kept.json");

/** Undefined where nothing is kept for this code, and where the file is not as we write it. */
function readKept(folder: SessionFolder, run: string, code: RunSpec["code"]): KeptResults | undefined {
  let text: string;
  try {
    text = readFileSync(keptFile(folder, run), "utf8");
  } catch {
    return undefined;
  }
  const value = parseJson(text);
  if (!isRecord(value) || !isDeepStrictEqual(value["code"], code)) return undefined;
  const { by, reason } = value;
  return typeof by === "string" && typeof reason === "string" && reason.trim() !== "" ? { by, reason } : undefined;
}

/** Keeps the results of an older run as those of this code. Throws `Problem` without a reason, and where that cannot be written. */
export function keepOlder(folder: SessionFolder, older: string, code: RunSpec["code"], kept: KeptResults): void {
  if (kept.reason.trim() === "") throw new Problem("parse", "A reason is required");
  folder.checkInPlace();
  replaceFile(keptFile(folder, older), `${JSON.stringify({ code, ...kept }, null, 2)}\n`);
}

/** From now on they are again what they were. */
export function withdrawKept(folder: SessionFolder, older: string): void {
  folder.checkInPlace();
  rmSync(keptFile(folder, older), { force: true });
}

/** `strategy 5a98b7fb`: which code a run was made with. */
export function codeText(spec: RunSpec): string {
  return Object.entries(codeIn(spec) ?? {})
    .map(([part, hash]) => `${part.replace(":", " ")} ${hash.slice(0, 8)}`)
    .join(", ");
}

/** What is said wherever kept results are shown. */
export function keptText({ by, reason }: KeptResults, spec: RunSpec): string {
  return `Results of older code (${codeText(spec)}), kept as the present ones by ${by}: ${reason}`;
}

/** What is said of results that do not count. */
export function olderText(older: readonly OlderRun[]): string {
  const runs = older.map(({ spec, at }) => `${codeText(spec)}, begun ${new Date(at).toISOString().slice(0, 10)}`);
  return `There are results of older code, which do not count: ${runs.join("; ")} (\`O\` or \`--keep-older REASON\` keeps them)`;
}
