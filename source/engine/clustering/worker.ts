/** A worker thread of clustering: does its part of every job it is told, on memory it shares with the others. */
import { parentPort, workerData } from "node:worker_threads";
import { work, type Job } from "./crew.ts";
import type { SharedMemory } from "./kernel.ts";
import { workspaceFor, type Shape } from "./workspace.ts";

const { shape, memory, thread } = workerData as { shape: Shape; memory: SharedMemory; thread: number };
const workspace = workspaceFor(shape, memory);
parentPort!.on("message", (job: Job) => {
  work(workspace, job, thread);
  parentPort!.postMessage("done");
});
parentPort!.postMessage("ready");
