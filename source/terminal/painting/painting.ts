/** Paints what is on the surface whenever it has changed, as long as the terminal is ours. */
import { mouseOff, mouseOn } from "../input/reports.ts";
import { Surface } from "./surface.ts";
import { Painter } from "./painter.ts";

type Suspend = (callback: () => void | Promise<void>) => Promise<void>;

export type Painting = {
  readonly surface: Surface;
  /** Whether rows are read out, instead of painted. */
  readonly isSpoken: boolean;
  /** The terminal as Ink is to see it. */
  readonly stdout: NodeJS.WriteStream;
  /** To be called when a key was pressed: what it changes is not put off. */
  readonly pressed: () => void;
  /** To be called when Ink has laid the boxes out: they may have moved. */
  readonly laidOut: () => void;
  /** Calls `suspend`, and paints nothing while its callback has the terminal. */
  readonly suspended: (suspend: Suspend, callback: () => void | Promise<void>) => Promise<void>;
  readonly close: () => void;
};

/** On the ordinary screen (`alternateScreen` off) what stands there is scrolled away first, and stays in the scrollback. `withMouse`: the mouse reports to us while the terminal is ours. */
export function openPainting(terminal: NodeJS.WriteStream, alternateScreen: boolean, withMouse = false): Painting {
  let painter: Painter | undefined;
  let size = { columns: 0, rows: 0 };
  let requested = false;
  let away = !alternateScreen;
  let mayPaint = true;
  const request = () => {
    if (requested || !mayPaint) return;
    requested = true;
    // All changes of one turn are one frame.
    queueMicrotask(paint);
  };
  const forget = () => {
    painter = undefined;
    request();
  };
  // A window that had another size for a moment, and has the old one again, was not resized for Node: what stood in it may be gone.
  const shaken = () => {
    if (terminal.columns === size.columns && terminal.rows === size.rows) forget();
  };
  process.on("SIGWINCH", shaken);
  const surface = new Surface(request);
  // What Ink writes there may move or cover what was painted, which is then painted anew.
  const stdout = new Proxy(terminal, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const write = new Proxy(terminal.write, {
    apply(target, _self, given: Parameters<typeof terminal.write>) {
      if (given[0] !== "") forget();
      return Reflect.apply(target, terminal, given);
    },
  });
  return {
    surface,
    isSpoken: false,
    stdout,
    pressed: () => {},
    laidOut: request,
    async suspended(suspend, callback) {
      let isOurs = true;
      try {
        await suspend(async () => {
          isOurs = false;
          mayPaint = false;
          giveMouseBack();
          await callback();
        });
      } finally {
        if (!isOurs) {
          mayPaint = true;
          away = !alternateScreen;
          forget();
        }
      }
    },
    close() {
      mayPaint = false;
      process.off("SIGWINCH", shaken);
      giveMouseBack();
      // The shell goes on below.
      if (!alternateScreen && terminal.writable) terminal.write("\r\n");
    },
  };

  function giveMouseBack(): void {
    if (withMouse && terminal.writable) terminal.write(mouseOff);
  }

  function paint(): void {
    requested = false;
    if (!mayPaint) return;
    const { columns, rows } = terminal;
    let before = "";
    if (painter === undefined || columns !== size.columns || rows !== size.rows) {
      size = { columns, rows };
      painter = new Painter(columns, rows);
      // Erasing the whole screen at once would scroll it away in some terminals.
      before = `${withMouse ? mouseOn : ""}${away ? "\n".repeat(rows) : ""}\x1b[H\x1b[J`;
      away = false;
    }
    const { output } = painter.paint(surface.frame(columns, rows));
    if (before + output === "") return;
    // Where the shell goes on after quitting, if the screen stays.
    const rest = alternateScreen ? "" : `\x1b[${rows};${columns}H`;
    terminal.write(`\x1b[?2026h${before}${output}${rest}\x1b[?2026l`);
  }
}
