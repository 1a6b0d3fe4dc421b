/**
 * One session open in several programs. The others follow and control the program that holds it, and take the session over when
 * that program ends.
 */
import type { Clock } from "../../work/clock.ts";
import type { SessionFollower } from "./session-follower.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionReply, SessionRequest } from "./session-message.ts";
import { type SharedSession, tellRuns } from "./shared-session.ts";

export class SessionSharing {
  readonly #shared: SharedSession;
  readonly #clock: Clock;
  #host: SessionHost | undefined;
  #follower: SessionFollower | undefined;
  #closed = false;

  constructor(shared: SharedSession, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
  }

  /** Lets other programs follow, from the first run on; before that, the files contain all data. */
  async host(): Promise<void> {
    if (this.#host !== undefined || this.#closed) return;
    const { SessionHost } = await import("./session-host.ts");
    if (this.#host !== undefined || this.#closed) return;
    this.#host = new SessionHost(this.#shared, this.#clock);
    await this.#host.listen();
  }

  /** Follows the program that has the session. */
  async follow(): Promise<void> {
    const { SessionFollower } = await import("./session-follower.ts");
    if (!this.#closed) this.#follower = new SessionFollower(this.#shared, this.#clock);
  }

  /** Returns why the program that holds the session cannot be controlled; undefined if it can. */
  get unsteerable(): string | undefined {
    if (this.#follower?.isHeard === true) return undefined;
    return "The program that has this session open cannot be reached from here";
  }

  /** Handles a reply that was not sent to the follower. */
  hear({ runs }: SessionReply): void {
    tellRuns(this.#shared, runs);
  }

  /** Sends a request to the program that has the session. */
  async ask(request: SessionRequest): Promise<void> {
    await this.#follower?.ask(request);
  }

  close(): void {
    this.#closed = true;
    this.#host?.close();
    this.#follower?.close();
  }
}
