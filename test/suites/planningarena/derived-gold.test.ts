/** Answer keys derived from reference dialogues, compared with the keys by construction of the same tasks. */
import { expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { readExamples, readGenerated } from "../../../suites/planningarena/data/task-files.ts";

const folder = sampleFolder("planningarena");

test("derived answer keys contain every value that a step passes to another step, in the argument that receives it", async () => {
  const made = new Map((await readGenerated(folder)).map((task) => [task.id, task.answer.gold]));
  let values = 0;
  for (const { id, answer, facets } of await readExamples(folder)) {
    const [derived, known] = [answer.gold, made.get(id)!];
    if (facets["interface"] !== "API") continue;
    const passed = (gold: typeof known) =>
      gold.subtasks.map(({ tool, args = [] }) => [
        tool,
        args.flatMap(({ name, value, check }) => (check === "TD" ? [[name, value]] : [])),
      ]);
    expect({ id, passed: passed(derived) }).toEqual({ id, passed: passed(known) });
    values += derived.subtasks.flatMap(({ args = [] }) => args.filter(({ check }) => check === "TD")).length;
    if (facets["relation"] !== "DAPI") continue;
    const edges = (gold: typeof known) => gold.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`).toSorted();
    expect({ id, edges: edges(derived) }).toEqual({ id, edges: edges(known) });
  }
  expect(values).toBeGreaterThan(10);
});
