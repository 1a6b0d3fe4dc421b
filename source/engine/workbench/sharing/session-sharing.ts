/** One session in several programs: the one that has it can be followed and steered from the others, which take it over when it goes. */
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Clock } from "../../work/clock.ts";
import type { RunControl } from "../runs/run-control.ts";
import type { SessionCell } from "../workbench.ts";
import type { SessionFollower } from "./session-follower.ts";
import type { SessionHost, SharedSession } from "./session-host.ts";
import type { SessionReply, SessionRequest } from "./session-message.ts";
import { counted } from "../../text/counted.ts";

/** What of a workbench is shared. */
export type Shared = {
  readonly folder: SessionFolder;
  cells(): readonly SessionCell[];
  controls(): readonly RunControl[];
  pause(cell: string): void;
  resume(cell: string): void;
  stop(cell: string, run?: string): void;
  setConcurrency(cell: string, concurrency: number): void;
  reread(): void;
  takeOver(): void;
  changed(): void;
};
export type Steering = Parameters<SharedSession["steer"]>[0];

export function steerRuns(runs: readonly { readonly control: RunControl }[], request: Steering): void {
  for (const { control } of runs)
    if (request.do === "concurrency") control.setConcurrency(request.to);
    else if (request.do !== "stop") control[request.do]();
    else if (control.active && (request.run ?? control.planned.run) === control.planned.run) control.stop();
}

export class SessionSharing {
  readonly #shared: Shared;
  readonly #clock: Clock;
  #host: SessionHost | undefined;
  #follower: SessionFollower | undefined;
  #closed = false;

  constructor(shared: Shared, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
  }

  /** Lets others follow, from the first run on: until then there is nothing that the files do not say. */
  async host(): Promise<void> {
    if (this.#host !== undefined || this.#closed) return;
    const [{ SessionHost }, { socketPath }] = await Promise.all([
      import("./session-host.ts"),
      import("./session-socket.ts"),
    ]);
    const path = socketPath(this.#shared.folder.path);
    if (path === undefined || this.#host !== undefined || this.#closed) return;
    const told = () => this.#shared.controls().flatMap((control) => control.told() ?? []);
    this.#host = new SessionHost({ told, steer: (request) => this.#steer(request) }, this.#clock);
    await this.#host.listen(path);
  }

  /** Follows the program that has the session. */
  async follow(): Promise<void> {
    const { SessionFollower } = await import("./session-follower.ts");
    if (this.#closed) return;
    const { folder, controls, reread, takeOver, changed } = this.#shared;
    const runs = () =>
      new Map(controls().flatMap(({ planned: { run }, followed }) => (followed ? [[run, followed] as const] : [])));
    this.#follower = new SessionFollower(folder, { runs, reread, takeOver, changed }, this.#clock);
  }

  /** Why the program that has the session cannot be asked for anything; undefined where it can. */
  get unsteerable(): string | undefined {
    if (this.#follower?.isHeard === true) return undefined;
    return "The program that has this session open cannot be spoken to from here";
  }

  /** Takes what the program that has the session answered to somebody else than the follower. */
  hear({ runs }: SessionReply): void {
    const told = new Map(runs.map((each) => [each.run, each]));
    for (const { planned, followed } of this.#shared.controls()) followed?.tell(told.get(planned.run));
    this.#shared.changed();
  }

  /** Has the program that has the session do it. */
  async ask(request: Steering): Promise<void> {
    await this.#follower?.ask(request);
  }

  #steer(request: Steering): string {
    const cells = this.#shared.cells().filter(({ kind }) => kind === "run");
    const unknown = request.cells?.find((name) => !cells.some((cell) => cell.name === name));
    if (unknown !== undefined) throw new Error(`Expected a run cell of this session, got \`${unknown}\``);
    const asked = cells.filter(({ name }) => request.cells?.includes(name) ?? true);
    for (const { id } of asked)
      if (request.do === "concurrency") this.#shared.setConcurrency(id, request.to);
      else if (request.do === "stop") this.#shared.stop(id, request.run);
      else this.#shared[request.do](id);
    const names = asked.map(({ name }) => name || "run").join(", ");
    return request.do === "concurrency"
      ? `${names}: ${counted(request.to, "task")} at once`
      : `${names}: ${done[request.do]}`;
  }

  close(): void {
    this.#closed = true;
    this.#host?.close();
    this.#follower?.close();
  }
}

const done: Readonly<Record<Exclude<SessionRequest["do"], "status" | "follow" | "concurrency">, string>> = {
  pause: "no more tasks are started",
  resume: "goes on",
  stop: "stopped",
};
