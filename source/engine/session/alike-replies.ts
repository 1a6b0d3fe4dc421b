/** Finds repeats whose replies cannot differ, which are no random sample. */
import { modelSettings } from "../run-settings.ts";
import { counted } from "../text/counted.ts";
import type { Role, RunSpec } from "../types.ts";
import { samplingOf } from "../settings/role-settings.ts";

/** States that these repeats are not a random sample. */
export const alikeRepeats = (repeats: number): string =>
  `${counted(repeats, "repeat")} at temperature 0 without a seed cannot differ, so there is no interval`;

/** Returns whether every trial of a run gets the same replies: temperature 0 and no seed, or built-in models without a draw. */
export function cannotDiffer(spec: RunSpec): boolean {
  const roles: readonly Role[] = modelSettings.filter((role) => role !== "judge");
  const asked = roles.filter((role) => (spec[role as "model"] ?? "none") !== "none");
  return asked.every((role) => isFixed(spec, role));
}

function isFixed(spec: RunSpec, role: Role): boolean {
  const name = spec[role as "model"];
  if (name.startsWith("builtin/")) return !name.startsWith("builtin/slips");
  const { temperature, seed } = samplingOf(spec, role);
  return temperature === 0 && seed === undefined;
}
