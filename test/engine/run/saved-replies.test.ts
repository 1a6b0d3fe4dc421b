/** Stopping and resuming: answered requests are not sent again, and all sent requests are counted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { interruptedRequests } from "../../../source/engine/run/saved-replies.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { Event, TaskEvent } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";

const sessions = temporarySessions();

const cell = (more: string) => `\`\`\`run main\nsuite: planningarena\ndata: sample\nlimit: 4\n${more}\n\`\`\`\n`;
const open = (more: string) => sessions.open(cell(more), { suites: [planningarena] });

function events(workbench: SessionWorkbench): Event[] {
  const text = readFileSync(join(sessions.path, "runs", runsOf(workbench, "main")[0]!.run, "events.jsonl"), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Event]));
}
const sent = (all: readonly Event[]) => all.filter((event) => event.type === "prompt" && event.saved === undefined);

/** Starts the run, and stops it while requests are in flight. */
async function stopAfter(workbench: SessionWorkbench, calls: number): Promise<void> {
  const running = workbench.run(cellNamed(workbench, "main"));
  await until(() => expect(runsOf(workbench, "main")[0]!.calls).toBeGreaterThanOrEqual(calls));
  workbench.stop(cellNamed(workbench, "main"));
  await running;
}

describe("a run that was stopped and resumed", () => {
  const models = (pace: string) => `model: builtin/oracle${pace}\nresponder: builtin/oracle${pace}`;

  test("counts every request of every attempt, and resumes each dialogue at the round that it had reached", async () => {
    const workbench = await open(models("?pace=1"));
    await stopAfter(workbench, 7);
    const before = sent(events(workbench)).length;
    await workbench.run(cellNamed(workbench, "main"));
    const all = events(workbench);
    const [run] = runsOf(workbench, "main");
    const rows = workbench.rows(run!.run);

    expect(run).toMatchObject({ status: "done", calls: sent(all).length });
    expect(sent(all).length).toBeGreaterThan(before);
    // No request with a reply was sent twice.
    const answered = new Set<string>();
    const twice = all.filter((event) => {
      if (event.type === "finish") answered.add(`${event.task} ${event.request}`);
      return event.type === "prompt" && event.saved === undefined && answered.has(`${event.task} ${event.request}`);
    });
    expect(twice).toEqual([]);
    // The counted sums equal those of the same run without interruption.
    await workbench.close();
    const undisturbed = await sessions.open(cell(`${models("")}\ntrial: 2`), { suites: [planningarena] });
    await undisturbed.run(cellNamed(undisturbed, "main"));
    const whole = undisturbed.rows(runsOf(undisturbed, "main")[0]!.run);
    const counted = (list: typeof rows) =>
      new Map(list.map((row) => [row.task, [row.counted.calls, row.counted.tokens, row.score?.value]]));
    expect(counted(rows)).toEqual(counted(whole));
    expect(whole.map(({ spent }) => spent)).toEqual(whole.map(({ counted: sum }) => sum));
    expect(rows.reduce((sum, { spent }) => sum + spent.calls, 0)).toBe(run!.calls);
    expect(rows.every((row) => row.spent.calls >= row.counted.calls)).toBe(true);
  });

  test("applies its limit to all invocations together, and keeps every answer after the limit is used up", async () => {
    const workbench = await open(`${models("")}\nbudget: {run: {steps: 9}}`);
    await workbench.run(cellNamed(workbench, "main"));
    const [first] = runsOf(workbench, "main");
    expect(first).toMatchObject({ calls: 9, message: "The run reached its limit of 9 steps" });
    const rows = workbench.rows(first!.run);
    await workbench.close();

    const again = await sessions.open(undefined, { suites: [planningarena] });
    await again.run(cellNamed(again, "main"));
    expect(runsOf(again, "main")[0]).toMatchObject({ calls: 9, message: "The run reached its limit of 9 steps" });
    expect(again.rows(first!.run)).toEqual(rows);
  });
});

describe("the replies that the next attempt at a task reuses", () => {
  let seq = 0;
  const event = (more: object) => ({ seq: seq++, at: seq * 10, task: "t", ...more }) as unknown as TaskEvent;
  const started = () => event({ type: "started", facets: {}, question: "" });
  const asked = (request: number, role = "model") =>
    event({ type: "prompt", request, role, model: "m", stage: "plan", messages: [] });
  const replied = (request: number, text: string) => [
    event({ type: "text", request, text }),
    event({ type: "finish", request, reason: "stop", without: ["temperature"] }),
  ];
  const stopped = () => event({ type: "failed", failure: { kind: "stopped", message: "Stopped" } });
  const texts = (all: readonly TaskEvent[]) =>
    interruptedRequests(all).map(({ reply }) =>
      reply.chunks.map((chunk) => (chunk.type === "text" ? chunk.text : chunk.type)),
    );

  test("are the complete replies, with all their fields", () => {
    const all = [started(), asked(0), ...replied(0, "one"), asked(1), event({ type: "text", request: 1, text: "tw" })];
    expect(texts([...all, stopped()])).toEqual([["one", "finish"]]);
    expect(interruptedRequests(all)[0]!.reply).toMatchObject({
      took: 20,
      chunks: [
        { type: "text", text: "one" },
        { type: "finish", reason: "stop", without: ["temperature"] },
      ],
    });
  });

  test("exclude replies voided by a retry, and the judge's replies", () => {
    const retry = event({ type: "retry", request: 0, attempt: 1, status: 500, error: "", wait: 0 });
    const all = [started(), asked(0), event({ type: "text", request: 0, text: "vo" }), retry, ...replied(0, "one")];
    expect(texts([...all, asked(1, "judge"), ...replied(1, "9")])).toEqual([["one", "finish"]]);
  });

  test("are still reused if the next attempt is interrupted while it repeats the first", () => {
    const first = [started(), asked(0), ...replied(0, "one"), asked(1), ...replied(1, "two"), stopped()];
    expect(texts([...first, started(), asked(0), ...replied(0, "one"), stopped()])).toHaveLength(2);
  });

  test.each([
    ["scored", { type: "scored", score: { value: 1, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 }],
    ["failed", { type: "failed", failure: { kind: "model", message: "gone" } }],
  ])("are none after %s, because the task then starts again", (_, end) => {
    expect(texts([started(), asked(0), ...replied(0, "one"), event(end)])).toEqual([]);
  });
});
