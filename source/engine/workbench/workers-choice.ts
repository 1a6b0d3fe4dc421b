/** Who executes runs: this program, or workers elsewhere. The user's choice, kept in the settings, never in a session. */
import type { SettingsStore } from "../settings/settings.ts";
import type { Elsewhere } from "./elsewhere.ts";

export class WorkersChoice {
  readonly #settings: SettingsStore;
  readonly #elsewhere: Pick<Elsewhere, "workers">;
  readonly #changed: () => void;

  constructor(settings: SettingsStore, elsewhere: Pick<Elsewhere, "workers">, changed: () => void) {
    this.#settings = settings;
    this.#elsewhere = elsewhere;
    this.#changed = changed;
  }

  /** Where workers meet; undefined where nobody has said. */
  get url(): string | undefined {
    return this.#settings.read().workers?.url;
  }

  /** Whether workers execute runs that are started from now on. */
  get used(): boolean {
    return this.#settings.read().workers?.use === true;
  }

  /** From now on workers at this address execute runs, or, where it is undefined, this program does. Throws `SettingsProblem`. */
  choose(url: string | undefined): void {
    this.#settings.change((settings) => {
      const known = url ?? settings.workers?.url;
      return known === undefined ? settings : { ...settings, workers: { url: known, use: url !== undefined } };
    });
    this.#changed();
  }

  /** How many workers live there. Rejects with `Problem` where that cannot be asked. */
  living(url: string): Promise<number> {
    return this.#elsewhere.workers(url);
  }
}
