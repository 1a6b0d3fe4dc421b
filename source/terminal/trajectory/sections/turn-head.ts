import type { Line, Style } from "../../../engine/figures/drawing/line.ts";
import { printable } from "../../../engine/text/printable.ts";
import { ofOtherModel, roleName, type RunWords } from "../../../engine/log/run-words.ts";
import type { Turn } from "../../../engine/log/trajectory.ts";
import { countText } from "../../../look/amounts.ts";
import type { Role } from "../../../engine/types.ts";

/**
 * Shows role and stage of a request, its model unless it is that of the run, and tokens and seconds: `Judge  verdict  lab/large
 * 1.2k in, 300 out, 3.4 s`.
 */
export function turnHead(turn: Turn, live: boolean, rule: string, words?: RunWords): Line {
  const facts: string[] = [];
  if (turn.tokens !== undefined) {
    const { input, output, estimated } = turn.tokens;
    facts.push(`${estimated ? "about " : ""}${countText(input)} in, ${countText(output)} out`);
  }
  const time = turnTime(turn, live);
  if (time !== "") facts.push(time);
  return [
    { text: `${rule}${rule} `, style: "rule" },
    { text: printable(turn.agent ?? roleName(turn.role, words)), style: roleStyle(turn.role) },
    { text: `  ${printable(turn.stage)}`, style: "strong" },
    { text: `${printable(ofOtherModel(turn, words))}  ${facts.join(", ")}`, style: "faint" },
  ];
}

/** Returns how long the reply took, or its current state; empty if it took no time. */
export function turnTime(turn: Turn, live: boolean): string {
  if (live && turn.finish === undefined) return isSilent(turn) ? "waiting" : "streaming";
  if (turn.saved === "cache") return "from the cache";
  if (turn.saved !== undefined) return `${(turn.saved / 1000).toFixed(1)} s, saved reply`;
  return turn.to > turn.from ? `${((turn.to - turn.from) / 1000).toFixed(1)} s` : "";
}

/** Returns true if no part of a reply has arrived. */
export const isSilent = ({ text, thinking, calls }: Turn): boolean =>
  text === "" && thinking === "" && calls.length === 0;

const styles: Readonly<Record<Role, Style>> = {
  model: "accent",
  actor: "accent",
  responder: "reported",
  user: "reported",
  judge: "warn",
};

export const roleStyle = (role: Role): Style => styles[role] ?? "accent";
