/** What workers were given of a run and has not all come back, as the files of the run say: these decide nowhere to connect to. */
import type { Elsewhere, GivenOut, RunPlace } from "./run-context.ts";

/** The state of a run whose files name an address that the user never named. */
const notAmongYours = "given to workers at an address that is not among yours";

/** Tasks that are taken up again, or why the run is not executed now; neither where it can be executed. */
type TakenUp = { readonly tasks?: ReadonlySet<string>; readonly message?: string };

export class AwayRun {
  readonly #place: RunPlace;
  readonly #elsewhere: Elsewhere | undefined;
  #isThere: boolean | undefined;
  /** Said while the run executes what workers no longer have. */
  #note: string | undefined;

  constructor(place: RunPlace, elsewhere: Elsewhere | undefined) {
    this.#place = place;
    this.#elsewhere = elsewhere;
  }

  /** Undefined for nothing. Read again after `look`, as long as there was something. */
  get out(): GivenOut | undefined {
    if (this.#isThere === false) return undefined;
    const out = this.#elsewhere?.out(this.#place);
    this.#isThere = out !== undefined;
    return out;
  }

  /** The file may be another one now. */
  look(): void {
    this.#isThere = undefined;
    this.#note = undefined;
  }

  /** Shown while nothing is done with the run; undefined unless workers have tasks of it at an address that is not the user's. */
  get message(): string | undefined {
    const { out } = this;
    return out !== undefined && out.url === undefined ? notAmongYours : undefined;
  }

  get note(): string | undefined {
    return this.#note;
  }

  /**
   * Looks where the run was given to. If the round is gone, forgets it, unless `isOpening`. Rejects with `Problem` if the user's address
   * cannot be asked.
   */
  async takeUp(isOpening: boolean): Promise<TakenUp> {
    this.look();
    const { out } = this;
    if (out === undefined) return {};
    const found = await this.#elsewhere!.find(this.#place);
    if (found.kind === "there") return { tasks: out.tasks };
    if (found.kind === "foreign") return { message: notAmongYours };
    if (isOpening) return { message: `${found.why}: \`r\` or \`planwright run\` executes the rest` };
    this.giveUp();
    this.#note = `${found.why}: the rest is executed now`;
    return {};
  }

  /** Resolves to whether the round is at this address of the user's. Rejects as `takeUp`. */
  async adopt(url: string): Promise<boolean> {
    const adopted = (await this.#elsewhere?.adopt(this.#place, url)) ?? false;
    this.look();
    return adopted;
  }

  /** Forgets it: the rest can be executed by this program. */
  giveUp(): void {
    this.#elsewhere?.giveUp(this.#place);
    this.look();
  }
}
