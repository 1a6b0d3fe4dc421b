/** Puts a component's commands on the keyboard while it is active; the newest functions are always the ones called. */
import { useLayoutEffect, useRef } from "react";
import type { Layer } from "./keyboard.ts";
import { useTerminal } from "../terminal.ts";

export function useLayer(active: boolean, layer: Omit<Layer, "context"> & Partial<Pick<Layer, "context">>): void {
  const { keyboard, workbench } = useTerminal();
  const newest = useRef<Layer>(undefined);
  useLayoutEffect(() => {
    newest.current = { context: () => ({ workbench }), ...layer };
    if (active) keyboard.refresh();
  });
  useLayoutEffect(() => (active ? keyboard.add(() => newest.current!) : undefined), [active, keyboard]);
}
