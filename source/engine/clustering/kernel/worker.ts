/**
 * The program of a clustering worker thread: does its part of every job that it receives, on memory shared with the other
 * threads.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { Assignment, Job } from "./job.ts";

const port = parentPort!;
await begin(workerData as Assignment);

async function begin(assignment: Assignment): Promise<void> {
  switch (assignment.task) {
    case "k-means": {
      const [{ runPart }, { workspaceFor }] = await Promise.all([import("./worker-pool.ts"), import("./workspace.ts")]);
      const workspace = workspaceFor(assignment.shape, assignment.memory);
      const progress = (done: number) => port.postMessage(done);
      return serve((job) => runPart(workspace, job as Job, assignment.thread, progress));
    }
    case "neighbour-tiles": {
      const { compareNextTile, tilesFor } = await import("./neighbour-tiles.ts");
      const tiles = tilesFor(assignment.shape, assignment.memory);
      return serve(() => {
        while (compareNextTile(tiles, assignment.thread));
      });
    }
    case "dispersion": {
      const { compareNextTiles, dispersionFor } = await import("./dispersion.ts");
      const dispersion = dispersionFor(assignment.shape, assignment.memory);
      return serve(() => {
        while (compareNextTiles(dispersion, assignment.thread));
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

function serve(run: (job: unknown) => void): void {
  port.on("message", (job: unknown) => {
    run(job);
    port.postMessage("done");
  });
  port.postMessage("ready");
}
