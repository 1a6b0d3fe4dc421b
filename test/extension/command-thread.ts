/** A thread that passes command lines to the process of `served-commands.ts`, while a test waits for the result in one call. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type MessagePort, workerData } from "node:worker_threads";
import type { CommandLine, Ended } from "./served-commands.ts";

export type ThreadData = { readonly launcher: string; readonly port: MessagePort; readonly answered: Int32Array };

const { launcher, port, answered } = workerData as ThreadData;
let served: ChildProcess | undefined;

port.on("message", (line: CommandLine | "stop") => {
  if (line === "stop") {
    served?.kill();
    served = undefined;
    return answer();
  }
  const child = (served ??= fork(join(import.meta.dirname, "served-commands.ts"), [launcher], { execArgv: [] }));
  const stopped = (status: number | null) => {
    served = undefined;
    answer({ out: "", err: "The process of served-commands.ts has ended", status });
  };
  child.once("error", () => stopped(null)).once("exit", stopped);
  child.once("message", (ended: Ended) => {
    child.removeAllListeners("error").off("exit", stopped);
    answer(ended);
  });
  child.send(line);
});

function answer(ended?: Ended): void {
  if (ended !== undefined) port.postMessage(ended);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}
