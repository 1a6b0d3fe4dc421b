/** The whole program on an in-memory terminal: presses keys, and reads the visible screen. */
import { EventEmitter } from "node:events";
import { Console } from "node:console";
import xterm from "@xterm/headless";
import { onTestFinished, vi } from "vitest";
import type { PictureProtocol } from "../../source/terminal/painting/picture.ts";
import { startTerminal } from "../../source/terminal/start.tsx";
import type { Workbench } from "../../source/engine/workbench/workbench.ts";
import { type DoubleWorkbench, openDouble } from "./double-workbench.ts";

// Ink installs its own console while it draws, and the test runner's console lacks the class for it.
console.Console ??= Console;

type Look = {
  readonly columns?: number;
  readonly rows?: number;
  readonly colour?: boolean;
  readonly ascii?: boolean;
  readonly alternateScreen?: boolean;
  readonly screenReader?: boolean;
  readonly mouse?: boolean;
  readonly pictures?: PictureProtocol;
};
type Options = Look & { readonly workbench?: DoubleWorkbench };

class FakeInput extends EventEmitter {
  readonly isTTY = true;
  #chunks: string[] = [];
  raw = false;
  setRawMode(on: boolean): this {
    this.raw = on;
    this.emit("raw");
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
  /** Everything written, even what the screen does not show. */
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

/** Milliseconds of the test's clock after which every due frame has been drawn. */
const settle = 40;

export const openScreen = ({ workbench = openDouble(), ...look }: Options = {}) => openScreenOf(workbench, look);

/** The screen of this workbench, for example a real one. */
export async function openScreenOf<Shown extends Workbench>(workbench: Shown, look: Look = {}) {
  keepConsole();
  turnTimers();
  const {
    columns = 80,
    rows = 24,
    colour = false,
    ascii = false,
    alternateScreen = true,
    screenReader = false,
    mouse = false,
    pictures,
  } = look;
  const stdin = new FakeInput();
  const stdout = new FakeOutput(columns, rows);
  let echoed = "";
  stdin.once("raw", () => (echoed = stdout.written));
  const ended = startTerminal(workbench, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    colour,
    ascii,
    alternateScreen,
    screenReader,
    mouse,
    pictures,
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
    /** The output before the terminal stopped echoing keys. */
    writtenBeforeRaw: () => echoed,
    lines(): string[] {
      const { active } = stdout.terminal.buffer;
      return Array.from(
        { length: stdout.rows },
        (_, row) =>
          active
            .getLine(active.baseY + row)
            ?.translateToString(true, 0, stdout.columns)
            .trimEnd() ?? "",
      );
    },
    text: () => screen.lines().join("\n"),
    /** Sends these chunks one after another, each like a terminal would, and advances time until the screen is still. */
    async press(...chunks: string[]): Promise<void> {
      for (const chunk of chunks) {
        stdin.send(chunk);
        await screen.still(chunk === escape ? settle + 30 : settle);
      }
    },
    pass,
    /** Waits until nothing was written for a while, or gives up after some rounds on a screen that never rests. */
    async still(milliseconds = settle): Promise<void> {
      for (let round = 0; round < 5; round++) {
        const { length } = stdout.written;
        await pass(milliseconds);
        if (round > 0 && stdout.written.length === length) return;
      }
    },
    async close(): Promise<void> {
      if (left) return;
      stdin.send(ctrl("c"));
      await pass(settle);
      stdin.send(ctrl("c"));
      await screen.over();
    },
    /** Advances time until the program has ended. */
    async over(): Promise<void> {
      while (!left) await pass();
      await ended;
    },
  };
  await screen.still();
  return screen;
}

/** Ink replaces the console, but restores none if two screens were open at once. */
function keepConsole(): void {
  const own = { ...console };
  onTestFinished(() => void Object.assign(console, own));
}

/** From here on only the test advances time: Ink draws frames some milliseconds apart, and a form rests between keys. */
function turnTimers(): void {
  if (vi.isFakeTimers()) return;
  const began = Date.now();
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    now: began,
  });
  // Whole milliseconds: with fractions an animation that is due at once would be due forever.
  const now = vi.spyOn(performance, "now").mockImplementation(() => Date.now() - began);
  onTestFinished(() => {
    now.mockRestore();
    vi.useRealTimers();
  });
}

/** Advances the test's clock by so many milliseconds, and gives React its iterations of the event loop meanwhile. */
async function pass(milliseconds = settle): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await vi.advanceTimersByTimeAsync(step);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
const step = 5;
