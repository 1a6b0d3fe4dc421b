import { beforeAll, expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { errorKinds, faultKinds } from "../../../suites/appbench/score/error-kinds.ts";
import { describePublished } from "../../shared.ts";
import { askedFor, openPublished, rowOf, scoreAnswer, staged } from "./sample-rows.ts";

/** The number of the 801 published tasks into which each fault can be injected. */
const applies = {
  app: 801,
  api: 801,
  "missing-call": 601,
  "extra-call": 801,
  "missing-key": 801,
  "wrong-value": 694,
  "wrong-time-value": 643,
  "wrong-place-value": 636,
  "literal-for-reference": 485,
  garbage: 801,
};

describePublished("each kind of mistake, injected alone into every published task", () => {
  let loaded: LoadedSuite<AppTask, "stages">;
  let tasks: readonly AppTask[];

  beforeAll(async () => {
    loaded = await openPublished();
    tasks = await loaded.tasks("all");
  });

  async function slipAll(kind: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (const task of tasks) {
      const random = randomFrom(`${kind} ${task.id}`);
      const reply = loaded.fault!(task, askedFor("plan"), kind, random);
      if (reply === undefined) continue;
      const apps = loaded.oracle!(task, askedFor("apps")).text;
      rows.push(rowOf(task, await scoreAnswer(loaded, task, staged(apps, reply.text))));
    }
    return rows;
  }

  for (const { name, errors } of faultKinds) {
    test(`${name} is reported once, only as ${errors.join(" or ")}, and makes the task wrong`, async () => {
      const rows = await slipAll(name);
      expect(rows.length).toBe(applies[name]);
      for (const { task, score } of rows) {
        expect(score!.metrics["paper.succ"], task).toBe(0);
        if (name !== "literal-for-reference") expect(score!.value, task).toBe(0);
        if (task === "mm-010") continue;
        const kinds = score!.errors.map((error) => error.kind);
        expect(kinds, task).toHaveLength(1);
        expect(errors, task).toContain(kinds[0]);
      }
    });
  }

  test("is never injected into the first stage, which the oracle answers", () => {
    for (const { name } of faultKinds) {
      expect(loaded.fault!(tasks[0]!, askedFor("apps"), name, randomFrom(1))).toBeUndefined();
    }
  });
});

test("every error that an injected fault causes is of a known kind that belongs only to this fault", () => {
  const named = faultKinds.flatMap(({ errors }) => [...errors]);
  expect(new Set(named).size).toBe(named.length);
  for (const name of named) expect(errorKinds.map((kind) => kind.name)).toContain(name);
});
