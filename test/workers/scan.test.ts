/** Scans, whose trajectories exist only in the notebook, when workers are chosen. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { typed } from "../commands/typed.ts";
import { writeLogs } from "../engine/workbench/annotated-logs.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { WorkedSession } from "./worked-session.ts";

describeWithRedis("a scan with workers", () => {
  test("is rejected with the reason before any request, and is executed on this machine", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const logs = join(session.folder, "logs");
    writeLogs(logs);
    await typed("import", "who-and-when", logs, "--into", join(session.folder, "away"));
    const cell = "scan: {of: hand-crafted, method: all-at-once}\nmodel: builtin/oracle\n";
    const away = await session.open("away", redis.url);
    const id = away.insert("run", away.cells().at(-1)!.id, cell, "asked");
    away.save();
    await away.run(id);
    expect(away.state(id)).toMatchObject({
      runs: [
        {
          message: expect.stringContaining("trajectories of this notebook, which workers do not have"),
          counts: { waiting: 10 },
        },
      ],
    });
    expect(await redisClient(redis).keys("*")).toEqual([]);
    await away.close();
    const home = await session.open("away");
    const here = home.cells().find(({ name }) => name === "asked")!;
    await home.run(here.id);
    expect(home.state(here.id)).toMatchObject({ runs: [{ status: "done" }] });
  });
});
