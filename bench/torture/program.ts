/** The built program as a child, in a folder of its own that is gone afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");

export type Ended = { readonly status: number | null; readonly out: string; readonly err: string };
export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), "planwright-torture-"));

  at(...path: string[]): string {
    return join(this.folder, ...path);
  }

  /** Writes the document of the session `mine`. */
  session(text: string): void {
    mkdirSync(this.at("sessions/mine"), { recursive: true });
    writeFileSync(this.at("sessions/mine/session.md"), text);
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    return this.command(process.execPath, [cli, ...args], env);
  }

  command(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    const child = spawn(file, args, {
      cwd: this.folder,
      env: { ...process.env, PLANWRIGHT_CONFIG_DIR: this.at("settings"), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (err += data.toString()));
    const ended = new Promise<Ended>((resolve) => child.once("close", (status) => resolve({ status, out, err })));
    return { child, ended };
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** The events of all runs of the session, in order. */
  events(): readonly { readonly type: string; readonly task?: string; readonly reason?: string }[] {
    const runs = this.at("sessions/mine/runs");
    if (!existsSync(runs)) return [];
    return readdirSync(runs).flatMap((run) => {
      const log = join(runs, run, "events.jsonl");
      const text = existsSync(log) ? readFileSync(log, "utf8") : "";
      // The last line may be in the middle of being written.
      const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
      return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { type: string });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

type Result = { readonly title: string; readonly cells: readonly Record<string, unknown>[] };

/** What `run --json` says of results: all of it but times, and what was spent on attempts that were lost. */
export function results(json: string): string {
  const { cells } = JSON.parse(json) as Result;
  return JSON.stringify(cells, (key, value: unknown) => (passing.has(key) ? undefined : value), 1);
}

const passing = new Set(
  "from to seconds rate left calls retries tokens cost spent startedAt endedAt attempts at width message counted".split(
    " ",
  ),
);

/** How two results differ, in a sentence; undefined where they do not. */
export function difference(before: string, now: string): string | undefined {
  if (before === now) return undefined;
  const [expected, got] = [before.split("\n"), now.split("\n")];
  const line = expected.findIndex((each, index) => each !== got[index]);
  return `expected \`${expected[line]?.trim()}\`, got \`${got[line]?.trim()}\` in line ${line} of the results`;
}

/** Tasks scored more than once, or lost, among so many. */
export function scoredOnce(scene: Scene, tasks: number): string[] {
  const scored = scene.events().flatMap(({ type, task }) => (type === "scored" ? [task] : []));
  const distinct = new Set(scored).size;
  return [
    ...(distinct === tasks ? [] : [`${tasks - distinct} of ${tasks} tasks have no score`]),
    ...(scored.length === distinct ? [] : [`${scored.length - distinct} tasks were scored twice`]),
  ];
}
