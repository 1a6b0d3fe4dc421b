/** The exact evaluation on every published conformance case. */
import { existsSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import {
  aggregate,
  type ByRelation,
  dependencyAccuracy,
  mistakeAvoidance,
  subtaskExecution,
  type Checkpoint,
  type WeightedCheck,
  type WeightedSubtask,
} from "../../../suites/planningarena/score/formulas.ts";
import { dateOfSpan } from "../../../suites/planningarena/data/calendar.ts";
import { offerOf, type Catalogue } from "../../../suites/planningarena/data/catalogue.ts";
import { evaluate } from "../../../suites/planningarena/score/evaluate.ts";
import { readCatalogue } from "../../../suites/planningarena/data/folder.ts";
import { readTaskNumber } from "./task-number.ts";
import { parseCall } from "../../../suites/planningarena/data/literal.ts";
import type { Gold, RawAnswer, TaskHead } from "../../../suites/planningarena/data/records.ts";
import type { Json } from "../../../source/engine/types.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

type Case<Input, Expected> = { readonly name: string; readonly input: Input; readonly expected: Expected };

function cases<Input, Expected>(kind: string): Case<Input, Expected>[] {
  if (!existsSync(shared("conformance"))) return [];
  const file = sharedJson<{ count: number; cases: Case<Input, Expected>[] }>(
    "conformance",
    "planningarena",
    `${kind}.json`,
  );
  if (file.cases.length !== file.count) throw new Error(`Expected ${file.count} cases of ${kind}`);
  return file.cases;
}

describePublished("evaluated dialogues", () => {
  type Input = { task: TaskHead; gold: Gold; offeredSet: string; dialogue?: Json[]; raw?: RawAnswer[] };
  type Expected = { checks: unknown; ser: number; da: Record<string, number | null> | null; lpr: number; smar: object };
  let catalogue: Catalogue;
  const profiles = new Map<string, Json>();
  beforeAll(async () => {
    catalogue = await readCatalogue(shared("data", "planningarena"));
    const file = sharedJson<{ profiles: { id: string; profile: Json }[] }>("data", "planningarena", "profiles.json");
    for (const { id, profile } of file.profiles) profiles.set(id, profile);
  });

  test.each(cases<Input, Expected>("dialogue-eval"))("$name", ({ input, expected }) => {
    const { task, offeredSet, ...rest } = input;
    const profile = task.userId === null ? undefined : profiles.get(task.userId)!;
    const got = evaluate({ task, ...rest, offer: offerOf(catalogue, offeredSet)!, profile });
    const { garbled, generated, checks, result, ser, lpr, smar, da } = got;
    expect({ garbled, generated, checks, result }).toEqual({
      garbled: (expected as { garbled?: boolean }).garbled,
      generated: (expected as { generated?: boolean }).generated,
      checks: expected.checks,
      result: (expected as { result?: boolean }).result,
    });
    const numbers = (value: object | null) =>
      value === null ? null : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rounded(v as number)]));
    expect([rounded(ser), rounded(lpr), numbers(smar)]).toEqual([
      rounded(expected.ser),
      rounded(expected.lpr),
      numbers(expected.smar),
    ]);
    const counted =
      da === null
        ? null
        : { n: da.n, m: da.m, correct: da.correct, value: da.value, recall: da.recall, literal: da.literal };
    expect(numbers(counted)).toEqual(numbers(expected.da));
  });
});

/** Expected values have six decimals. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(6));
}

describePublished("parts of the evaluation", () => {
  test.each(cases<{ action: string }, unknown>("action-parse"))("$name", ({ input, expected }) => {
    expect(parseCall(input.action) ?? null).toEqual(expected);
  });
  test.each(cases<{ id: number }, unknown>("id-map"))("$name", ({ input, expected }) => {
    expect(readTaskNumber(input.id)).toEqual(expected);
  });
  test.each(cases<{ currentDate: string; span: string }, string | null>("date-span"))(
    "$name",
    ({ input, expected }) => {
      expect(dateOfSpan(input.currentDate, input.span) ?? null).toBe(expected);
    },
  );
  test.each(cases<{ cells: ByRelation; weights: ByRelation }, Record<string, number>>("aggregate"))(
    "$name",
    ({ input, expected }) => {
      const got = Object.entries(aggregate(input.cells, input.weights));
      expect(Object.fromEntries(got.map(([group, value]) => [group, rounded(value)]))).toEqual(expected);
    },
  );
  test.each(cases<{ n: number; edges: Checkpoint[][] }, Record<string, number | null>>("da-formula"))(
    "$name",
    ({ input, expected }) => {
      const got = Object.entries(dependencyAccuracy(input.n, input.edges));
      expect(Object.fromEntries(got.map(([part, value]) => [part, rounded(value)]))).toEqual(expected);
    },
  );
  test.each(cases<{ subtasks: WeightedSubtask[] }, number>("ser-formula"))("$name", ({ input, expected }) => {
    expect(subtaskExecution(input.subtasks)).toBeCloseTo(expected, 9);
  });
  test("the execution of a single subtask of weight 1 equals its own share, and is undefined without weights", () => {
    expect(subtaskExecution([{ w: 1, c: 1, q: 0.5 }])).toBe(0.5);
    expect(subtaskExecution([])).toBeNull();
  });
  test.each(cases<{ bgc: number; checks: WeightedCheck[] }, number>("smar-formula"))("$name", ({ input, expected }) => {
    expect(mistakeAvoidance(input.bgc === 1, input.checks)).toBeCloseTo(expected, 6);
  });
});
