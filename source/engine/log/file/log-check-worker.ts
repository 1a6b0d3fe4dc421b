/** The thread that compares the blocks of one log with their checksums. */
import { parentPort, workerData } from "node:worker_threads";
import { changedBlocks, type BlockComparison } from "./changed-blocks.ts";

parentPort!.postMessage(changedBlocks(workerData as BlockComparison));
