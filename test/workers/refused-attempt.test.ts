/** What a coordinator goes on with, by the log that another one left. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunStore } from "../../source/engine/log/run-store.ts";
import { Round } from "../../source/workers/rounds/round.ts";
import { takenUp } from "../../source/workers/taken-up.ts";
import { bareSpec } from "../bare-spec.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";

describeWithRedis("a round that is taken up", () => {
  test("asks a task again whose attempt was refused, and follows that attempt no further", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-taken-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const round = await Round.connect("round", redis.url, folder);
    const store = new RunStore(folder);
    const log = store.open();
    log.append({ type: "run-started", run: "r", spec: bareSpec("own"), total: 2, warnings: [] });
    for (const task of ["a", "b"]) {
      const worker = { name: "node1", attempt: `round.${task}` };
      log.append({ type: "started", task, facets: {}, question: "?", worker });
    }
    const failure = { kind: "stopped", message: "A message of worker node1 could not be read" } as const;
    log.append({ type: "failed", task: "a", failure, refused: true });
    const { left, attempts, past, again } = await takenUp(round, store, new Set(["a", "b"]), false);
    expect([...left]).toEqual(["a", "b"]);
    expect([[...again], [...past], [...attempts.keys()]]).toEqual([["a"], ["round.a"], ["b"]]);
    store.close();
    round.disconnect();
  });
});
