/** The number of tasks of a run that wait in a Redis queue. */
import { describe, expect, it } from "vitest";
import type { GivenAway } from "../../source/engine/workbench/runs/run-context.ts";
import type { TaskJob } from "../../source/workers/messages.ts";
import type { Round } from "../../source/workers/rounds/round.ts";
import { RoundGiving } from "../../source/workers/rounds/round-giving.ts";

/** An in-memory queue whose tasks end in order, and its largest length. */
type Open = { most?: number; isSequential?: boolean; mayStart?: (task: string, concurrency: number) => boolean };

function openQueue(count: number, { most, isSequential = false, mayStart }: Open = {}) {
  const left = new Set(Array.from({ length: count }, (_, index) => `t${index}`));
  const queue: string[] = [];
  let longest = 0;
  let refusing: Error | undefined;
  const add = async (jobs: readonly TaskJob[]) => {
    if (refusing !== undefined) throw refusing;
    for (const { task } of jobs) if (!queue.includes(task)) queue.push(task);
    longest = Math.max(longest, queue.length);
  };
  const round = { add, addAgain: add, steer: async () => {} } as unknown as Round;
  const interleaved = mayStart && { mayStart };
  const given = { spec: {}, strategy: { sequential: () => isSequential }, interleaved } as unknown as GivenAway;
  const handed: (readonly string[])[] = [];
  const giving = new RoundGiving(given, round, left, most, (tasks) => void handed.push(tasks));
  const endNext = async () => {
    const task = queue.shift()!;
    left.delete(task);
    await giving.ended(task).catch(() => {});
    return task;
  };
  const refuse = (error?: Error) => void (refusing = error);
  return { giving, queue, left, endNext, refuse, handed, longest: () => longest };
}

const mustNot = (error: Error) => {
  throw error;
};

describe("the queue of a round", () => {
  it("is refilled as tasks are taken, with each task once and in order", async () => {
    const { giving, queue, endNext, longest } = openQueue(1_000, { most: 40 });
    await giving.all(mustNot);
    const ended: string[] = [];
    while (queue.length > 0) ended.push(await endNext());
    expect(longest()).toBe(40);
    expect(ended).toEqual(Array.from({ length: 1_000 }, (_, index) => `t${index}`));
  });

  it("contains at most 20,000 of a million tasks", async () => {
    const { giving, queue } = openQueue(0);
    const many = openQueue(21_000);
    await giving.all(mustNot);
    expect(queue).toEqual([]);
    await many.giving.all(mustNot);
    expect(many.queue).toHaveLength(20_000);
  });

  it("contains one task at a time if the strategy is sequential", async () => {
    const { giving, queue, endNext, longest } = openQueue(5, { isSequential: true });
    await giving.all(mustNot);
    while (queue.length > 0) await endNext();
    expect(longest()).toBe(1);
  });

  it("contains a task again only if it must be repeated", async () => {
    const { giving, queue, endNext, left } = openQueue(6, { most: 2 });
    giving.await(new Set(["t1"]));
    await giving.all(mustNot);
    expect(queue).toEqual(["t0", "t2"]);
    queue.shift();
    await giving.repeatNow("t0");
    expect(queue).toEqual(["t2", "t0"]);
    while (queue.length > 0) await endNext();
    expect([...left]).toEqual(["t1"]);
  });

  it("contains a task of two compared runs once the other run has reached it, and announces the tasks that workers have", async () => {
    let others = 0;
    const number = (task: string) => Number(task.slice(1));
    const { giving, queue, handed, left } = openQueue(9, {
      mayStart: (task, concurrency) => number(task) < others + concurrency,
    });
    await giving.all(mustNot);
    expect(queue).toEqual(["t0"]);
    giving.places = 3;
    await giving.more();
    expect(queue).toEqual(["t0", "t1", "t2"]);
    others = 1;
    await giving.more();
    await giving.more();
    expect(queue).toEqual(["t0", "t1", "t2", "t3"]);
    giving.concurrency = 5;
    await giving.more();
    expect(queue).toHaveLength(6);
    expect(handed.map(({ length }) => length)).toEqual([1, 3, 4, 6]);
    giving.endEarly();
    expect([...left]).toEqual(queue);
    await giving.more();
    expect(queue).toHaveLength(6);
  });

  it("contains tasks that Redis rejected or lost once Redis accepts them again", async () => {
    const { giving, queue, endNext, refuse, left } = openQueue(10, { most: 4 });
    await giving.all(mustNot);
    refuse(new Error("OOM"));
    await endNext();
    await endNext();
    expect([giving.owes, queue.length]).toEqual([true, 2]);
    refuse();
    queue.length = 0;
    await giving.all(mustNot);
    expect([giving.owes, queue]).toEqual([false, ["t2", "t3", "t4", "t5"]]);
    while (queue.length > 0) await endNext();
    expect(left.size).toBe(0);
  });
});
