/** Step mode: one request of a task at a time, while its clock is paused. */
import { describe, expect, it } from "vitest";
import type { Models } from "../../../source/engine/models/models.ts";
import { TimeLimit } from "../../../source/engine/run/budget.ts";
import { TaskHold } from "../../../source/engine/run/task-hold.ts";
import type { Chunk, Model } from "../../../source/engine/types.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";

const sessions = temporarySessions();

/** A clock that a test sets. */
function handClock() {
  const clock = openTestClock();
  return { clock, to: (time: number) => clock.advance(time - clock.now()) };
}

describe("a task that is paused in step mode", () => {
  it("uses no time: neither its clock nor its limit of seconds advances", async () => {
    const { clock, to } = handClock();
    const hold = new TaskHold(clock);
    const limit = new TimeLimit(10, clock, () => hold.held);
    const { signal } = new AbortController();
    const own = limit.within(signal);
    await to(4000);
    const held = hold.wait(signal);
    expect(hold.isHeld).toBe(true);
    await to(60_000);
    expect([hold.clock.now(), own.aborted]).toEqual([4000, false]);
    hold.step();
    await held;
    expect([hold.isHeld, hold.isDue, hold.held]).toEqual([false, true, 56_000]);
    await to(65_900);
    expect(own.aborted).toBe(false);
    await to(66_200);
    expect(own.aborted).toBe(true);
    limit.end();
  });

  it("continues when the task is stopped", async () => {
    const hold = new TaskHold();
    const stop = new AbortController();
    const held = hold.wait(stop.signal);
    stop.abort(new Error("stopped"));
    await expect(held).rejects.toThrow("stopped");
    expect(hold.isHeld).toBe(false);
  });

  it("sends one request per step, can be forked, and has a row that excludes the waiting time", async () => {
    const asked: string[] = [];
    const first = Promise.withResolvers<void>();
    const workbench = await sessions.open(
      "```run main\nsuite: appbench\nsplit: mm\nmodel: builtin/oracle\nlimit: 1\n```\n",
      {
        between: (models: Models) => ({
          ...models,
          model: (name): Model => {
            const model = models.model(name);
            return {
              ...model,
              async *stream(request): AsyncIterable<Chunk> {
                asked.push(request.asker.stage);
                if (asked.length === 1) await first.promise;
                yield* model.stream(request);
              },
            };
          },
        }),
      },
    );
    const main = cellNamed(workbench, "main");
    const ended = workbench.run(main);
    await until(() => {
      if (asked.length !== 1) throw new Error("nothing was asked");
    });
    const [state] = runsOf(workbench, "main");
    const run = state!.part ?? state!.run;
    const { task } = workbench.board(run)[0]!;
    expect(workbench.step({ run, task: "none" })).toBe(false);
    expect(workbench.release({ run, task })).toBe(false);
    expect(workbench.step({ run, task })).toBe(true);
    first.resolve();
    const notes = () =>
      (workbench.live({ run, task })?.entries ?? []).flatMap((entry) => (entry.kind === "note" ? [entry.note] : []));
    await until(() => {
      if (!notes().includes("held")) throw new Error("it is not held");
    });
    expect(asked).toHaveLength(1);
    // Something else from the request at which the task is held.
    const cell = workbench.fork({ run, task }, 1, { model: "builtin/filler" });
    await workbench.run(cell);
    workbench.refresh();
    const forked = workbench.state(cell);
    expect(forked.kind === "run" && forked.runs[0]).toMatchObject({ status: "done", counts: { wrong: 1 }, calls: 1 });
    expect(asked).toHaveLength(2);
    expect(workbench.step({ run, task })).toBe(true);
    await ended;
    const [row] = workbench.rows(run);
    expect(row!.score!.value).toBe(1);
    const { entries } = (await workbench.trajectory({ run, task }))!;
    const at = (kind: string) =>
      entries.flatMap((entry) => (entry.kind === "note" && entry.note === kind ? [entry.at] : []))[0]!;
    const waited = at("released") - at("held");
    // The fork was executed in the meantime.
    expect(waited).toBeGreaterThan(0);
    expect(row!.counted.seconds * 1000).toBeCloseTo(row!.to - row!.from - waited, 6);
  });
});
