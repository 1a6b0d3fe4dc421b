/** The built program as a child, in a folder of its own that is gone afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");

export type Ended = { readonly status: number | null; readonly out: string; readonly err: string };
export type Started = {
  readonly child: ChildProcess;
  /** So far. */
  readonly printed: { readonly out: string; readonly err: string };
  readonly ended: Promise<Ended>;
};

export class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), "planwright-torture-"));
  readonly #children: ChildProcess[] = [];

  at(...path: string[]): string {
    return join(this.folder, ...path);
  }

  /** Writes the document of a session, and these files beside it. */
  session(text: string, files: Readonly<Record<string, string>> = {}, name = "mine"): void {
    mkdirSync(this.at("sessions", name), { recursive: true });
    for (const [file, content] of Object.entries({ "session.md": text, ...files }))
      writeFileSync(this.at("sessions", name, file), content);
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
    this.#children.push(child);
    const printed = { out: "", err: "" };
    child.stdout.on("data", (data: Buffer) => (printed.out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (printed.err += data.toString()));
    const ended = new Promise<Ended>((resolve) => child.once("close", (status) => resolve({ status, ...printed })));
    return { child, printed, ended };
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

  /** Kills running programs, even if a part fails, and removes the folder. */
  [Symbol.dispose](): void {
    for (const child of this.#children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

type Result = { readonly title: string; readonly cells: readonly Record<string, unknown>[] };

/** Results in `run --json` without times and usage of lost attempts. */
export function results(json: string): string {
  const { cells } = JSON.parse(json) as Result;
  return JSON.stringify(cells, (key, value: unknown) => (passing.has(key) ? undefined : value), 1);
}

const passing = new Set(
  "from to seconds rate left calls retries tokens cost spent startedAt endedAt attempts at width message counted".split(
    " ",
  ),
);

/** Returns how two results differ, in a sentence; undefined if they are equal. */
export function difference(before: string, now: string): string | undefined {
  if (before === now) return undefined;
  const [expected, got] = [before.split("\n"), now.split("\n")];
  const line = expected.findIndex((each, index) => each !== got[index]);
  return `expected \`${expected[line]?.trim()}\`, got \`${got[line]?.trim()}\` in line ${line} of the results`;
}

/** Returns the runs that `run --json` printed; undefined if it printed none. */
export function runsIn(json: string): readonly { readonly calls: number; readonly counts: Record<string, number> }[] {
  const cells = json.startsWith("{") ? (JSON.parse(json) as Result).cells : [];
  return cells.flatMap(({ runs = [] }) => runs as ReturnType<typeof runsIn>);
}

/** Tasks scored more than once, or lost, among so many. */
export function scoredOnce(scene: Scene, tasks: number): string[] {
  const scored = scoredTasks(scene);
  const distinct = new Set(scored).size;
  return [
    ...(distinct === tasks ? [] : [`${tasks - distinct} of ${tasks} tasks have no score`]),
    ...(scored.length === distinct ? [] : [`${scored.length - distinct} tasks were scored twice`]),
  ];
}

/** Returns tasks of all runs of the session `mine`, in order; a task occurs as often as it was scored. */
export function scoredTasks(scene: Scene): readonly (string | undefined)[] {
  return scene.events().flatMap(({ type, task }) => (type === "scored" ? [task] : []));
}
