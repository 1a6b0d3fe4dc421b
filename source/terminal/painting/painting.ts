/** Paints the surface whenever it changes while the terminal is ours. */
import { mouseOff, mouseOn } from "../input/reports.ts";
import { withMembers } from "./stream.ts";
import { oncePerTurn, Surface } from "./surface.ts";
import { Painter } from "./painter.ts";
import { type PictureProtocol, ShownPictures } from "./picture.ts";

type Suspend = (callback: () => void | Promise<void>) => Promise<void>;

export type Painting = {
  readonly surface: Surface;
  /** True if rows are read aloud instead of painted. */
  readonly isSpoken: boolean;
  /** How the terminal shows pictures; undefined if no pictures are sent. */
  readonly pictures?: PictureProtocol | undefined;
  /** The output stream that Ink uses as its terminal. */
  readonly stdout: NodeJS.WriteStream;
  /** Called when a key was pressed; its effect is not delayed. */
  readonly pressed: () => void;
  /** Called when Ink has laid out the boxes, because they may have moved. */
  readonly laidOut: () => void;
  /** Calls `suspend`, and paints nothing while the callback uses the terminal. */
  readonly suspended: (suspend: Suspend, callback: () => void | Promise<void>) => Promise<void>;
  readonly close: () => void;
};

/**
 * Paints on the alternate screen, or on the ordinary one, whose content is first scrolled into the scrollback. `withMouse`: the mouse
 * reports to us while the terminal is ours. `pictures`: the protocol of the pictures over the text.
 */
export class ScreenPainting implements Painting {
  readonly isSpoken = false;
  readonly stdout: NodeJS.WriteStream;
  readonly #terminal: NodeJS.WriteStream;
  readonly #alternateScreen: boolean;
  readonly #withMouse: boolean;
  readonly pictures: PictureProtocol | undefined;
  readonly #shown: ShownPictures | undefined;
  #painter: Painter | undefined;
  #size = { columns: 0, rows: 0 };
  /** True while the ordinary screen still shows its earlier content. */
  #isAway: boolean;
  #mayPaint = true;

  constructor(terminal: NodeJS.WriteStream, alternateScreen: boolean, withMouse = false, pictures?: PictureProtocol) {
    this.#terminal = terminal;
    this.pictures = pictures;
    this.#shown = pictures && new ShownPictures(pictures);
    this.#alternateScreen = alternateScreen;
    this.#withMouse = withMouse;
    this.#isAway = !alternateScreen;
    // Output of Ink may move or cover painted text, which is then painted again.
    const write = (...given: Parameters<typeof terminal.write>) => {
      if (given[0] !== "") this.#forget();
      return terminal.write(...given);
    };
    this.stdout = withMembers(terminal, { write });
    process.on("SIGWINCH", this.#shaken);
  }

  readonly laidOut = oncePerTurn(() => this.#paint());

  readonly surface = new Surface(this.laidOut);

  readonly pressed = (): void => {};

  readonly suspended: Painting["suspended"] = async (suspend, callback) => {
    let isOurs = true;
    try {
      await suspend(async () => {
        isOurs = false;
        this.#mayPaint = false;
        this.#removePictures();
        this.#giveMouseBack();
        await callback();
      });
    } finally {
      if (!isOurs) {
        this.#mayPaint = true;
        this.#isAway = !this.#alternateScreen;
        this.#forget();
      }
    }
  };

  readonly close = (): void => {
    this.#mayPaint = false;
    process.off("SIGWINCH", this.#shaken);
    this.#removePictures();
    this.#giveMouseBack();
    // The shell continues below.
    if (!this.#alternateScreen && this.#terminal.writable) this.#terminal.write("\r\n");
  };

  #forget(): void {
    this.#painter = undefined;
    this.laidOut();
  }

  /**
   * Repaints the screen, because Node reports no resize if a window had another size only for a moment, although its content may
   * be lost.
   */
  readonly #shaken = (): void => {
    const { columns, rows } = this.#terminal;
    if (columns === this.#size.columns && rows === this.#size.rows) this.#forget();
  };

  #giveMouseBack(): void {
    if (this.#withMouse && this.#terminal.writable) this.#terminal.write(mouseOff);
  }

  #removePictures(): void {
    const { removed = "" } = this.#shown?.change([]) ?? {};
    if (removed !== "" && this.#terminal.writable) this.#terminal.write(removed);
  }

  #paint(): void {
    if (!this.#mayPaint) return;
    const { columns, rows } = this.#terminal;
    let before = "";
    if (this.#painter === undefined || columns !== this.#size.columns || rows !== this.#size.rows) {
      this.#size = { columns, rows };
      this.#painter = new Painter(columns, rows);
      // What is erased below takes the pictures with it in some terminals only.
      const gone = this.#shown?.change([]).removed ?? "";
      // Erasing the whole screen at once would scroll it away in some terminals.
      before = `${gone}${this.#withMouse ? mouseOn : ""}${this.#isAway ? "\n".repeat(rows) : ""}\x1b[H\x1b[J`;
      this.#isAway = false;
    }
    const { output } = this.#painter.paint(this.surface.frame(columns, rows));
    const { removed = "", added = "" } = this.#shown?.change(this.surface.pictures(columns, rows)) ?? {};
    if (before + removed + output + added === "") return;
    // If the screen stays after quitting, the shell continues at the cursor.
    const rest = this.#alternateScreen ? "" : `\x1b[${rows};${columns}H`;
    this.#terminal.write(`\x1b[?2026h${before}${removed}${output}${added}${rest}\x1b[?2026l`);
  }
}
