/** Shows a workbench in the terminal, and restores the terminal afterwards. */
import { render } from "ink";
import type { Workbench } from "../engine/workbench/workbench.ts";
import { App } from "./frame/app.tsx";
import type { Ground } from "../look/palettes.ts";
import { openTheme } from "./drawing/theme.ts";
import type { Depth } from "../look/inks.ts";
import type { Notebooks, OtherNotebook } from "./terminal.ts";
import { openReports } from "./input/reports.ts";
import { Narration } from "./painting/narration.ts";
import { ScreenPainting } from "./painting/painting.ts";
import type { PictureProtocol } from "./painting/picture.ts";

export type TerminalOptions = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly colour: boolean;
  readonly ascii: boolean;
  /** If false, the screen stays in the scrollback after quitting. */
  readonly alternateScreen: boolean;
  /** Prints the screen as sentences, line by line, instead of painting it. */
  readonly screenReader?: boolean;
  /** Writes no escape sequence, because the terminal would show it; only with `screenReader`. */
  readonly obeysNothing?: boolean;
  /** Receives the wheel and clicks from the terminal, whose own selection then needs Shift. */
  readonly mouse?: boolean;
  /** How the terminal shows figures as pictures; characters draw them if absent. */
  readonly pictures?: PictureProtocol | undefined;
  /** If absent, only this notebook is shown. */
  readonly notebooks?: Notebooks;
  /** Shown when the notebook has been opened, instead of any other message. */
  readonly greeting?: string | undefined;
  /** Prints on the ordinary screen when a signal ends the program. */
  readonly lastWords?: () => void;
  /** Colours are chosen for these: see `openTheme`. */
  readonly ground?: Ground | undefined;
  readonly depth?: Depth;
};

/**
 * Shows the workbench until the user quits. Prints nothing itself and throws the error of a screen again; the terminal is
 * restored in both cases. Resolves to the notebook that the user opened instead; undefined if there is none. Does not close the
 * workbench.
 */
export async function startTerminal(
  workbench: Workbench,
  options: TerminalOptions,
): Promise<OtherNotebook | undefined> {
  const { stdin, stdout, colour, ascii, alternateScreen, screenReader = false, ground, depth } = options;
  const withMouse = options.mouse === true && !screenReader;
  const reports = openReports(stdin);
  // A narration recognises drawings by their characters, so it converts to ASCII only afterwards.
  const theme = openTheme({ colour: colour && !screenReader, ascii: ascii && !screenReader, ground, depth });
  const painting = screenReader
    ? new Narration(stdout, { ascii, obeysNothing: options.obeysNothing === true })
    : new ScreenPainting(stdout, alternateScreen, withMouse, ascii ? undefined : options.pictures);
  // Ink sets raw mode after its first frame; keys typed before would be echoed into it.
  stdin.setRawMode(true);
  const instance = render(
    <App
      workbench={workbench}
      theme={theme}
      painting={painting}
      mouse={withMouse ? reports : undefined}
      notebooks={options.notebooks}
      greeting={options.greeting}
    />,
    {
      stdin: reports.stdin,
      stdout: painting.stdout,
      alternateScreen: alternateScreen && !screenReader,
      interactive: true,
      exitOnCtrlC: false,
      // Ink would write whole screens repeatedly.
      isScreenReaderEnabled: false,
      kittyKeyboard: { mode: "auto" },
      onRender: painting.laidOut,
    },
  );
  // The handler that reports a bug on the ordinary screen is called after this.
  const restore = () => instance.unmount();
  const release = endOnSignals(() => {
    restore();
    options.lastWords?.();
  });
  process.prependListener("uncaughtException", restore);
  try {
    return (await instance.waitUntilExit()) as OtherNotebook | undefined;
  } finally {
    release();
    process.off("uncaughtException", restore);
  }
}

/** Exit statuses that shells report for programs ended by a signal. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Exits if a signal ends the program, which would otherwise run no exit handlers: after `last`, the terminal is restored and
 * pending text and records are written. Returns a function that undoes this.
 */
export function endOnSignals(last: () => void): () => void {
  const handlers = Object.entries(statuses).map(([name, status]) => {
    const end = () => {
      last();
      process.exit(status);
    };
    process.on(name, end);
    return [name, end] as const;
  });
  return () => {
    for (const [name, end] of handlers) process.off(name, end);
  };
}
