/** Puts a component's commands on the keyboard while it is active; always the functions of the last render are called. */
import { useLayoutEffect, useRef } from "react";
import type { KeyContext, Scope } from "./binding.ts";
import type { Layer } from "./keyboard.ts";
import type { CommandOf, Commands } from "./keys.ts";
import { useTerminal } from "../terminal.ts";

/** A handler for each command of the scope, and none besides; the second part holds where handlers are spread in, too. */
type Complete<S extends Scope, Handlers> = Handlers &
  Commands<S> &
  Record<Exclude<keyof Handlers, CommandOf<S>>, never>;

type TypedLayer<S extends Scope, Handlers> = Omit<Layer, "scope" | "commands" | "context"> & {
  readonly scope: S;
  readonly commands: Complete<S, Handlers>;
  /** What commands are checked against; the workbench alone when absent. */
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
