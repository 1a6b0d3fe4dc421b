import { afterEach, beforeEach, expect, test } from "vitest";
import type { Clusters } from "../../../source/engine/clusters.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { openTestClock } from "../work/test-clock.ts";
import { analysisOf, cellNamed, TemporarySessions } from "./temporary-session.ts";
import { tinyScore, tinySuite } from "./tiny-suite.ts";

let sessions: TemporarySessions;
beforeEach(() => void (sessions = new TemporarySessions()));
afterEach(() => sessions.end());

test("an analysis of toolkits that a run does not have yet asks for them at intervals, and no other analysis is computed again", async () => {
  const { suite: plain, behaviour } = tinySuite();
  behaviour.score = async (...given) => {
    await clock.advance(70);
    return tinyScore(...given);
  };
  const clock = openTestClock();
  let asked = 0;
  let found: Clusters | undefined;
  const clusters = async () => {
    asked += 1;
    return found;
  };
  const suite: Suite = {
    ...plain,
    analyses: ["clusters", "difficulty"],
    open: async (from) => ({ ...(await plain.open(from)), clusters }),
  };
  const text = `\`\`\`run main
suite: tiny
model: builtin/oracle
\`\`\`

\`\`\`analysis kits
pane: clusters
\`\`\`

\`\`\`analysis groups
pane: difficulty
\`\`\`
`;
  const loaded = await sessions.open(text, { suites: [suite], clock });
  const drawn = new Set<unknown>();
  const release = loaded.subscribe(() => {
    for (const { id } of loaded.cells()) {
      const state = loaded.state(id);
      if (state.kind === "analysis" && state.analysis?.name === "difficulty") drawn.add(state.figures);
    }
  });
  loaded.setConcurrency(cellNamed(loaded, "main"), 1);
  await loaded.run(cellNamed(loaded, "main"));
  const pauses = clock.now() / 400;
  release();
  expect(clock.now()).toBeGreaterThanOrEqual(12 * 70);
  // At the first look and at the last one; the next look between would come after 5 seconds.
  expect(asked).toBeLessThanOrEqual(2);
  // Before there were results, when the paper's numbers and the toolkits were asked for, every 400 ms, and at the end.
  expect(drawn.size).toBeLessThanOrEqual(5 + pauses);

  found = { apis: [], toolkits: [] } as unknown as Clusters;
  await loaded.run(cellNamed(loaded, "main"), [{ run: loaded.board(runOf(loaded))[0]!.row!.run, task: "t0" }]);
  analysisOf(loaded, "kits");
  await loaded.settled();
  const before = asked;
  analysisOf(loaded, "kits");
  await loaded.settled();
  expect(asked).toBe(before);

  function runOf(workbench: typeof loaded): string {
    return analysisOf(workbench, "groups").runs[0]!;
  }
});
