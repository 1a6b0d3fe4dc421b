/**
 * Finds results that older versions of the user's code (an extension, a tool server or an agent) made for the same run. They stay
 * in their folder and count for the current code only if a person accepts them: `kept.json` next to them contains the person and
 * the reason.
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
import { type AskedSuite, isFolderOf } from "./run-identity.ts";
import { runId } from "./run-spec.ts";
import type { SessionFolder } from "./session-folder.ts";
import { fallback } from "../work/fallback.ts";

/** Adds its older runs to each run of the cell; an older run with accepted results replaces the current run. */
export function withOlderRuns(
  cell: PlannedCell,
  folder: SessionFolder,
  suiteOf: (name: string) => AskedSuite,
): PlannedCell {
  if (cell.runs.every(({ spec }) => codeIn(spec) === undefined)) return cell;
  return { ...cell, runs: cell.runs.map((planned) => withOlder(planned, folder, suiteOf(planned.spec.suite))) };
}

function withOlder(planned: PlannedRun, folder: SessionFolder, suite: AskedSuite): PlannedRun {
  const { spec, predictions } = planned;
  const code = codeIn(spec);
  if (code === undefined || predictions !== undefined) return planned;
  const older = olderRuns(planned, folder, suite);
  if (older.length === 0) return planned;
  for (const { run, spec: before } of older) {
    const kept = readKept(folder, run, code);
    if (kept === undefined) continue;
    const { limit, filter, budget } = spec;
    const chosen = { ...before, limit, filter, budget };
    const stored = { folder: run, spec: before };
    return { ...planned, run: runId(chosen), stored, spec: chosen, kept: { ...kept, code } };
  }
  return { ...planned, older };
}

/** Returns runs of the session that differ from this run only in code, the latest first. */
function olderRuns(
  { run: own, stored, spec }: PlannedRun,
  folder: SessionFolder,
  suite: AskedSuite,
): readonly OlderRun[] {
  const others = [spec, stored.spec].map(idWithoutCode);
  const found = folder.runs().flatMap((run): readonly OlderRun[] => {
    if (run === own || run === stored.folder) return [];
    const start = startOf(join(folder.path, "runs", run, "events.jsonl"));
    if (start === undefined || codeIn(start.spec) === undefined || !isFolderOf(run, start.spec, suite)) return [];
    return others.includes(idWithoutCode(start.spec)) ? [{ run, spec: start.spec, at: start.at }] : [];
  });
  return found.toSorted((one, other) => other.at - one.at);
}

/** Returns the record of a run's start; undefined if its log does not contain one. */
export const startOf = (path: string) => fallback(() => readStart(path));

/**
 * Returns the user's code in a run, by its hash: extensions by their parts, tool servers and agents; undefined if there is none.
 */
export function codeIn({ code = {}, toolServers = {}, agent, options }: RunSpec): RunSpec["code"] {
  // An environment of the user's is code, and has no separate identity.
  const servers = Object.entries(toolServers).filter(([name]) => !Object.hasOwn(code, `environment:${name}`));
  const parts = {
    ...code,
    ...Object.fromEntries(servers.map(([name, identity]) => [`tool server ${name}`, identity])),
    ...(agent === undefined ? {} : { [`agent ${String(options[agentOption.name])}`]: agent }),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Returns an id that is equal for runs that differ only in the user's code. */
export function idWithoutCode(spec: RunSpec): string {
  const { code: _, agent: __, toolServers, ...rest } = spec;
  const named = toolServers && Object.fromEntries(Object.keys(toolServers).map((name) => [name, ""]));
  return runId({ ...rest, ...(named && { toolServers: named }) });
}

const keptFile = (folder: SessionFolder, run: string): string => join(folder.run(run), "kept.json");

/** Returns the accepted results; undefined if there are none for this code, or the file is in another format. */
function readKept(folder: SessionFolder, run: string, code: RunSpec["code"]): KeptResults | undefined {
  const value = fallback(() => parseJson(readFileSync(keptFile(folder, run), "utf8")));
  if (!isRecord(value) || !isDeepStrictEqual(value["code"], code)) return undefined;
  const { by, reason } = value;
  return typeof by === "string" && typeof reason === "string" && reason.trim() !== "" ? { by, reason } : undefined;
}

/** Records that the results of an older run count for this code. Throws `Problem` without a reason, or if writing fails. */
export function keepOlder(folder: SessionFolder, older: string, code: RunSpec["code"], kept: KeptResults): void {
  if (kept.reason.trim() === "") throw new Problem("parse", "A reason is required");
  folder.checkInPlace();
  replaceFile(keptFile(folder, older), `${JSON.stringify({ code, ...kept }, null, 2)}\n`);
}

/** Withdraws the confirmation of an older run. */
export function withdrawKept(folder: SessionFolder, older: string): void {
  folder.checkInPlace();
  rmSync(keptFile(folder, older), { force: true });
}

/** Returns the code a run was made with, such as `strategy 5a98b7fb`. */
export const codeText = (spec: RunSpec): string =>
  Object.entries(codeIn(spec) ?? {})
    .map(([part, hash]) => `${part.replace(":", " ")} ${hash.slice(0, 8)}`)
    .join(", ");

/** Returns the note that every screen with accepted results shows. */
export const keptText = ({ by, reason }: KeptResults, spec: RunSpec): string =>
  `Results of older code (${codeText(spec)}), accepted for the present code by ${by}: ${reason}`;

/** Returns the note on results that do not count. */
export function olderText(older: readonly OlderRun[]): string {
  const runs = older.map(({ spec, at }) => `${codeText(spec)}, started ${new Date(at).toISOString().slice(0, 10)}`);
  return `Results of older code do not count: ${runs.join("; ")} (\`O\` or \`--keep-older REASON\` keeps them)`;
}
