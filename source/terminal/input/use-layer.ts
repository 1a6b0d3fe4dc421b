/** Registers a component's commands while it is active; the handlers of the latest render are called. */
import { useLayoutEffect, useRef } from "react";
import type { KeyContext } from "./binding.ts";
import type { Layer } from "./keyboard.ts";
import type { CommandOf, Commands, Scope } from "./keys.ts";
import { useTerminal } from "../terminal.ts";

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

export function useLayer<S extends Scope, Handlers>(active: boolean, layer: TypedLayer<S, Handlers>): void {
  const { keyboard, workbench } = useTerminal();
  const newest = useRef<Layer>(undefined);
  useLayoutEffect(() => {
    newest.current = { context: () => ({ workbench }), ...layer };
    if (active) keyboard.refresh();
  });
  useLayoutEffect(() => (active ? keyboard.add(() => newest.current!) : undefined), [active, keyboard]);
}
