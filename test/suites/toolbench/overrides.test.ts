import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Mistake, TaskEvent } from "../../../source/engine/types.ts";
import { temporaryFolder, typed } from "../../commands/typed.ts";

const at = temporaryFolder();
const session = `\`\`\`run chain
suite: toolbench
split: G1_instruction
strategy: react
model: builtin/slips?missing-parameter=1&seed=1
\`\`\`

\`\`\`analysis errors
pane: tool-errors
of: [chain]
\`\`\`
`;

/** The last score of a task in the log of the only run. */
function scoreOf(log: string, task: string) {
  const events = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as TaskEvent]));
  const last = events.findLast((event) => event.type === "scored" && event.task === task);
  if (last?.type !== "scored") throw new Error(`Expected a score of ${task}`);
  return last.score;
}

it("a kind that a person gives an error replaces the kind found by the rules when a run is scored again", async () => {
  mkdirSync(at("kits"), { recursive: true });
  writeFileSync(at("kits", "session.md"), session);
  expect((await typed("run", at("kits"))).status).toBe(0);
  const [run] = readdirSync(at("kits", "runs"));
  const log = () => readFileSync(at("kits", "runs", run!, "events.jsonl"), "utf8");
  const write = (value: unknown) => writeFileSync(at("kits", "runs", run!, "overrides.json"), JSON.stringify(value));
  const asked = () => log().match(/"type":"prompt"/g)!.length;
  const requests = asked();
  const task = "G1_instruction-1";
  const before = scoreOf(log(), task);
  const error = before.errors.find(({ kind }) => kind === "missing-parameter") as Mistake;
  const correction = { source: "R. Reader", reason: "the document does not say that it is required" };

  write([{ task, step: error.step, was: error.kind, kind: "decision-failure", ...correction }]);
  const again = await typed("run", at("kits"), "--rescore");
  expect(again.status).toBe(0);
  const after = scoreOf(log(), task);
  expect(after.errors).toContainEqual({
    ...error,
    kind: "decision-failure",
    override: { was: "missing-parameter", ...correction },
  });
  expect(after.metrics).toEqual({ ...before.metrics, "errors.overridden": 1 });
  expect(after.value).toBe(before.value);
  expect(scoreOf(log(), "G1_instruction-11").metrics["errors.overridden"]).toBeUndefined();
  expect(asked()).toBe(requests);

  write([{ task, step: 99, kind: "decision-failure", ...correction }]);
  const unfit = await typed("run", at("kits"), "--rescore");
  expect(unfit.status).toBe(1);
  expect(unfit.err).toContain(
    "1 task keeps its old score (G1_instruction-1: Expected the override of G1_instruction-1, step 99 to match one error, but it matches 0)",
  );
  expect(scoreOf(log(), task)).toEqual(after);

  write([{ task, kind: "bad-luck", ...correction }]);
  expect((await typed("run", at("kits"), "--rescore")).err).toContain(
    "to be one of invalid-parameter, api-hallucinated",
  );
  write([{ task, kind: "decision-failure", source: "R. Reader" }]);
  expect((await typed("run", at("kits"), "--rescore")).err).toContain(
    "to be a list of overrides, got a mistake in 0.reason",
  );

  writeFileSync(at("kits", "runs", run!, "overrides.json"), "[]");
  await typed("run", at("kits"), "--rescore");
  expect(scoreOf(log(), task)).toEqual(before);
});
