/** Gathers the files of logs of Claude Code, or of spans, as the lines of one recording. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { claudeCodeRecording } from "../../engine/workbench/recordings/claude-code-recording.ts";
import { otelRecording } from "../../engine/workbench/recordings/otel-recording.ts";
import { boundedLines, boundedText } from "../../engine/text/bounded-text.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { parseJson, textAt } from "../../engine/text/json-record.ts";
import { declaredSize, type ReadBounds } from "../../engine/text/read-bounds.ts";
import type { Opened } from "./import.ts";
import { hashOfLines, type Lines } from "./kept-predictions.ts";

/**
 * Returns each session followed by its subagents, whose files are in its folder `subagents`, or beside it as `agent-ID.jsonl`.
 */
export async function claudeCodeOf(given: readonly string[], bounds: ReadBounds): Promise<Opened> {
  const files = await sessionFiles(
    given.flatMap((path) => filesAt(path, ".jsonl")),
    bounds,
  );
  const all = given.join(", ");
  if (files.length === 0) throw new DataProblem(`Expected sessions (.jsonl) in ${all}, found none`);
  for (const file of files) bounds.expect(file, declaredSize(file));
  const lines = async function* () {
    for (const file of files) yield* boundedLines(file, bounds, (text) => text);
  };
  return opened(await claudeCodeRecording(lines, all), `${stem(given)}.claude-code.jsonl`, lines);
}

/** Reads files that contain one document, or one document per line. */
export async function otelOf(given: readonly string[], bounds: ReadBounds): Promise<Opened> {
  const files = given.flatMap((path) => filesAt(path, ".json", ".jsonl"));
  const all = given.join(", ");
  if (files.length === 0) throw new DataProblem(`Expected spans (.json, .jsonl) in ${all}, found none`);
  for (const file of files) bounds.expect(file, declaredSize(file));
  const lines = async function* () {
    for (const file of files) {
      const whole = parseJson(await boundedText(file, bounds));
      if (whole === undefined) yield* boundedLines(file, bounds, (text) => text);
      else yield JSON.stringify(whole);
    }
  };
  return opened(await otelRecording(lines, all), `${stem(given)}.otlp.jsonl`, lines);
}

const opened = async (recording: Opened["recording"], name: string, lines: Lines): Promise<Opened> => ({
  recording,
  kept: { name, lines, hash: await hashOfLines(lines) },
});

const stem = ([first = ""]: readonly string[]): string => basename(first).replace(/\.jsonl?(\.gz)?$/, "");

/** Returns the file itself, or the files of a folder with these endings. */
function filesAt(path: string, ...endings: readonly string[]): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => endings.some((ending) => name.endsWith(ending)));
  return names.toSorted().map((name) => join(path, name));
}

const isAgents = (file: string): boolean => basename(file).startsWith("agent-");

async function sessionFiles(files: readonly string[], bounds: ReadBounds): Promise<readonly string[]> {
  const agents = new Map<string, string[]>();
  for (const file of files.filter(isAgents)) {
    const session = await sessionOf(file, bounds);
    agents.set(session, [...(agents.get(session) ?? []), file]);
  }
  const ordered: string[] = [];
  for (const file of files.filter((each) => !isAgents(each))) {
    const session = await sessionOf(file, bounds);
    const folder = join(dirname(file), basename(file, ".jsonl"), "subagents");
    const beside = agents.get(session) ?? [];
    agents.delete(session);
    ordered.push(file, ...(existsSync(folder) ? filesAt(folder, ".jsonl") : []), ...beside);
  }
  // Subagents without their session.
  return [...ordered, ...[...agents.values()].flat()];
}

/** Returns the first session that a file names; empty for none. */
async function sessionOf(file: string, bounds: ReadBounds): Promise<string> {
  for await (const session of boundedLines(file, bounds, (text) => textAt(parseJson(text), "sessionId")))
    if (session !== "") return session;
  return "";
}
