/**
 * A running program of the user: a process group of its own that reads and writes lines. It is ended with all its processes when
 * it is no longer needed and however Planwright ends; after SIGKILL by the next start (`program-note.ts`).
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { Problem } from "../../problem.ts";
import type { UserProgram } from "../../settings/user-program.ts";
import type { Clock, Timer } from "../../work/clock.ts";
import { hidingSecrets, programEnvironment } from "./program-environment.ts";
import { endGroup, noteProgram } from "./program-note.ts";
import { readdir, readFile } from "node:fs/promises";

/** The folders and variables of started programs. */
export type ProgramPlace = {
  /** Folder for notes on running programs; absent if there is none. */
  readonly notes?: string | undefined;
  readonly clock: Clock;
};

/** Maximum number of characters of an accepted line, and number of characters kept of standard error. */
const longestLine = 10_000_000;
const keptErrors = 2_000;
/**
 * Maximum milliseconds for a program to end after its input is closed, and again after the signal; also the interval of memory
 * checks.
 */
const grace = 2_000;
const memoryPace = 1_000;

/** Running programs, which are ended even if this process ends unexpectedly. */
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
  /** Resolves to the reason of the end, as text. */
  readonly ended: Promise<string>;

  /** Resolves once the program runs. Throws `Problem` if it cannot be started. */
  static async start(program: UserProgram, place: ProgramPlace): Promise<StartedProgram> {
    const { name, command: [file, ...args] = [], folder } = program;
    if (file === undefined) throw new TypeError(`Expected a command for \`${name}\`, got none`);
    const child = spawn(file, args, {
      cwd: folder,
      env: programEnvironment(program, process.env),
      stdio: ["pipe", "pipe", "pipe"],
      // Its own group, so that its children end with it and keys typed in our terminal do not reach it.
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
    // A writer to an ended program learns the reason from `ended`.
    child.stdin.on("error", () => {});
    // Its output may never be read to the end, but its errors are.
    const errorsRead = new Promise((resolve) => child.stderr.once("close", resolve));
    this.ended = new Promise((resolve) => {
      child.once("exit", (status, signal) => {
        // Ends its remaining children.
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

  /**
   * Yields the lines that the program writes. A line of more than ten million characters ends the program. Only one reader may
   * use it.
   */
  async *lines(): AsyncGenerator<string> {
    // A long line comes in many pieces; each piece is scanned once.
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
        if (length > longestLine) return this.#endFor("the program wrote a line of more than 10 MB");
      }
    } catch (error) {
      // The program was ended in the middle of a line.
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

  /** Returns the text without the values of the program's variables. */
  hide(text: string): string {
    return this.#hide(text);
  }

  /** Closes the input of the program and waits; then sends a signal, and finally kills the program. */
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

  /** Kills the program with all its processes. */
  kill(): void {
    endGroup(this.pid);
    this.#forget();
  }

  /** Kills the program with a reason, to which `ended` resolves. */
  #endFor(why: string): void {
    this.#why ??= why;
    this.kill();
  }

  #gone(): void {
    this.#clock.clearTimeout(this.#memoryTimer);
    running.delete(this);
    this.#forget();
  }

  /** Stops reading after the program's end, because child processes in a session of their own may keep its output open. */
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
    const how = signal === null ? `the program ended with status ${status}` : `the program was ended by ${signal}`;
    const lines = this.#hide(this.#errors).trim().split("\n");
    // Prefers the error itself, because Node's output ends with its version and other traces with places.
    const said = lines.findLast((line) => /^[\w.]{0,100}(?:Error|Exception)\b/.test(line)) ?? lines.at(-1)!;
    return said === "" ? how : `${how}: ${said}`;
  }

  #watchMemory(): void {
    const look = async () => {
      const used = (await groupMemory(new Set([this.pid]))).get(this.pid) ?? 0;
      const { megabytes } = this.#program;
      if (used > megabytes * 1_000_000) this.#endFor(`the program used more than ${megabytes} MB of memory`);
      else if (running.has(this)) this.#watchMemory();
    };
    this.#memoryTimer = this.#clock.setTimeout(() => void look(), memoryPace);
    this.#memoryTimer.unref();
  }
}

const cannotStart = ({ name, command = [], folder }: UserProgram, error: Error): Problem =>
  new Problem("tool", `\`${name}\` could not be started: \`${command[0]}\` in ${folder} (${error.message})`);

/** Returns bytes in memory by process group; empty if they are unavailable. */
async function groupMemory(groups: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const name of processes) {
    // The second field is the program's name in brackets, which may contain anything; the group is the third after it.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const group = Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[2]);
    if (!groups.has(group)) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    sums.set(group, (sums.get(group) ?? 0) + kilobytes * 1024);
  }
  return sums;
}
