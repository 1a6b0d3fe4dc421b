import type { Role } from "../types.ts";

const names: Readonly<Record<Role, string>> = {
  model: "Planner",
  actor: "Actor",
  responder: "Responder",
  judge: "Judge",
};

/** What people call the part a model plays. */
export function roleName(role: Role): string {
  return names[role] ?? role;
}
