/** The user's choice of executor, this program or workers, stored in the settings and never in a session. */
import { Problem } from "../../problem.ts";
import { keepConsent, needsConsent } from "../../settings/own-redis.ts";
import { readRedisUrl, redisAddress, redisName } from "../../settings/redis-place.ts";
import { type SettingsStore, FolderConsent } from "../../settings/settings.ts";
import type { AwayRun } from "./away-run.ts";
import type { Elsewhere } from "./run-context.ts";

/** The parts of a session that the choice affects. */
export type WorkedSession = {
  readonly folder: string;
  readonly settings: SettingsStore;
  readonly elsewhere: Pick<Elsewhere, "url" | "workers">;
  /** Returns the runs of a cell that are idle here and have tasks on workers. */
  givenAway(cell: string): readonly AwayRun[];
  /** Continues runs that workers at the user's addresses have. */
  takeUp(): void;
  changed(): void;
};

export class WorkersChoice {
  readonly #session: WorkedSession;

  constructor(session: WorkedSession) {
    this.#session = session;
  }

  /** The address of the workers; undefined if none was named. */
  get url(): string | undefined {
    return this.#session.settings.read().workers?.url;
  }

  /** True if workers execute runs that are started from now on. */
  get used(): boolean {
    return this.#session.settings.read().workers?.use === true;
  }

  /** From now on, workers at this address execute runs, or this program if the address is undefined. Throws `SettingsProblem`. */
  choose(url: string | undefined): void {
    this.#session.settings.change((settings) => {
      const known = url ?? settings.workers?.url;
      return known === undefined ? settings : { ...settings, workers: { url: known, use: url !== undefined } };
    });
    this.#session.changed();
  }

  /** Resolves to the number of workers connected there. Rejects with `Problem` if the address cannot be reached. */
  living(url: string): Promise<number> {
    return this.#session.elsewhere.workers(url);
  }

  /** Returns whether the password would be sent unencrypted over the network to this address, without the user's permission. */
  needsConsent(url: string): boolean {
    return needsConsent(url, this.#session.settings.read());
  }

  /** Returns the addresses to which runs of these cells connect without the permission that they need. */
  unagreed(cells: readonly string[]): readonly string[] {
    const { elsewhere, givenAway } = this.#session;
    const out = cells.flatMap((cell) => givenAway(cell).map((run) => run.out?.url));
    const urls = [elsewhere.url, ...out].filter((url) => url !== undefined);
    return [...new Set(urls)].filter((url) => this.needsConsent(url));
  }

  /** Saves the user's permission to send the password there unencrypted, for all sessions. Throws `SettingsProblem`. */
  agree(url: string): void {
    keepConsent(url, this.#session.settings);
  }

  /**
   * Accepts from the user the address at which workers have runs of a cell, saves it for the sessions of this folder, and
   * collects the results. Rejects with `Problem` if the workers at the address have no run of the cell, with `SettingsProblem` if
   * the address cannot be saved.
   */
  async takeUp(cell: string, url: string): Promise<void> {
    const { folder, settings, givenAway, takeUp, changed } = this.#session;
    const adopted = await Promise.all(givenAway(cell).map((run) => run.adopt(url)));
    const place = readRedisUrl(url);
    if (!adopted.includes(true)) throw new Problem("tool", `Redis at ${redisName(place)} has no tasks of this cell`);
    new FolderConsent(folder, settings).add([redisAddress(place)]);
    takeUp();
    changed();
  }

  /** Forgets that workers have runs of a cell, so that this program can execute the remaining tasks. */
  giveUp(cell: string): void {
    for (const run of this.#session.givenAway(cell)) run.giveUp();
    this.#session.changed();
  }
}
