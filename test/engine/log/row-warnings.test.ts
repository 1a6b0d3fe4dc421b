import { expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { RowTable } from "../../../source/engine/log/rows.ts";
import type { Event, RunSpec } from "../../../source/engine/types.ts";

test("warnings are those of the rows there are, however these came to be", () => {
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
    take({ task, type: "finish", request: 0, reason: "stop", ...(without.length === 0 ? {} : { without }) });
    const restored = new RowTable();
    restored.spec = spec;
    restored.restore(table.rows());
    expect(table.warnings[0]).toBe("sample data");
    expect(table.warnings.slice(1).toSorted()).toEqual(restored.warnings.toSorted());
    expect(new Set(table.warnings).size).toBe(table.warnings.length);
    seen.add(table.warnings.length);
  }
  expect([...seen].toSorted()).toEqual([1, 2, 3, 4, 5]);
});
