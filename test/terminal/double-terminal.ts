import { keyTable } from "../../source/terminal/input/keys.ts";
import { Keyboard } from "../../source/terminal/input/keyboard.ts";
import { openNavigation } from "../../source/terminal/frame/navigation.ts";
import { openNotices } from "../../source/terminal/frame/notices.ts";
import type { Terminal } from "../../source/terminal/terminal.ts";
import { openTheme } from "../../source/terminal/drawing/theme.ts";
import { openDouble } from "./double-workbench.ts";

/** What the context carries, for a component drawn by itself. */
export function doubleTerminal(change: Partial<Terminal> = {}): Terminal {
  const notices = openNotices();
  return {
    workbench: openDouble(),
    navigation: openNavigation({ kind: "notebook" }),
    keyboard: new Keyboard(keyTable, notices),
    notices,
    theme: openTheme({ colour: false, ascii: false }),
    quit: () => {},
    interrupt: () => {},
    leaveFor: () => {},
    write: () => {},
    redraw: () => {},
    suspend: () => {},
    editExternally: (text) => Promise.resolve(text),
    ...change,
  };
}
