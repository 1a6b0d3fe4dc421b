/** Follows a session that another program has open: its document, its logs, and, where it can be spoken to, what it is doing. */
import { existsSync } from "node:fs";
import type { Clock, Timer } from "../../work/clock.ts";
import { stampOf } from "../../work/file-stamp.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { FollowedRun } from "./followed-run.ts";
import { SessionClient } from "./session-client.ts";
import type { SessionReply, SessionRequest } from "./session-message.ts";
import { socketPath } from "./session-socket.ts";

/** Milliseconds between two looks at the files. */
const look = 250;
/** How many looks apart somebody is called who did not answer, or the lock is asked for whose holder cannot be seen. */
const seldom = 8;

export type FollowedSession = {
  /** Of the runs that are open here, by id. */
  runs(): ReadonlyMap<string, FollowedRun>;
  /** The document on disk is another one. */
  reread(): void;
  changed(): void;
  /** The session is this program's. */
  takeOver(): void;
};

export class SessionFollower {
  readonly #folder: SessionFolder;
  readonly #session: FollowedSession;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #client: SessionClient | undefined;
  #isCalling = false;
  #looks = 0;
  /** What the document on disk was at the last look: it may have changed before the first one. */
  #document = "";
  #closed = false;
  /** Where the folder cannot be written to, there is nothing to take over. */
  readonly #mayTake: boolean;

  constructor(folder: SessionFolder, session: FollowedSession, clock: Clock) {
    this.#folder = folder;
    this.#session = session;
    this.#clock = clock;
    this.#mayTake = folder.openElsewhere;
    this.#again();
  }

  #again(): void {
    this.#timer = this.#clock.setTimeout(() => this.#look(), look);
    this.#timer.unref();
  }

  #look(): void {
    const isSeldom = this.#looks++ % seldom === 0;
    if (this.#mayTake && !(this.#folder.isHeld() ?? !isSeldom) && this.#folder.lock() === undefined) {
      this.close();
      return this.#session.takeOver();
    }
    if (isSeldom && this.#client === undefined && !this.#isCalling) void this.#call();
    let grew = false;
    for (const run of this.#session.runs().values()) grew = run.readOn() || grew;
    if (grew) this.#session.changed();
    const stamp = stampOf(this.#folder.document);
    if (stamp !== this.#document && stamp !== undefined) {
      this.#document = stamp;
      try {
        this.#session.reread();
      } catch {
        // A folder in its place, or nobody may read it: what was read last stays.
      }
    }
    this.#again();
  }

  async #call(): Promise<void> {
    this.#isCalling = true;
    const path = socketPath(this.#folder.path);
    const there = path !== undefined && (process.platform === "win32" || existsSync(path));
    const gone = () => {
      this.#client = undefined;
      for (const run of this.#session.runs().values()) run.tell(undefined);
      this.#session.changed();
    };
    const client = there ? await SessionClient.at(path, { told: (reply) => this.#told(reply), gone }) : undefined;
    this.#isCalling = false;
    if (this.#closed) client?.close();
    else this.#client = client;
    await this.#client?.ask({ do: "follow" });
  }

  #told({ runs }: SessionReply): void {
    const told = new Map(runs.map((each) => [each.run, each]));
    for (const [run, followed] of this.#session.runs()) followed.tell(told.get(run));
    this.#session.changed();
  }

  /** True while the program that has the session can be spoken to. */
  get isHeard(): boolean {
    return this.#client !== undefined;
  }

  /** Asks the program that has the session. */
  async ask(request: SessionRequest): Promise<void> {
    await this.#client?.ask(request);
  }

  close(): void {
    this.#closed = true;
    this.#clock.clearTimeout(this.#timer);
    this.#client?.close();
  }
}
