/** A worker thread of clustering: does its part of every job it is told, on memory it shares with the others. */
import { parentPort, workerData } from "node:worker_threads";
import type { GroupingSettings } from "../methods/grouping.ts";
import type { SharedMemory } from "./kernel.ts";
import type { NearShape } from "./near.ts";
import type { SpreadShape } from "./spread.ts";
import type { Vectors } from "../methods/vectors.ts";
import type { Shape } from "./workspace.ts";

/** What a thread is started for. */
export type Assignment =
  | { readonly task: "k-means"; readonly shape: Shape; readonly memory: SharedMemory; readonly thread: number }
  | { readonly task: "near"; readonly shape: NearShape; readonly memory: SharedMemory; readonly thread: number }
  | { readonly task: "spread"; readonly shape: SpreadShape; readonly memory: SharedMemory; readonly thread: number }
  | {
      readonly task: "group";
      readonly vectors: Vectors;
      readonly settings: GroupingSettings;
      readonly comparisons: number | undefined;
    };

const port = parentPort!;
await begin(workerData as Assignment);

async function begin(assignment: Assignment): Promise<void> {
  switch (assignment.task) {
    case "k-means": {
      const [{ work }, { workspaceFor }] = await Promise.all([import("./crew.ts"), import("./workspace.ts")]);
      const workspace = workspaceFor(assignment.shape, assignment.memory);
      return serve((job) => work(workspace, job as "try", assignment.thread));
    }
    case "near": {
      const { nearFor, takeTile } = await import("./near.ts");
      const near = nearFor(assignment.shape, assignment.memory);
      return serve(() => {
        while (takeTile(near, assignment.thread));
      });
    }
    case "spread": {
      const { spreadFor, takeSubjects } = await import("./spread.ts");
      const spread = spreadFor(assignment.shape, assignment.memory);
      return serve(() => {
        while (takeSubjects(spread, assignment.thread));
      });
    }
    case "group": {
      const { group } = await import("../methods/grouping.ts");
      const { vectors, settings, comparisons } = assignment;
      try {
        const result = await group(vectors, settings, {
          ...(comparisons === undefined ? {} : { comparisons }),
          progress: (progress) => port.postMessage({ progress }),
        });
        port.postMessage({ result });
      } catch (error) {
        port.postMessage({ error });
      }
      return;
    }
    default:
      assignment satisfies never;
  }
}

function serve(act: (job: unknown) => void): void {
  port.on("message", (job: unknown) => {
    act(job);
    port.postMessage("done");
  });
  port.postMessage("ready");
}
