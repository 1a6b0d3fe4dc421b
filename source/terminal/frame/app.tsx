/** The frame around every screen: its panes, the status line, and the keys of scope `everywhere`. */
import { Box, useApp, useInput, usePaste, useStdout, useWindowSize } from "ink";
import { Component, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { plain } from "../../engine/figures/drawing/line.ts";
import { wrap } from "../../engine/text/printable.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { chordsOf } from "../input/chord.ts";
import { StatusLine } from "./status-line.tsx";
import { activeRuns } from "./runs.ts";
import { Keyboard } from "../input/keyboard.ts";
import type { Reports } from "../input/reports.ts";
import { chooseAnyRun } from "./any-run.ts";
import { openJobControl } from "./job-control.ts";
import { followMouse } from "./clicks.ts";
import { openNavigation } from "./navigation.ts";
import { type Notebooks, type Terminal, TerminalContext, useTerminal, useLayer } from "../terminal.ts";
import { openNotices, attempted, type Notices } from "./notices.ts";
import { editExternally } from "../editor/external-editor.ts";
import { AskedChoice, type ListRequest } from "../input/choice-list.tsx";
import { Palette } from "../palette/palette.tsx";
import { watchOutside } from "./outside.ts";
import { sayStrayRuns } from "../notebook/stray-runs.ts";
import { Rows } from "../drawing/rows.tsx";
import { Stack } from "./stack.tsx";
import { PaneFrame } from "./pane-frame.tsx";
import { bordered, borderedFrom, type Edges, titled } from "../../look/spacing.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Painting } from "../painting/painting.ts";

/** Smaller windows show only a message. */
const smallest = { columns: 40, rows: 10 };

type Props = {
  readonly workbench: Workbench;
  readonly theme: Theme;
  readonly painting: Painting;
  /** Absent if the terminal handles the mouse itself. */
  readonly mouse?: Pick<Reports, "listen"> | undefined;
  /** Absent if only this notebook can be shown. */
  readonly notebooks?: Notebooks | undefined;
  /** Shown when the notebook has been opened. */
  readonly greeting?: string | undefined;
};

export function App({ workbench, theme, painting, mouse, notebooks, greeting }: Props): ReactNode {
  const app = useApp();
  const { stdout } = useStdout();
  const suspendTerminal = (callback: () => void | Promise<void>) => painting.suspended(app.suspendTerminal, callback);
  const [jobControl] = useState(() => openJobControl(suspendTerminal));
  const [terminal] = useState((): Terminal => {
    const notices = openNotices();
    if (greeting !== undefined) notices.say(greeting, "bad");
    else if (workbench.readOnly !== undefined) notices.say(`Read-only: ${workbench.readOnly}`, "bad");
    else if (workbench.typed !== undefined)
      notices.say("Text typed last time was restored in the editor: Esc keeps the text");
    else if (workbench.dirty) notices.say("Unsaved changes from last time were restored: s saves them, z undoes them");
    else sayStrayRuns(workbench, notices);
    const keyboard = new Keyboard(notices);
    const editing = () => keyboard.has("editor");
    const quit = openQuit(workbench, notices, editing, () => app.exit());
    return {
      workbench,
      theme,
      surface: painting.surface,
      pictures: painting.pictures,
      isSpoken: painting.isSpoken,
      notices,
      quit: quit.ask,
      interrupt: quit.interrupt,
      notebooks,
      // The value that the app exits with: see `startTerminal`.
      leaveFor: (notebook) => quit.leaveFor(() => app.exit(notebook)),
      navigation: openNavigation({ kind: "notebook" }),
      keyboard,
      editExternally: (text, suffix) => editExternally(text, suffix, suspendTerminal),
      write: (sequence) => void stdout.write(sequence),
      redraw: () => void suspendTerminal(() => {}),
      suspend: jobControl.stop,
    };
  });
  useEffect(() => jobControl.close, [jobControl]);
  // Runs before Ink gives the terminal back.
  useLayoutEffect(() => painting.close, [painting]);
  useEffect(() => {
    let before = workbench.readOnly;
    return workbench.subscribe(() => {
      const { readOnly } = workbench;
      if (readOnly !== undefined && readOnly !== before) terminal.notices.say(`Read-only: ${readOnly}`, "bad");
      if (readOnly === undefined && before !== undefined)
        terminal.notices.say("The other program closed this session, which can now be changed and run here");
      before = readOnly;
    });
  }, [workbench, terminal]);
  useEffect(() => watchOutside(terminal), [terminal]);
  useEffect(() => mouse?.listen((event) => followMouse(event, terminal)), [mouse, terminal]);
  return (
    <Boundary exit={app.exit}>
      <TerminalContext value={terminal}>
        <Settling />
        <Frame pressed={painting.pressed} />
      </TerminalContext>
    </Boundary>
  );
}

/**
 * Lets the keyboard handle the next key after the changes of the last key are on the screen. It adds a state change of its own:
 * React commits both together and then runs their effects, so a newly opened screen already listens for keys.
 */
function Settling(): ReactNode {
  const { keyboard } = useTerminal();
  const [count, setCount] = useState(0);
  const waiting = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    keyboard.settleWith((then) => {
      waiting.current = then;
      setCount((before) => before + 1);
    });
  }, [keyboard]);
  useEffect(() => {
    const then = waiting.current;
    waiting.current = undefined;
    if (then !== undefined) setImmediate(then);
  }, [count]);
  return null;
}

