/** Executes the runs of a cell: runs of one endpoint in order, runs of different endpoints at the same time. */
import { SharedPlaces } from "../../run/runner.ts";
import type { RunOptions } from "./run-activity.ts";
import type { RunControl } from "./run-control.ts";

type QueuedRun = { readonly control: RunControl } & Pick<RunOptions, "only">;
type QueueOptions = Pick<RunOptions, "failing" | "cache"> & {
  /** Returns false once no further run may start. */
  readonly goesOn: () => boolean;
};

/** Executes these runs. Resolves when all started runs have ended; failures are part of their states. */
export async function executeQueued(runs: readonly QueuedRun[], options: QueueOptions): Promise<void> {
  const queues = Map.groupBy(runs, ({ control }) => control.spec.model.split("/")[0]);
  await Promise.all([...queues.values()].map((queue) => executeInOrder(queue, options)));
}

async function executeInOrder(runs: readonly QueuedRun[], { goesOn, ...options }: QueueOptions): Promise<void> {
  const places = new SharedPlaces();
  /** Orders cells by the requests of their runs, because a run reuses the answers of a run that differs only in scoring. */
  const ends = new Map<string, Promise<void>>();
  for (const { control, only } of runs) {
    const { asked } = control;
    const equal = ends.get(asked);
    if (equal !== undefined) await equal;
    for (const earlier of control.after) await ends.get(earlier);
    if (!goesOn() || places.closed) break;
    const { promise: hasRoom, resolve } = Promise.withResolvers<void>();
    const given = { ...options, only, shared: { places, roomLeft: resolve } };
    const ended = control.run(given).then(() => (control.completedStop && goesOn() ? control.run(given) : undefined));
    ends.set(asked, ended);
    await Promise.race([ended, hasRoom]);
  }
  await Promise.all(ends.values());
}
