/** Opens the terminal on a workbench, and gives it back as it was. */
import { render } from "ink";
import type { Workbench } from "../engine/workbench/workbench.ts";
import { App } from "./frame/app.tsx";
import { openTheme } from "./drawing/theme.ts";

export type TerminalOptions = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly colour: boolean;
  readonly ascii: boolean;
  /** Off: the screen stays in the scrollback when one leaves. */
  readonly alternateScreen: boolean;
  readonly screenReader?: boolean;
  /** Called after every frame with the milliseconds it took; for measuring. */
  readonly onFrame?: (milliseconds: number) => void;
};

/**
 * Shows the workbench until the person leaves. Prints nothing itself, and throws what a screen threw, with the terminal
 * restored in both cases. The workbench is not closed here.
 */
export async function startTerminal(workbench: Workbench, options: TerminalOptions): Promise<void> {
  const { stdin, stdout, colour, ascii, alternateScreen, screenReader = false, onFrame } = options;
  // What is read aloud has no use for colours and drawn signs.
  const theme = openTheme({ colour: colour && !screenReader, ascii: ascii || screenReader });
  const instance = render(<App workbench={workbench} theme={theme} />, {
    stdin,
    stdout,
    alternateScreen: alternateScreen && !screenReader,
    incrementalRendering: true,
    interactive: true,
    exitOnCtrlC: false,
    isScreenReaderEnabled: screenReader,
    kittyKeyboard: { mode: "auto" },
    ...(onFrame && { onRender: ({ renderTime }) => onFrame(renderTime) }),
  });
  const release = endOnSignals();
  try {
    await instance.waitUntilExit();
  } finally {
    release();
  }
}

/** Exit statuses, as shells give them, of programs that were told to end. */
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * A program ended by a signal itself leaves without its last steps: by way of an exit the terminal is given back, and what
 * was typed or played in the last moment is written.
 */
function endOnSignals(): () => void {
  const handlers = Object.entries(statuses).map(([name, status]) => [name, () => process.exit(status)] as const);
  for (const [name, end] of handlers) process.on(name, end);
  return () => {
    for (const [name, end] of handlers) process.off(name, end);
  };
}