function Frame({ pressed }: Pick<Painting, "pressed">): ReactNode {
  const { columns, rows } = useWindowSize();
  const terminal = useTerminal();
  const { keyboard, notices, navigation, interrupt, redraw, suspend, notebooks, leaveFor } = terminal;
  const [palette, setPalette] = useState(false);
  const [asking, ask] = useState<ListRequest>();
  useQuestion();
  useInput((input, key) => {
    pressed();
    keyboard.press(chordsOf(input, key));
  });
  usePaste((text) => keyboard.paste(text));
  const leave = (isNew: boolean) => {
    if (notebooks === undefined) notices.say("Only this notebook can be shown here", "bad");
    else ask(notebookAsking(notebooks, isNew, leaveFor));
  };
  useLayer(true, {
    scope: "everywhere",
    commands: {
      palette: () => setPalette(true),
      "open-notebook": () => leave(false),
      "new-notebook": () => leave(true),
      "all-runs": () => chooseAnyRun(terminal, ask),
      help() {
        const top = keyboard.top();
        navigation.push({ kind: "help", ...(top !== undefined && { scope: top.scope }) });
      },
      redraw,
      suspend,
      interrupt,
    },
  });
  const small = columns < smallest.columns || rows < smallest.rows;
  const tooSmall = `Too small: ${columns}x${rows}; at least ${smallest.columns}x${smallest.rows} is needed`;
  return (
    // Outside of the flow, painted lines leave nothing for Ink to write.
    <Box flexDirection="column" position="absolute" width={columns} height={rows} overflow="hidden">
      {small ? <Rows lines={wrap(tooSmall, columns).map(plain)} columns={columns} height={rows} /> : null}
      <Box flexDirection="column" display={small ? "none" : "flex"} height={rows}>
        <Body
          columns={columns}
          rows={Math.max(1, rows - 1)}
          edges={edgesOf(terminal, columns, rows)}
          asking={asking}
          endAsking={() => ask(undefined)}
          endPalette={palette ? () => setPalette(false) : undefined}
        />
        <StatusLine columns={columns} />
      </Box>
    </Box>
  );
}

/** Screen readers get no borders, and smaller windows have no room for them. */
const edgesOf = ({ isSpoken = false }: Terminal, columns: number, rows: number): Edges =>
  !isSpoken && columns >= borderedFrom.columns && rows >= borderedFrom.rows ? bordered : titled;

type BodyProps = {
  readonly columns: number;
  readonly rows: number;
  readonly edges: Edges;
  readonly asking: ListRequest | undefined;
  readonly endAsking: () => void;
  /** Absent while the commands are not shown. */
  readonly endPalette: (() => void) | undefined;
};

