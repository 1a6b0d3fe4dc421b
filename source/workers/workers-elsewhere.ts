/** Executes runs on workers, if the user chose this or the run was given to workers earlier. */
import { randomBytes } from "node:crypto";
import type { TaskRunner } from "../engine/run/runner.ts";
import { type OwnRedis, ownRedis } from "../engine/settings/own-redis.ts";
import { readRedisUrl, redisName } from "../engine/settings/redis-place.ts";
import type { Elsewhere, FoundOut, GivenAway, GivenOut, RunPlace } from "../engine/workbench/runs/run-context.ts";
import { type SettingsStore, FolderConsent } from "../engine/settings/settings.ts";
import {
  addressHash,
  isAddress,
  readRoundFile,
  removeRoundFile,
  type RoundFile,
  writeRoundFile,
} from "./rounds/round-file.ts";
import { roundKeys } from "./rounds/round-keys.ts";

/** Replaces the address to use no workers, whatever the settings contain. */
export const noWorkers = "none";

export class WorkersElsewhere implements Elsewhere {
  readonly #settings: SettingsStore;
  readonly #consent: FolderConsent;
  readonly #command: string | undefined;
  readonly #codeFiles: readonly string[];

  /**
   * `folder`: the session's folder. `command`: the address from the command line, or `noWorkers`; the settings decide if it is
   * absent. `codeFiles`: the names of the user's own files of code.
   */
  constructor(settings: SettingsStore, folder: string, command?: string, codeFiles: readonly string[] = []) {
    this.#settings = settings;
    this.#consent = new FolderConsent(folder, settings);
    this.#command = command;
    this.#codeFiles = codeFiles;
  }

  get url(): string | undefined {
    const { workers } = this.#settings.read();
    if (this.#command !== undefined) return this.#named;
    return workers?.use === true ? workers.url : undefined;
  }

  /** The address from the command line. */
  get #named(): string | undefined {
    return this.#command === noWorkers ? undefined : this.#command;
  }

  out(place: RunPlace): GivenOut | undefined {
    const file = fileOf(place);
    return file && { tasks: new Set(file.tasks), url: this.#ownUrl(file) };
  }

  /** Returns the user's address whose hash the file contains. */
  #ownUrl({ address }: RoundFile): string | undefined {
    const kept = this.#consent.given().filter((each) => /^rediss?:/.test(each));
    const known = [this.#named, this.#settings.read().workers?.url, ...kept];
    return known.find((url) => url !== undefined && isAddress(url, address));
  }

  async find(place: RunPlace): Promise<FoundOut> {
    const url = this.out(place)?.url;
    if (url !== undefined) {
      if (await this.#has(place, url)) return { kind: "there" };
      return { kind: "gone", why: `Redis at ${redisName(readRedisUrl(url))} no longer has the tasks given to workers` };
    }
    if (this.#command === noWorkers)
      return {
        kind: "gone",
        why: "The tasks given to workers at an address that your settings do not name are abandoned",
      };
    return { kind: this.#named !== undefined && (await this.adopt(place, this.#named)) ? "there" : "foreign" };
  }

  async adopt(place: RunPlace, url: string): Promise<boolean> {
    const file = fileOf(place);
    if (file === undefined || !(await this.#has(place, url))) return false;
    writeRoundFile(place.folder, { ...file, address: addressHash(url) });
    return true;
  }

  async #has(place: RunPlace, url: string): Promise<boolean> {
    const { withRedis } = await import("./connection.ts");
    const { manifest } = roundKeys(fileOf(place)!.round);
    return withRedis(this.#own(url), async (redis) => (await redis.exists(manifest)) === 1);
  }

  giveUp({ folder }: RunPlace): void {
    removeRoundFile(folder);
  }

  async workers(url: string): Promise<number> {
    const { workersAt } = await import("./presence.ts");
    return (await workersAt(this.#own(url))).length;
  }

  async start(given: GivenAway): Promise<TaskRunner> {
    const [{ Round }, { WorkersRun }] = await Promise.all([import("./rounds/round.ts"), import("./workers-run.ts")]);
    const { run, store, tasks, isOut } = given;
    const before = isOut ? fileOf({ run, folder: store.folder })! : undefined;
    const url = before === undefined ? this.url! : this.#ownUrl(before)!;
    const file = before ?? {
      round: `${run}-${randomBytes(6).toString("hex")}`,
      address: addressHash(url),
      tasks: tasks.map(({ id }) => id),
    };
    const round = await Round.connect(file.round, this.#own(url), given.folder.path);
    return new WorkersRun({ ...given, codeFiles: this.#codeFiles }, round, file);
  }

  #own(url: string): OwnRedis {
    return ownRedis(url, this.#settings.read());
  }
}

const fileOf = ({ run, folder }: RunPlace): RoundFile | undefined => readRoundFile(folder, run);
