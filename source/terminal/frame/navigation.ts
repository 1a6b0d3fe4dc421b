/**
 * The stack of screens, and the screens that its top screen opens; a wide window shows these beside the top screen. It is stored
 * outside React; `stack.tsx` reads it.
 */
import { openListeners } from "./listeners.ts";
import { mayLead } from "./panes.ts";
import { wideFrom } from "../../look/spacing.ts";
import type { Notices } from "./notices.ts";
import type { Screen, TaskSource } from "./screen.ts";

export type OpenScreen = {
  /** Constant while the screen is shown; React keeps its state under this key. */
  readonly id: number;
  readonly screen: Screen;
  /** Columns that show everything; absent if the screen adapts to any width. */
  readonly columns?: number;
};

export type OpenScreens = {
  /** The open screens, the top screen last, followed by the screens that it opens. */
  readonly all: readonly OpenScreen[];
  /** The number of open screens. */
  readonly open: number;
};

export type Navigation = {
  places(): OpenScreens;
  subscribe(listener: () => void): () => void;
  /** Opens a screen on top; if the screen is already shown beside the top screen, it keeps its state. */
  push(screen: Screen): void;
  /**
   * Goes back to the previous screen; the first screen always stays. The screen that was left stays beside the one below until
   * that screen opens another.
   */
  pop(): void;
  /** Goes to a pane that the top screen opens, by its 1-based number; returns false if there is no such pane. */
  jump(pane: number): boolean;
  /** Replaces the top screen. */
  replace(screen: Screen): void;
  /** Replaces the top screen by another screen of the same kind. */
  amend(screen: Screen): void;
  /**
   * Sets the screen that the screen with this id opens, and the number of columns that the latter needs; ignored if another
   * screen was opened from it.
   */
  leadTo(id: number, screen: Screen | undefined, columns?: number): void;
};

export function openNavigation(first: Screen): Navigation {
  let next = 1;
  let places: OpenScreens = { all: [{ id: 0, screen: first }], open: 1 };
  const { subscribe, tell } = openListeners();
  const change = (all: readonly OpenScreen[], open: number) => {
    places = { all, open };
    tell();
  };
  return {
    places: () => places,
    subscribe,
    push(screen) {
      const { all, open } = places;
      const beside = all[open];
      if (beside !== undefined && isSame(beside.screen, screen) && !beginsElsewhere(screen))
        change(all.with(open, { id: beside.id, screen }), open + 1);
      else change([...all.slice(0, open), { id: next++, screen }], open + 1);
    },
    pop() {
      const { all, open } = places;
      if (open === 1) return;
      change(mayLead(all[open - 2]!.screen.kind) ? all : all.slice(0, open - 1), open - 1);
    },
    jump(pane) {
      const { all, open } = places;
      if (open + pane - 1 > all.length) return false;
      change(all, open + pane - 1);
      return true;
    },
    replace(screen) {
      const { all, open } = places;
      change([...all.slice(0, open - 1), { id: next++, screen }], open);
    },
    amend(screen) {
      const { all, open } = places;
      change([...all.slice(0, open - 1), { id: all[open - 1]!.id, screen }], open);
    },
    leadTo(id, screen, columns) {
      const { all, open } = places;
      const at = all.findIndex((place) => place.id === id) + 1;
      if (at < open) return;
      const [own, beside] = [all[at - 1]!, all[at]];
      const isKept =
        screen === undefined ? beside === undefined : beside !== undefined && isSame(beside.screen, screen);
      if (isKept && own.columns === columns && (beside === undefined || isUnchanged(beside.screen, screen!))) return;
      const before = [...all.slice(0, at - 1), { id, screen: own.screen, ...(columns !== undefined && { columns }) }];
      if (screen === undefined) change(before, open);
      else if (isKept) change([...before, { ...beside!, screen }, ...all.slice(at + 1)], open);
      else change([...before, { id: next++, screen }], open);
    },
  };
}

/** Goes to the pane with this number, or shows why it cannot. */
export function jumpToPane(
  { navigation, notices }: { readonly navigation: Navigation; readonly notices: Notices },
  digit: string,
): void {
  if (digit === "1") notices.say("Pane 1 already has the focus");
  else if (!navigation.jump(Number(digit)))
    notices.say(`There is no pane ${digit}: only windows of at least ${wideFrom} columns show several panes`);
}

/** Returns true if both show the same object, so that a cursor in one is valid in the other. */
function isSame(one: Screen, other: Screen): boolean {
  if (one.kind === "figure" && other.kind === "figure") return one.cell === other.cell && one.figure === other.figure;
  if (one.kind === "tasks" && other.kind === "tasks") return one.title === other.title;
  if (one.kind === "help" && other.kind === "help") return one.scope === other.scope;
  if (one.kind === "trajectory" && other.kind === "trajectory")
    return one.ref.run === other.ref.run && one.ref.task === other.ref.task;
  if (one.kind === "beside" && other.kind === "beside")
    return one.task === other.task && one.runs.join() === other.runs.join();
  return false;
}

/** Returns true if the screen opens at a given place instead of the place at which the user left the screen beside. */
const beginsElsewhere = (screen: Screen): boolean => screen.kind === "trajectory" && screen.atWords === true;

/** Compares two screens of the same object. */
function isUnchanged(one: Screen, other: Screen): boolean {
  if (one.kind === "tasks" && other.kind === "tasks") return isSameSource(one.tasks, other.tasks);
  if (one.kind === "trajectory" && other.kind === "trajectory") return one.siblings === other.siblings;
  if (one.kind === "beside" && other.kind === "beside") return one.tasks === other.tasks;
  return true;
}

/** The names of runs are a new array in every frame. */
function isSameSource(one: TaskSource, other: TaskSource): boolean {
  if (!("runs" in one && "runs" in other)) return one === other;
  return (
    one.cell === other.cell &&
    one.runs.length === other.runs.length &&
    one.runs.every((run, at) => run === other.runs[at])
  );
}