/** Shows the screens, or instead of them the list of commands or another list to choose from. */
function Body({ columns, rows, edges, asking, endAsking, endPalette }: BodyProps): ReactNode {
  const title = endPalette === undefined ? asking?.title : "commands";
  const [width, height] = [columns - edges.columns, rows - edges.rows];
  return (
    <Box height={rows} flexDirection="column">
      <Box display={title === undefined ? "flex" : "none"} height={rows} flexDirection="column">
        <Stack width={columns} height={rows} edges={edges} />
      </Box>
      {title === undefined ? null : (
        <PaneFrame title={title} area={{ left: 0, top: 0, columns, rows }} edges={edges} focused />
      )}
      <Box position="absolute" marginLeft={edges.columns / 2} marginTop={1}>
        {endPalette && <Palette width={width} height={height} close={endPalette} />}
        {asking && <AskedChoice asking={asking} columns={width} height={height} isFramed close={endAsking} />}
      </Box>
    </Box>
  );
}

/** Asks the user for another notebook: a known notebook, or the name of a new one. */
function notebookAsking(notebooks: Notebooks, isNew: boolean, leaveFor: Terminal["leaveFor"]): ListRequest {
  const known = isNew ? [] : notebooks.known();
  return {
    title: isNew ? "Make a notebook" : "Open a notebook",
    about: isNew ? "A name creates sessions/NAME; a path creates that folder." : "Choose a notebook, or type a path.",
    choices: known.map(({ path, about }) => ({ value: path, title: path, note: about })),
    taken: [],
    free: (path) => notebooks.problem({ path, isNew }),
    answer: (path) => leaveFor({ path, isNew }),
  };
}

/** Takes the keys that answer a question while one is open. */
function useQuestion(): void {
  const { notices } = useTerminal();
  const question = useSyncExternalStore(notices.subscribe, notices.question, notices.question);
  useLayer(question !== undefined, {
    scope: "question",
    commands: {
      yes: () => notices.answer("yes"),
      no: () => notices.answer("no"),
      ...(question?.save && { save: () => notices.answer("save") }),
    },
    otherwise: () => notices.answer("no"),
  });
}

type BoundaryProps = { readonly exit: (error: Error) => void; readonly children: ReactNode };

/**
 * Ends the program with the error of a screen, which is then reported on the ordinary screen. Ink's own boundary would draw the
 * message with its escape sequences, and the terminal would execute them.
 */
class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }
  override componentDidCatch(error: Error): void {
    this.props.exit(error);
  }
  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}

/** A second Ctrl+C within these milliseconds quits. */
const patience = 5_000;

/** Quits without losing anything unless the user was warned. `editing` returns true while the editor contains text that the workbench does not have. */
function openQuit(workbench: Workbench, notices: Notices, editing: () => boolean, leave: () => void) {
  let warned = -Infinity;
  const saveAndLeave = () => attempted({ notices }, () => workbench.save()) && leave();
  return {
    ask() {
      const loss = wouldLose(workbench, editing());
      if (loss === undefined) leave();
      else notices.ask(`${loss} Quit?`, leave, isUnsaved(workbench) ? { save: saveAndLeave } : {});
    },
    /** Leaves this notebook for another screen. Asks for confirmation first, as for quitting. */
    leaveFor(go: () => void) {
      const loss = wouldLose(workbench, editing());
      if (loss === undefined) go();
      else notices.ask(`${loss} Leave this notebook?`, go);
    },
    interrupt() {
      const loss = wouldLose(workbench, editing());
      const now = performance.now();
      if (loss === undefined || now - warned < patience) return leave();
      warned = now;
      notices.say(`${loss} Ctrl+C again quits.`, "bad");
    },
  };
}

const isUnsaved = ({ dirty, readOnly }: Workbench): boolean => dirty && readOnly === undefined;

function wouldLose(workbench: Workbench, editing: boolean): string | undefined {
  // Runs of other programs continue.
  const active = workbench.readOnly === undefined ? activeRuns(workbench, ({ away }) => away !== true) : 0;
  const parts: { readonly short: string; readonly alone: string }[] = [];
  if (active > 0) {
    const who = active === 1 ? "A run is" : `${active} runs are`;
    parts.push({ short: `${who} running.`, alone: `${who} still running; finished tasks are kept.` });
  }
  if (editing) parts.push({ short: "A cell has edits.", alone: "A cell is being edited: Esc keeps its text." });
  if (isUnsaved(workbench)) parts.push({ short: "Changes are unsaved.", alone: "The session has unsaved changes." });
  if (parts.length === 0) return undefined;
  // Together with the question, the text fits into 80 columns.
  return parts.map(({ short, alone }) => (parts.length === 1 ? alone : short)).join(" ");
}
