/** A child process with a local model. */
import { fork } from "node:child_process";
import { DataProblem } from "../../text/json-lines.ts";
import { programFile } from "../../work/program-files.ts";
import type { OnnxAnswer, OnnxAssignment } from "./onnx-program.ts";

export type OnnxProcess = {
  /**
   * Vectors, row-major; one call at a time. Rejects with `DataProblem` when the model fails or the process ended, and at
   * once when the signal is aborted; `close` it then.
   */
  ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array<ArrayBuffer>>;
  /** Kills the process. */
  close(): void;
};

/** Starts a process with the model; undefined where its program is absent. While idle it does not keep this process alive. */
export function openProcess(assignment: OnnxAssignment): OnnxProcess | undefined {
  const program = programOfModels();
  if (program === undefined) return undefined;
  const child = fork(program, [JSON.stringify(assignment)], {
    serialization: "advanced",
    // Output of the runtime would be written over the screen.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
  });
  let ended: DataProblem | undefined;
  const end = (why: string) =>
    (ended ??= new DataProblem(`Expected vectors from a local model, its process ended: ${why}`));
  child.on("error", (error) => end(error.message)).on("exit", (code, sign) => end(sign ?? `status ${code}`));
  idle(true);
  return {
    async ask(texts, signal) {
      signal.throwIfAborted();
      if (ended !== undefined) throw ended;
      const { promise, resolve, reject } = Promise.withResolvers<OnnxAnswer>();
      const failed = () => reject(ended);
      const aborted = () => reject(signal.reason);
      child.once("message", resolve).once("error", failed).once("exit", failed);
      signal.addEventListener("abort", aborted, { once: true });
      idle(false);
      try {
        child.send(texts);
        const answer = await promise;
        if ("problem" in answer) throw new DataProblem(answer.problem);
        return answer.rows;
      } finally {
        idle(true);
        signal.removeEventListener("abort", aborted);
        child.off("message", resolve).off("error", failed).off("exit", failed);
      }
    },
    close: () => void child.kill("SIGKILL"),
  };

  function idle(is: boolean): void {
    const change = is ? "unref" : "ref";
    child[change]();
    child.channel?.[change]();
  }
}

/** Beside this file, both in source and in a bundle; undefined when absent. */
const programOfModels = programFile(
  new URL(import.meta.url.endsWith(".ts") ? "./onnx-program.ts" : "./onnx-program.js", import.meta.url),
);
