/** Each mistake that can be injected is found by its own check, and by no other except those that it implies. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Score } from "../../../source/engine/types.ts";
import { datesIn } from "../../../suites/planningarena/data/calendar.ts";
import { generatePlanningArena } from "../../../suites/planningarena/data/generator/generate.ts";
import { openSuite } from "../../../suites/planningarena/loaded-suite.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { sparedStep } from "../../../suites/planningarena/ask/reference-plan.ts";
import { faultKinds } from "../../../suites/planningarena/score/error-kinds.ts";
import type { ArenaTask } from "../../../suites/planningarena/data/task.ts";
import { runDialogue, scoreDialogue } from "./execution.ts";

let folder: string;
let loaded: LoadedSuite<ArenaTask, "dialogue">;
let tasks: readonly ArenaTask[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planningarena-"));
  const signal = new AbortController().signal;
  await generatePlanningArena({ count: 150, seed: 11, out: folder, report: () => {}, signal });
  loaded = await openSuite(planningarena, { folder, data: "published" });
  tasks = await loaded.tasks("generated");
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the dialogue with this mistake; undefined if the task offers no place for it. */
async function scoreWithFault(kind: string, task: ArenaTask): Promise<Score | undefined> {
  let made = 0;
  const answer = runDialogue(loaded, task, (asked) => {
    const reply = loaded.fault!(task, asked, kind, randomFrom(`slip ${task.id} ${kind}`));
    if (reply !== undefined) made += 1;
    return reply;
  });
  expect(made).toBeLessThan(2);
  return made === 0 ? undefined : scoreDialogue(loaded, task, answer);
}

const broken = (score: Score) => score.checks.filter(({ kept }) => kept === false).map(({ name }) => name);

/** The errors that follow if a subtask is not done. */
function missingStep(task: ArenaTask): string[] {
  const { gold } = task.answer;
  const lost = gold.subtasks[sparedStep(task)]!;
  const others = gold.subtasks.filter((subtask) => subtask !== lost).map(({ text = "" }) => text.toLowerCase());
  const alone = (literal: string) => !others.some((text) => text.includes(literal.toLowerCase()));
  const saidElsewhere = datesIn(others.join(" "));
  const dated = (gold.dates ?? []).some((date) => datesIn(lost.text ?? "").has(date) && !saidElsewhere.has(date));
  const follows = [
    ["SC", true],
    ["TD", gold.edges.some(({ from, to }) => from === lost.id || to === lost.id)],
    ["PC", (gold.literals ?? []).some((literal) => lost.text?.includes(literal) && alone(literal))],
    ["TR", dated || (lost.args?.some(({ check }) => check === "TR") ?? false)],
  ] as const;
  return follows.flatMap(([name, does]) => (does ? [name] : []));
}

const expectedOf: Readonly<Record<string, (task: ArenaTask) => string[]>> = {
  "missing-step": missingStep,
  "redundant-step": () => ["SR"],
  dependency: () => ["TD"],
  "fictitious-app": () => ["FD-APP"],
  "operation-space": () => ["OSC"],
  "fictitious-tool": () => ["FD-API"],
  "fictitious-parameter": () => ["PC"],
  "wrong-value": () => ["PC"],
  "time-inference": () => ["TR"],
  "step-number": () => ["PGR"],
  garbled: () => ["PGR"],
};

test.each(faultKinds)(
  "a dialogue with $name fails the check for this mistake and no other",
  async ({ name, errors }) => {
    const places = new Set<unknown>();
    for (const task of tasks) {
      const score = await scoreWithFault(name, task);
      if (score === undefined) continue;
      places.add(task.facets["relation"]);
      expect(score.value).toBe(0);
      expect({ task: task.id, broken: broken(score) }).toEqual({ task: task.id, broken: expectedOf[name]!(task) });
      for (const kind of errors) expect(score.errors.map((mistake) => mistake.kind)).toContain(kind);
      if (name === "garbled") expect(score.checks.filter(({ kept }) => kept !== undefined)).toHaveLength(1);
    }
    expect(places.size).toBeGreaterThan(1);
  },
);

test("every check fails alone for at least one kind of injected mistake", async () => {
  const alone = new Set<string>();
  for (const { name } of faultKinds)
    for (const task of tasks.slice(0, 80)) {
      const score = await scoreWithFault(name, task);
      if (score !== undefined && broken(score).length === 1) alone.add(broken(score)[0]!);
    }
  expect([...alone].sort()).toEqual(["FD-API", "FD-APP", "OSC", "PC", "PGR", "SC", "SR", "TD", "TR"]);
});
