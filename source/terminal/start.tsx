/** Shows a workbench in the terminal, and restores the terminal afterwards. */
import { render } from "ink";
import type { Workbench } from "../engine/workbench/workbench.ts";
import { App } from "./frame/app.tsx";
import type { Ground } from "../engine/figures/palette.ts";
import { type Depth, openTheme } from "./drawing/theme.ts";
import type { Notebooks, OtherNotebook } from "./terminal.ts";
import { openReports } from "./input/reports.ts";
import { Narration } from "./painting/narration.ts";
import { ScreenPainting } from "./painting/painting.ts";

export type TerminalOptions = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly colour: boolean;
  readonly ascii: boolean;
  /** Off: the screen stays in the scrollback after quitting. */
  readonly alternateScreen: boolean;
  /** On: what is on the screen is printed as sentences, line by line, and nothing is painted. */
  readonly screenReader?: boolean;
  /** On: no escape sequence is written, as the terminal would show it; with `screenReader` alone. */
  readonly obeysNothing?: boolean;
  /** On: wheel and clicks come here, and not to the terminal, whose own selection then needs Shift. */
  readonly mouse?: boolean;
  /** Absent: only this notebook is shown. */
  readonly notebooks?: Notebooks;
  /** Said when the notebook has been opened, in place of anything else there is to say then. */
  readonly greeting?: string | undefined;
  /** Says on the ordinary screen what there is to say when a signal ends the program. */
  readonly lastWords?: () => void;
  /** What colours are chosen for: see `openTheme`. */
  readonly ground?: Ground | undefined;
  readonly depth?: Depth;
};

/**
 * Shows the workbench until the user quits. Prints nothing itself, and throws what a screen threw; the terminal is restored
 * in both cases. Resolves to the notebook it was left for, where it was left for one. The workbench is not closed here.
 */
export async function startTerminal(
  workbench: Workbench,
  options: TerminalOptions,
): Promise<OtherNotebook | undefined> {
  const { stdin, stdout, colour, ascii, alternateScreen, screenReader = false, ground, depth } = options;
  const withMouse = options.mouse === true && !screenReader;
  const reports = openReports(stdin);
  // What is drawn is told from what is written by its characters: a narration turns it into words, and into ASCII afterwards.
  const theme = openTheme({
    colour: colour && !screenReader,
    ascii: ascii && !screenReader,
    ground,
    ...(depth && { depth }),
  });
  const painting = screenReader
    ? new Narration(stdout, { ascii, obeysNothing: options.obeysNothing === true })
    : new ScreenPainting(stdout, alternateScreen, withMouse);
  // Ink does it after its first frame: keys typed until then would be echoed into it.
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
      // It would write whole screens again and again.
      isScreenReaderEnabled: false,
      kittyKeyboard: { mode: "auto" },
      onRender: painting.laidOut,
    },
  );
  // What reports a bug to the ordinary screen is called after this.
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

/** Exit statuses that shells report of programs ended by a signal. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * A program that a signal ends runs no exit handlers. Exiting by ourselves, after `last`, restores the terminal and writes what was
 * typed or recorded last. Returns how to take that back.
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
