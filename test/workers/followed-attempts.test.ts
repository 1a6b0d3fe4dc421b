import { publicRow } from "../../source/engine/log/rows/row-notes.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkLog } from "../../source/engine/log/file/log-check.ts";
import type { NewEvent } from "../../source/engine/log/file/log.ts";
import { RunStore } from "../../source/engine/log/run-store.ts";
import type { TaskEnd } from "../../source/engine/run/task-end.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { FollowedAttempts } from "../../source/workers/followed-attempts.ts";
import { readShipment, type RefusedShipment, type Shipment } from "../../source/workers/messages.ts";
import { bareSpec } from "../bare-spec.ts";
import { mutated } from "../mutated-json.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-followed-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Follows the attempts at a run's tasks; returns their results and the run's log. */
function following(...tasks: readonly string[]) {
  const store = new RunStore(folder);
  const log = store.open();
  const happened: string[] = [];
  const left = new Set(tasks);
  const ended = (task: string, _: unknown, end: TaskEnd) => {
    left.delete(task);
    happened.push(`${task} ended${end.scored ? ", scored" : ""}`);
  };
  const again = (task: string) => void happened.push(`${task} again`);
  const attempts = new FollowedAttempts({
    log,
    store,
    round: "round",
    left,
    asking: () => {},
    written: () => {},
    ended,
    again,
  });
  log.append({ type: "run-started", run: "r", spec: bareSpec("own"), total: tasks.length, warnings: [] });
  const types = () => {
    log.flush();
    const lines = readFileSync(join(folder, "events.jsonl"), "utf8").trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { readonly type: string }).type);
  };
  return { attempts, store, happened, types };
}

const named = (task: string, number = 1) => ({ task, attempt: `round.${task}.${number}`, worker: "node1" });
const event = (more: object) => ({ event: { at: 5, ...more } as unknown as NewEvent });
const started = (task: string, number = 1) =>
  event({
    type: "started",
    facets: {},
    question: "?",
    worker: { name: "node1", attempt: named(task, number).attempt },
  });
const note = event({ type: "note", kind: "n", text: "noted" });
const score = {
  value: 1,
  metrics: { right: 1 },
  checks: [{ name: "c", kept: true }],
  errors: [{ kind: "e", step: 0 }],
};
const scored = event({ type: "scored", score, suiteRevision: 1 });
const end: TaskEnd = { scored: true, hopeless: false };

const begun = (task: string, number = 1): Shipment => ({
  ...named(task, number),
  from: 0,
  entries: [started(task, number), note],
});
const over = (task: string, number = 1): Shipment => ({ ...named(task, number), from: 2, entries: [scored], end });

