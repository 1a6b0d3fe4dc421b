/**
 * The only React context: the workbench and other objects that stay the same while the program runs. Their changing contents are
 * stored outside React and read with `useSyncExternalStore`; cursors are `useState`.
 */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
  useLayoutEffect,
} from "react";
import type { ListedRun } from "../engine/workbench/library/listed-run.ts";
import type { Workbench } from "../engine/workbench/workbench.ts";
import type { Keyboard, Layer } from "./input/keyboard.ts";
import type { Navigation } from "./frame/navigation.ts";
import type { Notices } from "./frame/notices.ts";
import type { Theme } from "./drawing/theme.ts";
import type { PictureProtocol } from "./painting/picture.ts";
import type { Surface } from "./painting/surface.ts";
import type { KeyContext } from "./input/binding.ts";
import type { CommandOf, Commands, Scope } from "./input/keys.ts";

export type Terminal = {
  readonly workbench: Workbench;
  readonly navigation: Navigation;
  readonly keyboard: Keyboard;
  readonly notices: Notices;
  readonly theme: Theme;
  /** Lines are painted here; undefined if a part is rendered alone and Ink writes it. */
  readonly surface?: Surface;
  /** How figures are shown as pictures; undefined if they are drawn in characters. */
  readonly pictures?: PictureProtocol | undefined;
  /** True if rows are read aloud. Screens are then not side by side, and clocks in lanes do not tick. */
  readonly isSpoken?: boolean;
  /** Quits the program; asks for confirmation if anything would be lost. */
  quit(): void;
  /** Ctrl+C: quits at once, or warns of a loss and quits when pressed again. */
  interrupt(): void;
  /** Other notebooks to open; undefined if none are known. */
  readonly notebooks?: Notebooks | undefined;
  /** Leaves this notebook for another; asks for confirmation if anything would be lost. */
  leaveFor(notebook: OtherNotebook): void;
  /** Writes an escape sequence that draws nothing. */
  write(sequence: string): void;
  /** Clears the window and draws it again. */
  redraw(): void;
  /** Stops the program until the shell continues it (`fg`); the terminal is released in the meantime. */
  suspend(): void;
  /** Opens a file with this text in `$EDITOR`, which controls the terminal until it ends; resolves to the edited text. */
  editExternally(text: string, suffix: string): Promise<string>;
};

export const TerminalContext = createContext<Terminal | undefined>(undefined);

export function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext);
  if (terminal === undefined) throw new Error("Expected a screen to be drawn inside the app");
  return terminal;
}

export const useTheme = (): Theme => useTerminal().theme;

/** Re-renders when the workbench changes, at most once per frame; a screen below the top screen waits until it is active. */
export function useWorkbench(active: boolean): Workbench {
  const { workbench } = useTerminal();
  useSelected(active, versionOf);
  return workbench;
}

const versionOf = (workbench: Workbench) => workbench.version();

/** Like `useRead`, for screens: after each drawing, missing data are loaded. */
export function useSelected<T>(active: boolean, select: (workbench: Workbench) => T): T {
  const { workbench } = useTerminal();
  useEffect(() => workbench.prepare());
  return useRead(active, select);
}

/**
 * Returns what `select` reads from the workbench. It is called again only if the workbench or `select` changed, and not
 * while the screen is inactive. `select` should come from `useCallback`.
 */
export function useRead<T>(active: boolean, select: (workbench: Workbench) => T): T {
  const { workbench } = useTerminal();
  const last = useRef<{ readonly select: unknown; readonly version: number; readonly value: T }>(undefined);
  const read = useCallback(() => {
    const version = workbench.version();
    const known = last.current;
    if (known?.select === select && (!active || known.version === version)) return known.value;
    const value = select(workbench);
    last.current = { select, version, value };
    return value;
  }, [active, workbench, select]);
  return useSyncExternalStore(workbench.subscribe, read, read);
}

/** The notebook to continue with when this one is left. */
export type OtherNotebook = {
  /** Its folder, or a name in `sessions/`. */
  readonly path: string;
  readonly isNew: boolean;
};

export type Notebooks = {
  /** The last opened notebooks, then the notebooks of this folder and those of the package; `about` describes each. */
  known(): readonly { readonly path: string; readonly about: string }[];
  /** Returns why this notebook cannot be opened or made; undefined if it can. */
  problem(notebook: OtherNotebook): string | undefined;
  /** Reads all runs of the notebooks below the current folder. */
  runs(): Promise<readonly ListedRun[]>;
};

/** Exactly one handler for each command of the scope; the second part checks spread handlers too. */
type Complete<S extends Scope, Handlers> = Handlers &
  Commands<S> &
  Record<Exclude<keyof Handlers, CommandOf<S>>, never>;

type TypedLayer<S extends Scope, Handlers> = Omit<Layer, "scope" | "commands" | "context"> & {
  readonly scope: S;
  readonly commands: Complete<S, Handlers>;
  /** The context for disabled commands; only the workbench if absent. */
  readonly context?: () => KeyContext;
};

/** Registers a component's commands while it is active; the handlers of the latest render are called. */
export function useLayer<S extends Scope, Handlers>(active: boolean, layer: TypedLayer<S, Handlers>): void {
  const { keyboard, workbench } = useTerminal();
  const newest = useRef<Layer>(undefined);
  useLayoutEffect(() => {
    newest.current = { context: () => ({ workbench }), ...layer };
    if (active) keyboard.refresh();
  });
  useLayoutEffect(() => (active ? keyboard.add(() => newest.current!) : undefined), [active, keyboard]);
}
