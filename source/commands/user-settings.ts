/** The settings of the user. */
import { openSettings, type SettingsStore } from "../engine/settings/settings.ts";
import type { CommandContext } from "./command.ts";

/** Opens the settings and reports what is wrong with them; the command continues without them. */
export async function userSettings({ stderr }: Pick<CommandContext, "stderr">): Promise<SettingsStore> {
  const settings = await openSettings();
  if (settings.problem !== undefined) stderr(`${settings.problem}\n`);
  return settings;
}
