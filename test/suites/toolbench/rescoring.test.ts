/** Saved runs over toolkits, scored again by a program that has not grouped any tools yet. */
import { expect, it } from "vitest";
import { apibench } from "../../../suites/apibench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";

const sessions = temporarySessions();

it.each([
  ["toolbench", "split: all\ncatalogue: all\nmodel: builtin/slips?wrong-toolkit=1&seed=1"],
  ["toolbench", "split: all\ncatalogue: query\nclusters: {k: 1}\nmodel: builtin/slips?wrong-toolkit=1&seed=1"],
  ["apibench", "split: torchhub\nmodel: builtin/oracle"],
])("scoring again in another process gives the same results: %s, %s", async (suite, settings) => {
  const text = `\`\`\`run kits\nsuite: ${suite}\nstrategy: tool-planner\n${settings}\n\`\`\`\n`;
  const suites = [toolbench, apibench];
  const first = await sessions.open(text, { suites });
  await first.run(cellNamed(first, "kits"));
  const { run } = runsOf(first, "kits")[0]!;
  const before = new Map(first.rows(run).map(({ task, score }) => [task, score]));
  await first.close();
  const again = await sessions.open(undefined, { suites });
  await again.rescore(cellNamed(again, "kits"));
  expect(new Map(again.rows(run).map(({ task, score }) => [task, score]))).toEqual(before);
  expect([...before.values()].every((score) => score?.metrics["cluster.count"] !== undefined)).toBe(true);
  const kinds = [...before.values()].flatMap((score) => score!.errors.map(({ kind }) => kind));
  expect(kinds.includes("cluster-incomplete")).toBe(settings.includes("query"));
});