describe("the attempts of a round", () => {
  it("are logged with each event once, and end with their score", () => {
    const { attempts, store, happened, types } = following("a");
    for (const shipment of [begun("a"), begun("a"), over("a"), over("a")]) attempts.take(shipment);
    expect(types()).toEqual(["run-started", "started", "note", "scored"]);
    expect(happened).toEqual(["a ended, scored"]);
    expect(store.table.row("a")).toMatchObject({ state: "scored", score: { value: 1 } });
  });

  const refusedBy: readonly (readonly [string, Shipment | RefusedShipment, string])[] = [
    ["cannot be read", { refused: "Expected JSON", attempt: "round.a.1" }, "Expected JSON"],
    ["omits events", { ...named("a"), from: 3, entries: [note] }, "Expected event 2 next, got event 3"],
    [
      "starts again from the beginning",
      { ...named("a"), from: 2, entries: [started("a")] },
      "Expected an attempt to begin",
    ],
    ["ends with a missing score", { ...named("a"), from: 2, entries: [note], end }, "Expected the attempt's score"],
    [
      "ends without score and failure",
      { ...named("a"), from: 2, entries: [note], end: { scored: false, hopeless: false } },
      "Expected a score or a failure",
    ],
  ];
  it.each(refusedBy)(
    "fail and are requested again if a shipment %s; no part of that shipment is written",
    (_, refused, message) => {
      const { attempts, store, happened, types } = following("a");
      for (const shipment of [begun("a"), refused, over("a")]) attempts.take(shipment);
      expect(types()).toEqual(["run-started", "started", "note", "shipment-refused", "failed"]);
      expect(happened).toEqual(["a again"]);
      const failure = {
        kind: "stopped",
        message: expect.stringContaining(`A message from worker node1 could not be read: ${message}`),
      };
      expect(store.table.row("a")).toMatchObject({ state: "failed", failure });
      for (const shipment of [begun("a", 2), over("a", 2)]) attempts.take(shipment);
      expect(happened).toEqual(["a again", "a ended, scored"]);
      expect(store.table.row("a")).toMatchObject({ state: "scored", failure: undefined });
    },
  );

  it.each([
    ["without its first event", { ...named("a", 2), from: 1, entries: [note] }],
    ["without the start of the task", { ...named("a", 2), from: 0, entries: [note] }],
    [
      "with nothing but text",
      { ...named("a", 2), from: 0, entries: [{ piece: { type: "text", request: 0, text: "x" } }] },
    ],
    ["under another task's name", { ...named("a", 2), from: 0, entries: [started("a", 3)] }],
    ["of another round", { ...named("a", 2), attempt: "other.a.2", from: 0, entries: [started("a", 2)] }],
  ] as const)("are not replaced by an attempt that arrives %s", (_, shipment) => {
    const { attempts, happened, types } = following("a");
    for (const each of [begun("a"), shipment as Shipment, over("a")]) attempts.take(each);
    expect(types()).toEqual(["run-started", "started", "note", "shipment-refused", "scored"]);
    expect(happened).toEqual(["a ended, scored"]);
  });

  it("keep their score if only their last message is unreadable", () => {
    const { attempts, happened } = following("a");
    attempts.take(begun("a"));
    attempts.take({ ...named("a"), from: 2, entries: [scored] });
    attempts.take({ refused: "Expected `end.hopeless`", attempt: "round.a.1" });
    expect(happened).toEqual(["a ended, scored"]);
  });

  it("report at most a hundred rejected messages per run, in shortened form, over all invocations", async () => {
    const first = following("a");
    for (let count = 0; count < 60; count++) first.attempts.take({ refused: "x".repeat(5000), task: "y".repeat(5000) });
    first.store.close();
    const { attempts, store } = following("a");
    for (let count = 0; count < 60; count++) attempts.take({ refused: "x" });
    store.close();
    const { refused, damage } = (await checkLog(folder, new AbortController().signal))!;
    expect(refused).toHaveLength(100);
    expect(JSON.stringify(refused[0]).length).toBeLessThan(1000);
    expect(damage).toMatchObject({ unreadable: 0, missing: 0 });
  });

  it("are read as written among any invalid messages, and every attempt gets its score", async () => {
    const tasks = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const { attempts, store, happened } = following(...tasks);
    const random = randomFrom("shipments");
    const attemptAt = new Map<string, number>();
    for (let round = 0; round < 20; round++) {
      for (const task of tasks) {
        const number = (attemptAt.get(task) ?? 0) + 1;
        attemptAt.set(task, number);
        const [first, last] = [begun(task, number), over(task, number)];
        if (round === 0) attempts.take(first);
        const came = mutated(JSON.stringify(random() < 0.5 ? first : last), random);
        attempts.take(readShipment(came));
      }
    }
    for (const task of tasks) {
      attempts.take(begun(task, 9999));
      attempts.take(over(task, 9999));
    }
    expect(new Set(happened.filter((each) => each.endsWith("scored"))).size).toBe(20);
    const rows = store.table
      .rows()
      .map(publicRow)
      .map(({ task, state, counts, score: own }) => ({ task, state, counts, own }));
    store.close();
    rmSync(join(folder, "rows.jsonl"));
    const anew = new RunStore(folder);
    expect(
      anew.table
        .rows()
        .map(publicRow)
        .map(({ task, state, counts, score: own }) => ({ task, state, counts, own })),
    ).toEqual(rows);
    expect((await checkLog(folder, new AbortController().signal))!.damage).toMatchObject({ unreadable: 0, missing: 0 });
  });
});
