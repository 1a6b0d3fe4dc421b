/** `suite: process` on workers: each worker has its own process, with the tasks of the notebook's. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { taskLines } from "../../source/engine/run/agents/task-list.ts";
import type { Json } from "../../source/engine/types.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { WorkedSession } from "./worked-session.ts";

/** Asks the model of each task once, and scores its answer; `starts` gets a line for each process. */
const toy = `const { appendFileSync } = require("node:fs");
const send = (line) => console.log(JSON.stringify(line));
appendFileSync("starts", "x\\n");
send({ type: "hello", name: "toy", version: "1", atOnce: 2 });
require("node:readline").createInterface({ input: process.stdin }).on("line", async (text) => {
  const { type, task, question, model } = JSON.parse(text);
  if (type !== "task") return;
  const body = JSON.stringify({ model: "model", messages: [{ role: "user", content: question }] });
  const response = await fetch(model.url + "/chat/completions", { method: "POST", body });
  const { content } = (await response.json()).choices[0].message;
  // A score before the answer is not asked for.
  send({ type: "score", task, value: content === task ? 1 : 0, parts: { length: content.length } });
  send({ type: "answer", task, answer: content });
});`;

const tasks = Array.from({ length: 12 }, (_, index) => {
  return { id: `t${index}`, question: `Say t${index}`, facets: {}, reference: `t${index}` };
});
const hash = "0123456789abcdef";

/** Writes settings with the process, and its tasks next to them. */
function settle(session: WorkedSession, name: string, reported: object): void {
  const settings = join(session.folder, name);
  mkdirSync(join(settings, "processes"), { recursive: true });
  writeFileSync(join(settings, "processes", `${hash}.jsonl`), taskLines(tasks as unknown as Json[]));
  const process_ = {
    name: "toy",
    command: [process.execPath, join(session.folder, "toy.cjs")],
    folder: session.folder,
    seconds: 60,
    megabytes: 4000,
    reported: { name: "toy", version: "1", atOnce: 2, tasks: tasks.length, hash, ...reported },
  };
  writeFileSync(join(settings, "settings.json"), JSON.stringify({ processes: [process_] }));
}

type Printed = {
  readonly cells: readonly { readonly runs: readonly { readonly run: string; readonly counts: object }[] }[];
};

describeWithRedis("a process that plays tasks on workers", () => {
  test("plays each task once with one process per worker, while a worker with another process does not take part", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    writeFileSync(join(session.folder, "toy.cjs"), toy);
    settle(session, "settings", {});
    settle(session, "worker-settings", { version: "2" });
    session.write("away", "```run main\nsuite: process\nprocess: toy\nmodel: builtin/oracle\n```\n");
    const other = session.worker(redis.url);
    const running = session.start("run", "away", "--workers", redis.url, "--allow", "toy", "--json");
    await until(() => expect(other.printed.err).toContain("This worker does not take part in"));
    const before = { ...other.printed };
    // Once its settings contain the same process, it takes part next to another worker.
    settle(session, "worker-settings", {});
    session.worker(redis.url);
    expect(await running.ended).toBe(0);
    expect(before.err).not.toContain("takes part in ");
    const [{ run, counts }] = (JSON.parse(running.printed.out) as Printed).cells[0]!.runs as [
      { readonly run: string; readonly counts: object },
    ];
    expect(counts).toMatchObject({ right: 12, wrong: 0, failed: 0 });
    const events = session.events("away", run);
    expect(events.filter(({ type }) => type === "prompt")).toHaveLength(12);
    const scores = events.flatMap((event) => (event.type === "scored" ? [event.score.metrics["part.length"]] : []));
    expect(scores.toSorted()).toEqual([...Array<number>(10).fill(2), 3, 3]);
    const starts = readFileSync(join(session.folder, "starts"), "utf8").trim().split("\n").length;
    expect(starts).toBeGreaterThan(0);
    expect(starts).toBeLessThanOrEqual(2);
  });
});
