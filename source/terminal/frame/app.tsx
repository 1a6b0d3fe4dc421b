/** The frame around every screen: header, body, message line, footer; and the keys of scope `everywhere`. */
import { Box, useApp, useInput, usePaste, useStdout, useWindowSize } from "ink";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { plain } from "../../engine/figures/drawing/line.ts";
import { wrap } from "../../engine/text/printable.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { chordsOf } from "../input/chord.ts";
import { Boundary } from "./boundary.tsx";
import { Footer, MessageLine } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Keyboard } from "../input/keyboard.ts";
import { keyTable } from "../input/keys.ts";
import type { Reports } from "../input/reports.ts";
import { openJobControl } from "./job-control.ts";
import { followMouse } from "./clicks.ts";
import { openNavigation } from "./navigation.ts";
import { type Notebooks, type Terminal, TerminalContext, useTerminal } from "../terminal.ts";
import { openNotices } from "./notices.ts";
import { editExternally } from "../editor/external-editor.ts";
import { NotebookChoice } from "../palette/notebook-choice.tsx";
import { Palette } from "../palette/palette.tsx";
import { watchOutside } from "./outside.ts";
import { sayStrayRuns } from "../notebook/stray-runs.ts";
import { openQuit } from "./quit.ts";
import { Rows } from "../drawing/rows.tsx";
import { Stack } from "./stack.tsx";
import type { Theme } from "../drawing/theme.ts";
import type { Painting } from "../painting/painting.ts";
import { useLayer } from "../input/use-layer.ts";

/** In a smaller window nothing useful can be shown. */
const smallest = { columns: 40, rows: 10 };

type Props = {
  readonly workbench: Workbench;
  readonly theme: Theme;
  readonly painting: Painting;
  /** Absent where it is the terminal's own. */
  readonly mouse?: Pick<Reports, "listen"> | undefined;
  /** Absent where only this notebook can be shown. */
  readonly notebooks?: Notebooks | undefined;
  /** Said when the notebook has been opened. */
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
      notices.say("What was being typed last time is back in the editor: Esc keeps it");
    else if (workbench.dirty) notices.say("Unsaved changes of last time were restored: s saves them, z undoes them");
    else sayStrayRuns(workbench, notices);
    const keyboard = new Keyboard(keyTable, notices);
    const editing = () => keyboard.has("editor");
    const quit = openQuit(workbench, notices, editing, () => app.exit());
    return {
      workbench,
      theme,
      surface: painting.surface,
      isSpoken: painting.isSpoken,
      notices,
      quit: quit.ask,
      interrupt: quit.interrupt,
      notebooks,
      // What the screen ends with: see `startTerminal`.
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
  // Before Ink gives the terminal back.
  useLayoutEffect(() => painting.close, [painting]);
  useEffect(() => {
    let before = workbench.readOnly;
    return workbench.subscribe(() => {
      const { readOnly } = workbench;
      if (readOnly !== undefined && readOnly !== before) terminal.notices.say(`Read-only: ${readOnly}`, "bad");
      if (readOnly === undefined && before !== undefined)
        terminal.notices.say("The program that had this session has gone: it can be changed and run here now");
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
 * Lets the keyboard handle the next key once the changes of the last one are on the screen: it makes a change of its own
 * together with them, and React commits both at once, and runs their effects together: what they opened listens for keys then.
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
  const { keyboard, notices, navigation, interrupt, redraw, suspend, notebooks, leaveFor } = useTerminal();
  const [palette, setPalette] = useState(false);
  const [leaving, setLeaving] = useState<"open" | "new">();
  useQuestion();
  useInput((input, key) => {
    pressed();
    keyboard.press(chordsOf(input, key));
  });
  usePaste((text) => keyboard.paste(text));
  const leave = (how: "open" | "new") => {
    if (notebooks === undefined) notices.say("Only this notebook can be shown here", "bad");
    else setLeaving(how);
  };
  useLayer(true, {
    scope: "everywhere",
    commands: {
      palette: () => setPalette(true),
      "open-notebook": () => leave("open"),
      "new-notebook": () => leave("new"),
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
  const body = Math.max(1, rows - 3);
  const tooSmall = `Too small: ${columns}x${rows}; at least ${smallest.columns}x${smallest.rows} is needed`;
  return (
    // Out of the flow, what is painted leaves nothing for Ink to write.
    <Box flexDirection="column" position="absolute" width={columns} height={rows} overflow="hidden">
      {small ? <Rows lines={wrap(tooSmall, columns).map(plain)} columns={columns} height={rows} /> : null}
      <Box flexDirection="column" display={small ? "none" : "flex"} height={rows}>
        <Header columns={columns} />
        <Box display={palette || leaving !== undefined ? "none" : "flex"} height={body} flexDirection="column">
          <Stack width={columns} height={body} />
        </Box>
        {palette ? <Palette width={columns} height={body} close={() => setPalette(false)} /> : null}
        {leaving !== undefined && notebooks !== undefined ? (
          <NotebookChoice
            notebooks={notebooks}
            isNew={leaving === "new"}
            width={columns}
            height={body}
            close={() => setLeaving(undefined)}
            take={leaveFor}
          />
        ) : null}
        <MessageLine columns={columns} />
        <Footer columns={columns} />
      </Box>
    </Box>
  );
}

/** Takes the keys that answer a question while there is one. */
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
