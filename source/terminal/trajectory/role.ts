/** Names and colours of the roles. */
import type { Style } from "../../engine/figures/drawing/line.ts";
import type { Role } from "../../engine/types.ts";

const names: Readonly<Record<Role, string>> = {
  model: "Planner",
  actor: "Actor",
  responder: "Responder",
  judge: "Judge",
};
const styles: Readonly<Record<Role, Style>> = { model: "accent", actor: "code", responder: "reported", judge: "warn" };

export function roleName(role: Role): string {
  return names[role] ?? role;
}
export function roleStyle(role: Role): Style {
  return styles[role] ?? "accent";
}
