/** What the user has allowed the sessions of one folder, kept in the settings: nothing in the folder itself can say it. */
import { existsSync, realpathSync } from "node:fs";
import type { SettingsStore } from "./settings.ts";

export class FolderConsent {
  readonly #folder: string;
  readonly #settings: SettingsStore;

  constructor(folder: string, settings: SettingsStore) {
    this.#folder = existsSync(folder) ? realpathSync(folder) : folder;
    this.#settings = settings;
  }

  /** Identities of tool servers and agents, and addresses of the Redis of workers. */
  given(): readonly string[] {
    const { allowed = {} } = this.#settings.read();
    return Object.hasOwn(allowed, this.#folder) ? allowed[this.#folder]! : [];
  }

  /** Throws `SettingsProblem` if the settings cannot be written. */
  add(added: readonly string[]): void {
    this.#settings.change((settings) => {
      const before = settings.allowed?.[this.#folder] ?? [];
      const allowed = { ...settings.allowed, [this.#folder]: [...new Set([...before, ...added])] };
      return { ...settings, allowed };
    });
  }
}
