/** The program in a real pseudo-terminal, with a screen that can be read and keys that can be typed. */
import { join } from "node:path";
import { spawn, type IPty } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { installedProgram } from "../built-program.ts";

export type PseudoTerminal = {
  /** Returns the text of the screen, without trailing blanks. */
  screen(): string;
  /** The screen itself, for its colours. */
  readonly terminal: xterm.Terminal;
  /** Returns all output so far, including escape sequences. */
  readonly written: () => string;
  type(keys: string): void;
  /** Resolves with the screen once it matches, without a time limit; rejects if the program ends before. */
  waitFor(pattern: RegExp): Promise<string>;
  /** Returns the pattern being waited for. */
  readonly awaited: () => RegExp | undefined;
  resize(columns: number, rows: number): void;
  kill(signal: string): void;
  /** Closes the terminal, as closing its window or losing the connection does. */
  hangUp(): void;
  /** Resolves with the exit status. */
  readonly ended: Promise<number>;
  readonly pid: number;
};

export type Start = {
  readonly args: readonly string[];
  readonly folder: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell to start instead of the program. */
  readonly shell?: readonly [file: string, ...given: readonly string[]];
};

/** Starts the built program, or a given shell, such as `["bash", "-i"]`. */
export function openProgram({ args, folder, columns = 100, rows = 30, env = {}, shell }: Start): PseudoTerminal {
  const base = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name, value]) => value !== undefined && !["NO_COLOR", "FORCE_COLOR", "CI"].includes(name),
    ),
  ) as Record<string, string>;
  const size = { cols: columns, rows };
  const [file, ...given] = shell ?? installedProgram();
  const child = spawn(file, [...given, ...args], {
    ...size,
    name: "xterm-256color",
    cwd: folder,
    env: { ...base, LANG: "C.UTF-8", PLANWRIGHT_CONFIG_DIR: join(folder, "settings"), NODE_ENV: "production", ...env },
  });
  return watched(child, size);
}

function watched(child: IPty, size: { cols: number; rows: number }): PseudoTerminal {
  const terminal = new xterm.Terminal({ ...size, allowProposedApi: true, scrollback: 1000 });
  let written = "";
  let awaited: RegExp | undefined;
  child.onData((data) => {
    written += data;
    terminal.write(data);
  });
  // A terminal answers queries about itself.
  terminal.onData((answer) => child.write(answer));
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const screen = () => {
    const { active } = terminal.buffer;
    const lines = Array.from(
      { length: terminal.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "",
    );
    return lines.join("\n");
  };
  return {
    terminal,
    screen,
    written: () => written,
    type: (keys) => child.write(keys),
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        awaited = pattern;
        const look = (whole = !terminal.modes.synchronizedOutputMode) => {
          const now = screen();
          // A frame arrives in pieces; until the last one the screen still shows part of the previous frame.
          if (!whole || !pattern.test(now)) return false;
          drawn.dispose();
          awaited = undefined;
          resolve(now);
          return true;
        };
        const drawn = terminal.onWriteParsed(() => void look());
        const over = () => {
          if (awaited !== pattern || look(true)) return;
          reject(new Error(`Expected the screen to match ${pattern} before the program ended, got\n${screen()}`));
        };
        // The last output may not be on the screen yet.
        void ended.then(() => terminal.write("", over));
        look();
      }),
    awaited: () => awaited,
    resize(columns, rows) {
      terminal.resize(columns, rows);
      child.resize(columns, rows);
    },
    kill: (signal) => child.kill(signal),
    hangUp() {
      // The type of the child lacks `destroy`.
      if (!("destroy" in child) || typeof child.destroy !== "function") throw new Error("Expected a terminal to close");
      child.destroy();
    },
    ended,
    pid: child.pid,
  };
}
