/** A scan and a rescue of the same failures, next to each other in one figure. */
import { expect, it } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { pointFacets } from "../../../source/engine/run/fork-point.ts";
import { suites } from "../../../suites/index.ts";
import { says, scriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const text = `\`\`\`run plans
suite: planningarena
data: sample
model: builtin/slips?rate=0.9
responder: builtin/responder
limit: 10
\`\`\`

\`\`\`run rescued
rescue: {of: plans, tasks: wrong, repeats: 1, with: answer-key}
\`\`\`

\`\`\`run asked
scan: {of: plans, method: all-at-once}
model: lab/m
\`\`\`

\`\`\`analysis who
pane: attribution
of: [asked, rescued]
\`\`\`
`;

it("the steps that a scan predicts are compared with the requests whose repetition rescued the task", async () => {
  await using server = await scriptedServer(says("Agent Name: builtin/slips?rate=0.9\nStep Number: 0\nReason: first"));
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false };
  const workbench = await sessions.open(text, { suites, settings: { endpoints: [lab] } });
  for (const name of ["plans", "rescued", "asked"]) await workbench.run(cellNamed(workbench, name));
  workbench.refresh();
  await workbench.settled();
  const figures = analysisOf(workbench, "who").figures as readonly TableFigure[];
  const table = figures.find(({ title }) => title === "Predicted steps and points of no return")!;
  const [run] = runsOf(workbench, "rescued");
  const spoilt = new Map(
    workbench.rows(run!.part ?? run!.run).map(({ task, facets }) => [task.split("@")[0], facets[pointFacets.spoilt]]),
  );
  const first = [...spoilt.values()].filter((request) => request === 1).length;
  expect(first).toBeGreaterThan(0);
  const several = workbench
    .rows(run!.part ?? run!.run)
    .filter(({ facets }) => Number(facets[pointFacets.requests]) > 0);
  expect(new Set(several.map(({ task }) => task.split("@")[0])).size).toBe(spoilt.size);
  expect(table.rows[0]!.slice(1, 3).map(({ value, n }) => [value, n])).toEqual([
    [spoilt.size, undefined],
    [first / spoilt.size, spoilt.size],
  ]);
  expect(figures.some(({ title }) => title.startsWith("Predicted agents"))).toBe(true);
});
