import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { expect, test } from "vitest";
import { emptySettings } from "../../../source/engine/settings/settings.ts";
import { refuses, says, scriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const text = `\`\`\`run main
suite: tiny
model: lab/thinker
temperature: 0.2
\`\`\`

\`\`\`analysis groups
pane: difficulty
\`\`\`
`;
const refusal = "Unsupported value: 'temperature' does not support 0.2 with this model.";

test("a run whose model accepts no temperature is never shown as a run at the requested temperature", async () => {
  await using server = await scriptedServer((response, seen) => {
    const answer = "temperature" in seen.body ? refuses(400, { error: { message: refusal } }) : says("1");
    answer(response, seen);
  });
  const lab = { name: "lab", baseUrl: server.url, concurrency: 2, idleTimeout: 60, identify: false };
  const settings = { ...emptySettings, endpoints: [lab] };
  const { suite } = tinySuite();
  const started = ["Sample tasks written for Planwright, not the published benchmark"];
  const warned = "lab/thinker does not accept `temperature`; its own default was used, not 0.2";

  const loaded = await sessions.open(text, { settings, suites: [suite] });
  expect(runsOf(loaded, "main")[0]!.warnings).toEqual([]);
  await loaded.run(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", warnings: [...started, warned] });
  await loaded.settled();
  expect(analysisOf(loaded, "groups").warnings).toEqual([...started, warned]);
  const { run } = runsOf(loaded, "main")[0]!;
  for (const { counts } of loaded.rows(run).map(publicRow)) expect(counts["without:temperature:lab/thinker"]).toBe(1);

  // The note is read from the log, by another process and after a task was executed again.
  await loaded.close();
  const later = await sessions.open(undefined, { settings, suites: [suite] });
  expect(runsOf(later, "main")[0]!.warnings).toEqual([...started, warned]);
  await later.run(cellNamed(later, "main"), [{ run, task: "t3" }]);
  expect(runsOf(later, "main")[0]!.warnings).toEqual([...started, warned]);
  expect(server.seen.filter(({ body }) => "temperature" in body).length).toBeLessThanOrEqual(3);
});
