/**
 * Tasks of a run that were given to workers and whose results have not all arrived, according to the run's files. These files
 * never determine where the program connects.
 */
import type { Elsewhere, GivenOut, RunPlace } from "./run-context.ts";

/** The state of a run whose files name an address that the user never named. */
const notAmongYours = "tasks were given to workers at an address that your settings do not name";

/** Tasks whose results are to be collected again, or why the run is not executed now; neither if it can be executed. */
type TakenUp = { readonly tasks?: ReadonlySet<string>; readonly message?: string };

export class AwayRun {
  readonly #place: RunPlace;
  readonly #elsewhere: Elsewhere | undefined;
  #isThere: boolean | undefined;
  /** Message while the run executes tasks that workers no longer have. */
  note: string | undefined;

  constructor(place: RunPlace, elsewhere: Elsewhere | undefined) {
    this.#place = place;
    this.#elsewhere = elsewhere;
  }

  /** The tasks given to workers; undefined if there are none. Read again after `look` as long as there were some. */
  get out(): GivenOut | undefined {
    if (this.#isThere === false) return undefined;
    const out = this.#elsewhere?.out(this.#place);
    this.#isThere = out !== undefined;
    return out;
  }

  /** Reads the file again, which may have changed. */
  look(): void {
    this.#isThere = undefined;
    this.note = undefined;
  }

  /**
   * The message while the run is not executed; undefined unless workers at an address that the user has not named have tasks of
   * it.
   */
  get message(): string | undefined {
    const { out } = this;
    return out !== undefined && out.url === undefined ? notAmongYours : undefined;
  }

  /**
   * Checks the address that has the run. If the round no longer exists, forgets it, unless `isOpening`. Rejects with `Problem` if
   * the user's address cannot be reached.
   */
  async takeUp(isOpening: boolean): Promise<TakenUp> {
    this.look();
    const { out } = this;
    if (out === undefined) return {};
    const found = await this.#elsewhere!.find(this.#place);
    if (found.kind === "there") return { tasks: out.tasks };
    if (found.kind === "foreign") return { message: notAmongYours };
    if (isOpening) return { message: `${found.why}; execute the remaining tasks with \`r\` or \`planwright run\`` };
    this.giveUp();
    this.note = `${found.why}; the remaining tasks are executed now`;
    return {};
  }

  /** Resolves to whether the round is at this address, which is one of the user's. Rejects as `takeUp` does. */
  async adopt(url: string): Promise<boolean> {
    const adopted = (await this.#elsewhere?.adopt(this.#place, url)) ?? false;
    this.look();
    return adopted;
  }

  /** Forgets the round, so that this program can execute the remaining tasks. */
  giveUp(): void {
    this.#elsewhere?.giveUp(this.#place);
    this.look();
  }
}
