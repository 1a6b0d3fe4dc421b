/** The settings of whoever types the command. */
import { openSettings, type SettingsStore } from "../engine/settings/settings.ts";
import type { CommandContext } from "./command.ts";

/** Opens them, and says what is wrong with them: a command goes on without. */
export async function userSettings({ stderr }: Pick<CommandContext, "stderr">): Promise<SettingsStore> {
  const settings = await openSettings();
  if (settings.problem !== undefined) stderr(`${settings.problem}\n`);
  return settings;
}
