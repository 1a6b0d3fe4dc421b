/** Episodes in which both sides act, executed by workers. */
import { expect, it } from "vitest";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { execute, onlyRun, results, WorkedSession } from "./worked-session.ts";

const model = "builtin/slips?left-out=0.2&untold=0.2&user-leaves=0.2&pace=20";
const document = `\`\`\`run main\nsuite: tau2\ndata: sample\nsplit: telecom\nmodel: ${model}\nuser: ${model}\n\`\`\`\n`;

describeWithRedis("episodes in which both sides act", () => {
  it("are stopped in the middle on a worker, resumed, and scored as without workers", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("home", document);
    session.write("away", document);
    const home = await session.open("home");
    await execute(home);
    const away = await session.open("away", redis.url);
    const worker = session.worker(redis.url);
    const { run } = onlyRun(away);
    const [main] = away.cells();
    const calls = () => session.events("away", run).filter(({ type }) => type === "call").length;
    let running = execute(away);
    await until(() => expect(calls()).toBeGreaterThan(2));
    away.stop(main!.id);
    await running;
    expect(onlyRun(away).status).toBe("partial");
    const tasksOf = (type: "call" | "scored") =>
      new Set(session.events("away", run).flatMap((event) => (event.type === type ? [event.task] : [])));
    const cut = tasksOf("call").difference(tasksOf("scored"));
    expect(cut.size).toBeGreaterThan(0);
    const asked = session.events("away", run).flatMap((event) => (event.type === "prompt" ? [event.role] : []));
    expect(asked).toEqual(expect.arrayContaining(["model", "user"]));
    running = execute(away);
    await running;
    expect({ status: onlyRun(away).status, worker: worker.printed.err }).toMatchObject({ status: "done" });
    expect(results(away)).toEqual(results(home));
  });
});
