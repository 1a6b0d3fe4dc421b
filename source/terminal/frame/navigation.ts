/** The stack of screens. It is kept outside React; `useNavigation` in terminal.ts reads it. */
import type { Screen } from "./screen.ts";

export type OpenScreen = {
  /** Constant while the screen is on the stack: React keeps its state under this key. */
  readonly id: number;
  readonly screen: Screen;
};

export type Navigation = {
  stack(): readonly OpenScreen[];
  subscribe(listener: () => void): () => void;
  push(screen: Screen): void;
  /** Back by one; the first screen always stays. */
  pop(): void;
  /** Puts another screen in place of the top one. */
  replace(screen: Screen): void;
};

export function openNavigation(first: Screen): Navigation {
  let next = 1;
  let stack: readonly OpenScreen[] = [{ id: 0, screen: first }];
  const listeners = new Set<() => void>();
  const change = (screens: readonly OpenScreen[]) => {
    stack = screens;
    for (const listener of listeners) listener();
  };
  return {
    stack: () => stack,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    push: (screen) => change([...stack, { id: next++, screen }]),
    pop() {
      if (stack.length > 1) change(stack.slice(0, -1));
    },
    replace: (screen) => change([...stack.slice(0, -1), { id: next++, screen }]),
  };
}
