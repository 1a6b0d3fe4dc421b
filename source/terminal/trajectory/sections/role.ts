/** Colours of the roles. */
import type { Style } from "../../../engine/figures/drawing/line.ts";
import type { Role } from "../../../engine/types.ts";

const styles: Readonly<Record<Role, Style>> = { model: "accent", actor: "code", responder: "reported", judge: "warn" };

export function roleStyle(role: Role): Style {
  return styles[role] ?? "accent";
}
