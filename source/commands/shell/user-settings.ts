/** The settings of the user. */
import { endForsaken, notesOfPrograms } from "../../engine/run/programs/program-note.ts";
import { openSettings, type SettingsStore } from "../../engine/settings/settings.ts";
import type { CommandContext } from "./command.ts";

/**
 * Opens the settings and reports what is wrong with them; the command continues without them. What is noted beside them as
 * started by programs that were killed is ended.
 */
export async function userSettings({ stderr }: Pick<CommandContext, "stderr">): Promise<SettingsStore> {
  const settings = await openSettings();
  if (settings.problem !== undefined) stderr(`${settings.problem}\n`);
  const notes = notesOfPrograms(settings);
  if (notes !== undefined) endForsaken(notes);
  return settings;
}
