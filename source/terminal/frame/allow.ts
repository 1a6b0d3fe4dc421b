/** The user's word for what a session starts or asks outside of itself: given once for its folder. */
import { printable } from "../../engine/text/printable.ts";
import type { Terminal } from "../terminal.ts";

/** Calls `start` once everything that these cells' runs name is allowed; asks where something is not yet. */
export function whenAllowed({ workbench, notices }: Terminal, cells: readonly string[], start: () => void): void {
  const wanted = cells.flatMap((cell) => workbench.programs.unallowed(cell));
  const uses = [...new Map(wanted.map((use) => [use.identity, use])).values()];
  if (uses.length === 0) return start();
  const named = uses.map(({ name, what }) => `${name} (${printable(what)})`).join(", ");
  const allow = () => {
    try {
      workbench.programs.allow(uses);
    } catch (error) {
      return notices.say((error as Error).message, "bad");
    }
    start();
  };
  notices.ask(`May the sessions of this folder use ${named}?`, allow, {
    no: () => notices.say("Not started: nothing was allowed"),
  });
}
