/** Two runs on workers, executed task by task until one is better. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { runsOf } from "../engine/workbench/temporary-session.ts";
import { WorkedSession } from "./worked-session.ts";

const questions = Array.from({ length: 40 }, (_, at) => `What is ${at} + 1?,${at + 1}`);
const text = `\`\`\`run main
suite: own
from: questions.csv
model: [builtin/oracle, builtin/filler]
until: decided
\`\`\`
`;

describeWithRedis("runs with `until: decided` on workers", () => {
  test("stop once the comparison is decided, and no task counts as missing", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("study", text, { "questions.csv": `question,answer\n${questions.join("\n")}\n` });
    session.worker(redis.url, "--concurrency", "2");
    const workbench = await session.open("study", redis.url);
    const [cell] = workbench.cells();
    await workbench.run(cell!.id);
    const runs = runsOf(workbench, "main");
    expect(runs.map(({ status }) => status)).toEqual(["decided", "decided"]);
    for (const { message, counts, run } of runs) {
      expect(message).toContain(
        "decided after 8 of 40: builtin/oracle better than builtin/filler, 8 to 0, anytime-valid p 0.0352",
      );
      // Tasks that workers had in hand also end.
      expect(counts.right + counts.wrong).toBeGreaterThanOrEqual(8);
      expect(counts.right + counts.wrong).toBeLessThan(20);
      expect(existsSync(join(session.folder, "study", "runs", run, "workers.json"))).toBe(false);
    }
  });
});
