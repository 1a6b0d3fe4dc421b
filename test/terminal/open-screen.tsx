/** The whole program on a terminal in memory: presses keys, and reads what a user would see. */
import { EventEmitter } from "node:events";
import { Console } from "node:console";
import xterm from "@xterm/headless";
import { startTerminal } from "../../source/terminal/start.tsx";
import { type DoubleWorkbench, openDouble } from "./double-workbench.ts";

// Ink puts a console of its own in place while it draws, and the test runner's lacks the class it is made from.
console.Console ??= Console;

type Options = {
  readonly columns?: number;
  readonly rows?: number;
  readonly colour?: boolean;
  readonly ascii?: boolean;
  readonly workbench?: DoubleWorkbench;
};

class FakeInput extends EventEmitter {
  readonly isTTY = true;
  #chunks: string[] = [];
  raw = false;
  setRawMode(on: boolean): this {
    this.raw = on;
    return this;
  }
  setEncoding = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
  read = (): string | null => this.#chunks.shift() ?? null;
  send(chunk: string): void {
    this.#chunks.push(chunk);
    this.emit("readable");
  }
}

class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  readonly terminal: xterm.Terminal;
  columns: number;
  rows: number;
  /** Everything that was written, for what a screen does not show. */
  written = "";
  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 100,
      convertEol: true,
    });
  }
  write = (text: string, then?: unknown): boolean => {
    this.written += text;
    this.terminal.write(text, () => typeof then === "function" && then());
    return true;
  };
  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.terminal.resize(columns, rows);
    this.emit("resize");
  }
}

export const enter = "\r";
export const escape = "\x1b";
export const down = "\x1b[B";
export const up = "\x1b[A";
export const ctrl = (letter: string): string => String.fromCodePoint(letter.codePointAt(0)! - 96);

const settle = 40;

export async function openScreen(options: Options = {}) {
  const { columns = 80, rows = 24, colour = false, ascii = false, workbench = openDouble() } = options;
  const stdin = new FakeInput();
  const stdout = new FakeOutput(columns, rows);
  const ended = startTerminal(workbench, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    colour,
    ascii,
    alternateScreen: true,
  });
  let left = false;
  const over = () => {
    left = true;
  };
  ended.then(over, over);
  const screen = {
    workbench,
    stdin,
    stdout,
    ended,
    left: () => left,
    lines(): string[] {
      const { active } = stdout.terminal.buffer;
      return Array.from(
        { length: stdout.rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
      );
    },
    text: () => screen.lines().join("\n"),
    /** Sends these chunks one after the other, each as a terminal would, and waits until the screen is still. */
    async press(...chunks: string[]): Promise<void> {
      for (const chunk of chunks) {
        stdin.send(chunk);
        await screen.still(chunk === escape ? settle + 30 : settle);
      }
    },
    wait,
    /** Until nothing was written for a while; a screen that moves by itself is given up on after some rounds. */
    async still(milliseconds = settle): Promise<void> {
      for (let round = 0; round < 5; round++) {
        const { length } = stdout.written;
        await wait(milliseconds);
        if (round > 0 && stdout.written.length === length) return;
      }
    },
    async close(): Promise<void> {
      if (left) return;
      stdin.send(ctrl("c"));
      await wait(settle);
      stdin.send(ctrl("c"));
      await ended;
    },
  };
  await screen.still();
  return screen;
}

/** Frames are drawn some milliseconds after a key; nothing signals the last one. */
function wait(milliseconds = settle): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
