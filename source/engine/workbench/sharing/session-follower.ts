/** Follows a session that another program has open: its document, its logs, and, if that program can be reached, its activity. */
import { type Clock, repeatedly } from "../../work/clock.ts";
import { stampOf } from "../../work/file-stamp.ts";
import { SessionClient } from "./session-client.ts";
import type { SessionRequest } from "./session-message.ts";
import { type SharedSession, tellRuns } from "./shared-session.ts";

/** Milliseconds between two checks of the files. */
const look = 250;
/** Number of checks between attempts to reach a program that does not answer, or to take a lock whose holder is unknown. */
const seldom = 8;

export class SessionFollower {
  readonly #shared: SharedSession;
  readonly #unwatch: () => void;
  #client: SessionClient | undefined;
  #isCalling = false;
  #looks = 0;
  /** Stamp of the document at the last check; empty at first, because the document may have changed before. */
  #document = "";
  #closed = false;
  /** False if the folder cannot be written to, so the session cannot be taken over. */
  readonly #mayTake: boolean;

  constructor(shared: SharedSession, clock: Clock) {
    this.#shared = shared;
    this.#mayTake = shared.folder.openElsewhere;
    this.#unwatch = repeatedly(clock, look, () => this.#look());
  }

  #look(): void {
    const { folder, controls, reread, takeOver, changed } = this.#shared;
    const isSeldom = this.#looks++ % seldom === 0;
    if (this.#mayTake && !(folder.isHeld() ?? !isSeldom) && folder.lock() === undefined) {
      this.close();
      return takeOver();
    }
    if (isSeldom && this.#client === undefined && !this.#isCalling) void this.#call();
    const grew = controls().filter(({ followed }) => followed?.readOn() === true);
    if (grew.length > 0) changed();
    const stamp = stampOf(folder.document);
    if (stamp === this.#document || stamp === undefined) return;
    this.#document = stamp;
    try {
      reread();
    } catch {
      // The document was replaced by a folder or cannot be read; the last content stays.
    }
  }

  async #call(): Promise<void> {
    this.#isCalling = true;
    const gone = () => {
      this.#client = undefined;
      tellRuns(this.#shared, []);
    };
    const client = await SessionClient.of(this.#shared.folder.path, {
      told: ({ runs }) => tellRuns(this.#shared, runs),
      gone,
    });
    this.#isCalling = false;
    if (this.#closed) client?.close();
    else this.#client = client;
    await this.#client?.ask({ do: "follow" });
  }

  /** True while the program that has the session can be reached. */
  get isHeard(): boolean {
    return this.#client !== undefined;
  }

  /** Sends a request to the program that holds the session. */
  async ask(request: SessionRequest): Promise<void> {
    await this.#client?.ask(request);
  }

  close(): void {
    this.#closed = true;
    this.#unwatch();
    this.#client?.close();
  }
}
