/** Workers continue tasks of another run: they receive its replies, and the places that the forks leave. */
import { expect, test } from "vitest";
import type { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { execute, WorkedSession } from "./worked-session.ts";

const text = `\`\`\`run plans
suite: appbench
split: mm
data: sample
model: builtin/slips?garbage=0.6
\`\`\`

\`\`\`run rescued
rescue: {of: plans, repeats: 1, with: answer-key}
\`\`\`
`;

/** Returns what both runs of the rescue found, without times. */
function found(workbench: SessionWorkbench) {
  workbench.refresh();
  const [, cell] = workbench.cells().filter(({ kind }) => kind === "run");
  const state = workbench.state(cell!.id);
  if (state.kind !== "run") throw new Error("Expected a run cell");
  return state.runs.map(({ run, part, status, calls }) => {
    const rows = workbench.rows(part ?? run).toSorted((one, other) => (one.task < other.task ? -1 : 1));
    return { status, calls, rows: rows.map(({ task, facets, score }) => ({ task, facets, value: score?.value })) };
  });
}

describeWithRedis("a rescue with workers", () => {
  test("has the same results and number of requests with workers as without", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("here", text);
    session.write("away", text);
    const here = await session.open("here");
    await execute(here);
    const away = await session.open("away", redis.url);
    session.worker(redis.url);
    await execute(away);
    expect(found(here).map(({ status, rows }) => [status, rows.length > 0])).toEqual([
      ["done", true],
      ["done", true],
    ]);
    expect(found(away)).toEqual(found(here));
  });
});
