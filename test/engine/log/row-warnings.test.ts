import { expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { RunNotes } from "../../../source/engine/log/rows/run-warnings.ts";
import type { Event, RunSpec } from "../../../source/engine/types.ts";

test("warnings depend only on the present rows, not on their history", () => {
  const random = randomFrom(1);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const spec = { temperature: 0.5, topP: 0.9 } as RunSpec;
  const table = new RowTable();
  let seq = 0;
  type Unstamped<E> = E extends Event ? Omit<E, "seq" | "at"> : never;
  const take = (event: Unstamped<Event>) => table.take({ ...event, seq: seq++, at: seq } as Event);
  take({ type: "run-started", run: "r", spec, total: 3, warnings: ["sample data"] });
  const seen = new Set<number>();
  for (let round = 0; round < 300; round++) {
    const task = pick(["a", "b", "c"]);
    take({ task, type: "started", facets: {}, question: "" });
    const model = pick(["lab/m", "lab/n"]);
    take({ task, type: "prompt", request: 0, role: "model", model, stage: "plan", messages: [] });
    const without = pick([[], [], ["temperature"], ["temperature", "topP"]] as const);
    take({ task, type: "text", request: 0, text: "a plan" });
    take({ task, type: "finish", request: 0, reason: "stop", ...(without.length === 0 ? {} : { without }) });
    const counted = new RunNotes();
    for (const row of table.rows()) counted.add(row, spec);
    expect(table.warnings[0]).toBe("sample data");
    expect(table.warnings.slice(1).toSorted()).toEqual(counted.warnings(spec).toSorted());
    expect(new Set(table.warnings).size).toBe(table.warnings.length);
    seen.add(table.warnings.length);
  }
  expect([...seen].toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test("a reply that started before its table was computed again is not reported as empty", () => {
  let seq = 0;
  const stamped = (event: object) => ({ task: "a", ...event, seq: seq++, at: seq }) as Event;
  const anew = new RowTable();
  anew.take(stamped({ type: "run-started", run: "r", spec: {} as RunSpec, total: 1, warnings: [] }));
  anew.take(stamped({ type: "started", facets: {}, question: "" }));
  anew.take(stamped({ type: "prompt", request: 0, role: "model", model: "lab/m", stage: "plan", messages: [] }));
  anew.take(stamped({ type: "text", request: 0, text: "an answer" }));
  const table = new RowTable();
  table.become(anew);
  table.take(stamped({ type: "finish", request: 0, reason: "stop" }));
  expect(table.warnings).toEqual([]);
});

test("incomplete replies and adaptations to the server are counted", () => {
  const table = new RowTable();
  let seq = 0;
  const take = (event: object) => table.take({ ...event, seq: seq++, at: seq } as Event);
  take({ type: "run-started", run: "r", spec: {} as RunSpec, total: 2, warnings: [] });
  const reply = (task: string, request: number, text: string, finish: object) => {
    take({ task, type: "prompt", request, role: "model", model: "lab/m:7b", stage: "plan", messages: [] });
    if (text !== "") take({ task, type: "text", request, text });
    take({ task, type: "finish", request, ...finish });
  };
  take({ task: "a", type: "started", facets: {}, question: "" });
  reply("a", 0, "half a", { reason: "length" });
  reply("a", 1, "", { reason: "length" });
  reply("a", 2, "", { reason: "stop" });
  reply("a", 3, "all", { reason: "stop", model: "m-2026", adjusted: ["calls-read-from-text"] });
  take({ task: "b", type: "started", facets: {}, question: "" });
  reply("b", 0, "I", { reason: "content_filter" });
  reply("b", 1, "I can't", { reason: "refusal" });
  take({ task: "b", type: "note", kind: "no-tool-call", text: "" });
  const wanted = [
    "lab/m:7b wrote tool calls as text, from which they were read",
    "requests to lab/m:7b were answered by m-2026",
    "2 of 6 replies cut at maxTokens or at the context limit",
    "1 of 6 replies cut by a content filter",
    "1 of 6 replies refused by the model",
    "1 of 6 replies empty",
    "1 task ended after 10 requests in a row without a readable action (no-tool-call)",
  ];
  expect(table.warnings).toEqual(wanted);
  expect(publicRow(table.row("a")!).counts).toMatchObject({ "reply:cut": 2, "reply:empty": 1 });
  // A task that is executed again replaces its earlier counts.
  take({ task: "b", type: "started", facets: {}, question: "" });
  expect(table.warnings).toEqual([
    wanted[0],
    wanted[1],
    "2 of 4 replies cut at maxTokens or at the context limit",
    "1 of 4 replies empty",
  ]);
});
