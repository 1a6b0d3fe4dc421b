/** Logs of failed runs in the layout of Who&When, made for tests: ten hand-crafted ones and three generated ones. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const speakers = ["human", "Orchestrator (thought)", "WebSurfer", "Orchestrator (-> Coder)", "Coder"];

/** Log k has 5 + k steps; its annotated step is k, with the speaker of that step. */
export function writeLogs(folder: string): void {
  for (const [set, count] of [
    ["Hand-Crafted", 10],
    ["Algorithm-Generated", 3],
  ] as const) {
    mkdirSync(join(folder, "Who&When", set), { recursive: true });
    for (let log = 1; log <= count; log++) {
      const steps = Array.from({ length: 5 + log }, (_, step) => ({
        speaker: speakers[step % speakers.length]!,
        text: `Step ${step} of log ${log} says ${step === log ? "the wrong thing" : "something"}.`,
      }));
      const value = {
        question: `Question of log ${log}?`,
        ground_truth: `answer ${log}`,
        history: steps.map(({ speaker, text }) =>
          set === "Hand-Crafted"
            ? { role: speaker, content: text }
            : { role: "assistant", name: speaker, content: text },
        ),
        mistake_agent: speakers[log % speakers.length]!.split(" (")[0],
        mistake_step: String(log),
        mistake_reason: `Reason ${log}`,
      };
      writeFileSync(join(folder, "Who&When", set, `${log}.json`), JSON.stringify(value));
    }
  }
}

/** The annotated agent and step of log k. */
export const annotated = (log: number) => ({ agent: speakers[log % speakers.length]!.split(" (")[0]!, step: log });
