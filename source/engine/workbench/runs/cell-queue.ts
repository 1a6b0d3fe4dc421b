/**
 * The runs of a cell as one queue at each endpoint: a run is begun as soon as those before it leave places free, so that the
 * tail of one leaves no server idle. Different endpoints are asked at once.
 */
import { SharedPlaces } from "../../run/runner.ts";
import { idWithoutJudge } from "../../session/answered-run.ts";
import type { RunOptions } from "./run-activity.ts";
import type { RunControl } from "./run-control.ts";

export type QueuedRun = { readonly control: RunControl } & Pick<RunOptions, "only">;
type QueueOptions = Pick<RunOptions, "failing" | "cache"> & {
  /** False once no further run is to be begun. */
  readonly goesOn: () => boolean;
};

/** Executes these runs. Resolves when all that were begun have ended; failures are part of their states. */
export async function executeQueued(runs: readonly QueuedRun[], options: QueueOptions): Promise<void> {
  const queues = Map.groupBy(runs, ({ control }) => control.spec.model.split("/")[0]);
  await Promise.all([...queues.values()].map((queue) => executeInOrder(queue, options)));
}

async function executeInOrder(runs: readonly QueuedRun[], { goesOn, ...options }: QueueOptions): Promise<void> {
  const places = new SharedPlaces();
  /** By what their runs ask of the model: a run takes the answers of an equal one that was judged otherwise. */
  const ends = new Map<string, Promise<void>>();
  for (const { control, only } of runs) {
    const asked = idWithoutJudge(control.spec);
    const equal = ends.get(asked);
    if (equal !== undefined) await equal;
    if (!goesOn() || places.closed) break;
    const { promise: hasRoom, resolve } = Promise.withResolvers<void>();
    const given = { ...options, only, shared: { places, roomLeft: resolve } };
    const ended = control.run(given).then(() => (control.completedStop && goesOn() ? control.run(given) : undefined));
    ends.set(asked, ended);
    await Promise.race([ended, hasRoom]);
  }
  await Promise.all(ends.values());
}
