/** Who executes runs: this program, or workers elsewhere. The user's choice, kept in the settings, never in a session. */
import { Problem } from "../../problem.ts";
import { keepConsent, needsConsent } from "../../settings/own-redis.ts";
import { readRedisUrl, redisAddress, redisName } from "../../settings/redis-place.ts";
import { type SettingsStore, FolderConsent } from "../../settings/settings.ts";
import type { AwayRun } from "./away-run.ts";
import type { Elsewhere } from "./run-context.ts";

/** What of a session the choice is about. */
export type WorkedSession = {
  readonly folder: string;
  readonly settings: SettingsStore;
  readonly elsewhere: Pick<Elsewhere, "url" | "workers">;
  /** The runs of a cell that nothing is done with here, as far as workers have tasks of them. */
  givenAway(cell: string): readonly AwayRun[];
  /** Goes on with what workers at the user's addresses have. */
  takeUp(): void;
  changed(): void;
};

export class WorkersChoice {
  readonly #session: WorkedSession;

  constructor(session: WorkedSession) {
    this.#session = session;
  }

  /** Where workers meet; undefined where nobody has said. */
  get url(): string | undefined {
    return this.#session.settings.read().workers?.url;
  }

  /** Whether workers execute runs that are started from now on. */
  get used(): boolean {
    return this.#session.settings.read().workers?.use === true;
  }

  /** From now on workers at this address execute runs, or, where it is undefined, this program does. Throws `SettingsProblem`. */
  choose(url: string | undefined): void {
    this.#session.settings.change((settings) => {
      const known = url ?? settings.workers?.url;
      return known === undefined ? settings : { ...settings, workers: { url: known, use: url !== undefined } };
    });
    this.#session.changed();
  }

  /** How many workers live there. Rejects with `Problem` where that cannot be asked. */
  living(url: string): Promise<number> {
    return this.#session.elsewhere.workers(url);
  }

  /** Whether the password goes there unencrypted, over the network, and the user has not agreed to that. */
  needsConsent(url: string): boolean {
    return needsConsent(url, this.#session.settings.read());
  }

  /** The addresses that runs of these cells connect to without the consent they need. */
  unagreed(cells: readonly string[]): readonly string[] {
    const { elsewhere, givenAway } = this.#session;
    const out = cells.flatMap((cell) => givenAway(cell).map((run) => run.out?.url));
    const urls = [elsewhere.url, ...out].filter((url) => url !== undefined);
    return [...new Set(urls)].filter((url) => this.needsConsent(url));
  }

  /** The user agrees that the password goes there unencrypted: kept for all sessions. Throws `SettingsProblem`. */
  agree(url: string): void {
    keepConsent(url, this.#session.settings);
  }

  /**
   * The user says at which address workers have runs of a cell: kept for the sessions of this folder, and what the workers have is taken
   * up. Rejects with `Problem` if they have none of it there, with `SettingsProblem` if the address cannot be kept.
   */
  async takeUp(cell: string, url: string): Promise<void> {
    const { folder, settings, givenAway, takeUp, changed } = this.#session;
    const adopted = await Promise.all(givenAway(cell).map((run) => run.adopt(url)));
    const place = readRedisUrl(url);
    if (!adopted.includes(true))
      throw new Problem("tool", `Redis at ${redisName(place)} does not have what workers were given of this cell`);
    new FolderConsent(folder, settings).add([redisAddress(place)]);
    takeUp();
    changed();
  }

  /** Forgets that workers have runs of a cell: this program can execute the rest. */
  giveUp(cell: string): void {
    for (const run of this.#session.givenAway(cell)) run.giveUp();
    this.#session.changed();
  }
}
