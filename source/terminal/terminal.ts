/**
 * The one React context: the workbench, and the objects beside it that never change while the program runs. What changes
 * lies inside them, outside React, and is read with `useSyncExternalStore`; where a cursor is, is `useState`.
 */
import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from "react";
import type { Workbench } from "../engine/workbench/workbench.ts";
import type { Keyboard } from "./input/keyboard.ts";
import type { Navigation } from "./frame/navigation.ts";
import type { Notices } from "./frame/notices.ts";
import type { Theme } from "./drawing/theme.ts";

export type Terminal = {
  readonly workbench: Workbench;
  readonly navigation: Navigation;
  readonly keyboard: Keyboard;
  readonly notices: Notices;
  readonly theme: Theme;
  /** Leaves the program, asking first where something would be lost. */
  quit(): void;
  /** Ctrl+C: leaves at once, or says what would be lost and leaves when pressed again. */
  interrupt(): void;
  /** Clears the window and draws it anew. */
  redraw(): void;
  /** Opens a file in `$EDITOR`, with the terminal handed over meanwhile; resolves to the text it then holds. */
  editOutside(text: string, suffix: string): Promise<string>;
};

export const TerminalContext = createContext<Terminal | undefined>(undefined);

export function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext);
  if (terminal === undefined) throw new Error("Expected a screen to be drawn inside the app");
  return terminal;
}

export function useNavigation(): Navigation {
  return useTerminal().navigation;
}

export function useTheme(): Theme {
  return useTerminal().theme;
}

/** Draws again whenever the workbench changed, at most once per frame; a screen below the top waits until it is on top. */
export function useWorkbench(active: boolean): Workbench {
  const { workbench } = useTerminal();
  const seen = useRef(workbench.version());
  const read = useCallback(() => {
    if (active) seen.current = workbench.version();
    return seen.current;
  }, [active, workbench]);
  const subscribe = useCallback(
    (listener: () => void) => (active ? workbench.subscribe(listener) : () => {}),
    [active, workbench],
  );
  useSyncExternalStore(subscribe, read, read);
  return workbench;
}
