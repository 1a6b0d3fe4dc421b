/**
 * A program of the user's while it runs: a process group of its own, talked to in lines. It is ended with everything it started
 * whenever it is no longer needed, and by whatever way Planwright ends; after SIGKILL by the next start (`program-note.ts`).
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Problem } from "../../problem.ts";
import type { UserProgram } from "../../settings/user-program.ts";
import type { Clock, Timer } from "../../work/clock.ts";
import { hidingSecrets, programEnvironment } from "./program-environment.ts";
import { endGroup, noteProgram } from "./program-note.ts";
import { readdir, readFile } from "node:fs/promises";

/** Where programs are started from. */
export type ProgramPlace = {
  /** The folder in which running programs are noted; absent: there is none. */
  readonly notes?: string | undefined;
  readonly clock: Clock;
};

/** Characters: the longest line taken, and how much of what it writes to standard error is kept. */
const longestLine = 10_000_000;
const keptErrors = 2_000;
/** Milliseconds a program has to end once its input is closed, and again once it is asked to; and between looks at its memory. */
const grace = 2_000;
const memoryPace = 1_000;

/** Programs that run, which a program that ends in the middle of things still ends. */
const running = new Set<StartedProgram>();
process.on("exit", () => {
  for (const program of running) program.kill();
});

export class StartedProgram {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #program: UserProgram;
  readonly #clock: Clock;
  readonly #hide: (text: string) => string;
  readonly #forget: () => void;
  #errors = "";
  #why: string | undefined;
  #memoryTimer: Timer | undefined;
  /** Resolves to why it ended, in words. */
  readonly ended: Promise<string>;

  /** Resolves once it runs. Throws `Problem` where it cannot be started. */
  static async start(program: UserProgram, place: ProgramPlace): Promise<StartedProgram> {
    const { name, command: [file, ...args] = [], folder } = program;
    if (file === undefined) throw new TypeError(`Expected a command for \`${name}\`, got none`);
    const child = spawn(file, args, {
      cwd: folder,
      env: programEnvironment(program, process.env),
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own: what it starts is ended with it, and keys typed in our terminal do not reach it.
      detached: true,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once("spawn", resolve).once("error", (error) => reject(cannotStart(program, error)));
    await promise;
    return new StartedProgram(child, program, place);
  }

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    program: UserProgram,
    { notes, clock }: ProgramPlace,
  ) {
    this.#child = child;
    this.#program = program;
    this.#clock = clock;
    this.#hide = hidingSecrets(program.environment ?? {}, process.env);
    running.add(this);
    this.#forget = notes === undefined ? () => {} : noteProgram(notes, child.pid!);
    child.stdout.setEncoding("utf8");
    child.stderr
      .setEncoding("utf8")
      .on("data", (text: string) => (this.#errors = `${this.#errors}${text}`.slice(-keptErrors)));
    // Whoever writes to a program that has ended learns it from `ended`.
    child.stdin.on("error", () => {});
    // Its output may never be read to the end, but its errors are.
    const errorsRead = new Promise((resolve) => child.stderr.once("close", resolve));
    this.ended = new Promise((resolve) => {
      child.once("exit", (status, signal) => {
        // What it left behind goes with it.
        this.kill();
        this.#gone();
        for (const output of [child.stdout, child.stderr]) this.#closeOnceRead(output);
        void errorsRead.then(() => resolve(this.#why ?? this.#ending(status, signal)));
      });
    });
    this.#watchMemory();
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The lines it writes, none longer than ten million characters: after such a one it is ended. For one reader. */
  async *lines(): AsyncGenerator<string> {
    // In pieces until it is whole: a long line comes in many, and is looked through once.
    let pieces: string[] = [];
    let length = 0;
    try {
      for await (const text of this.#child.stdout as AsyncIterable<string>) {
        const [first = "", ...others] = text.split("\n");
        pieces.push(first);
        length += first.length;
        for (const other of others) {
          const line = pieces.join("");
          [pieces, length] = [[other], other.length];
          if (line.trim() !== "") yield line;
        }
        if (length > longestLine) return this.#endFor("it wrote a line of more than 10 MB");
      }
    } catch (error) {
      // It was ended in the middle of a line.
      if (running.has(this)) throw error;
    }
  }

  /** Writes a line; resolves when there is room for another. */
  async write(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable || stdin.write(`${line}\n`)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    stdin.once("drain", resolve);
    await Promise.race([promise, this.ended]);
    stdin.off("drain", resolve);
  }

  /** Text of it without the values it was given in its environment. */
  hide(text: string): string {
    return this.#hide(text);
  }

  /** Closes its input and gives it some time; what has not ended then is asked to, and at last killed. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const timers: Timer[] = [];
    timers.push(
      this.#clock.setTimeout(() => {
        endGroup(this.pid, "SIGTERM");
        timers.push(this.#clock.setTimeout(() => this.kill(), grace));
      }, grace),
    );
    await this.ended;
    for (const timer of timers) this.#clock.clearTimeout(timer);
  }

  /** Kills it at once, with everything it started. */
  kill(): void {
    endGroup(this.pid);
    this.#forget();
  }

  /** Kills it for a reason, which `ended` gives. */
  #endFor(why: string): void {
    this.#why ??= why;
    this.kill();
  }

  #gone(): void {
    this.#clock.clearTimeout(this.#memoryTimer);
    running.delete(this);
    this.#forget();
  }

  /** After its end: what it started in a session of its own lives on, and may hold its output open. Nothing more of it comes then. */
  #closeOnceRead(output: Readable): void {
    if (output.closed) return;
    let timer: Timer | undefined;
    const wait = () => {
      timer = this.#clock.setTimeout(() => (output.readableLength === 0 ? output.destroy() : wait()), grace);
      timer.unref();
    };
    output.once("close", () => this.#clock.clearTimeout(timer));
    wait();
  }

  #ending(status: number | null, signal: NodeJS.Signals | null): string {
    const how = signal === null ? `it ended with status ${status}` : `it was ended by ${signal}`;
    const lines = this.#hide(this.#errors).trim().split("\n");
    // The error itself, where there is one: what Node writes ends with its version, and other traces with where it was.
    const said = lines.findLast((line) => /^[\w.]{0,100}(?:Error|Exception)\b/.test(line)) ?? lines.at(-1)!;
    return said === "" ? how : `${how}: ${said}`;
  }

  #watchMemory(): void {
    const look = async () => {
      const used = (await groupMemory(new Set([this.pid]))).get(this.pid) ?? 0;
      const { megabytes } = this.#program;
      if (used > megabytes * 1_000_000) this.#endFor(`it used more than ${megabytes} MB of memory`);
      else if (running.has(this)) this.#watchMemory();
    };
    this.#memoryTimer = this.#clock.setTimeout(() => void look(), memoryPace);
    this.#memoryTimer.unref();
  }
}

function cannotStart({ name, command = [], folder }: UserProgram, error: Error): Problem {
  return new Problem("tool", `\`${name}\` could not be started: \`${command[0]}\` in ${folder} (${error.message})`);
}

/** Bytes in memory by process group; empty where they cannot be seen. */
async function groupMemory(groups: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const name of processes) {
    // The second field is the program's name in brackets, which may hold anything; the group is the third behind it.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const group = Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[2]);
    if (!groups.has(group)) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    sums.set(group, (sums.get(group) ?? 0) + kilobytes * 1024);
  }
  return sums;
}
