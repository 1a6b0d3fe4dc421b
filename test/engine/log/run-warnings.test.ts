/** What all rows of a run share and its numbers depend on, counted row by row and taken back. */
import { describe, expect, it } from "vitest";
import { RunNotes } from "../../../source/engine/log/rows/run-warnings.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

describe("the counts of settings that the requests of a run did not contain", () => {
  const spec = { ...bareSpec("appbench", { strategy: "direct" }), model: "lab/small" };
  const [one, other] = [bareRow("r", "a"), bareRow("r", "b")];

  it("are stored per row, and disappear with the last row that contains a count", () => {
    const notes = new RunNotes();
    notes.add(one, spec);
    notes.add(other, spec);
    const both = notes.saved().sent;
    notes.add(one, spec, -1);
    const single = notes.saved().sent;
    expect(both.length).toBeGreaterThan(0);
    expect(both.every(([, rows]) => rows === 2)).toBe(true);
    expect(single).toEqual(both.map(([name]) => [name, 1]));
    notes.add(other, spec, -1);
    expect(notes.saved().sent).toEqual([]);
  });

  it("exclude rows without a call, and rows of a built-in model", () => {
    const notes = new RunNotes();
    notes.add(bareRow("r", "c", { calls: 0 }), spec);
    notes.add(one, { ...spec, model: "builtin/oracle" });
    expect(notes.saved().sent).toEqual([]);
    expect(notes.saved().calls).toBe(1);
  });

  it("exclude rows that list the setting as not sent", () => {
    const sent = (counts: Readonly<Record<string, number>>) => {
      const notes = new RunNotes();
      notes.add(bareRow("r", "a", { counts }), spec);
      return notes.saved().sent;
    };
    const [[name]] = sent({}) as [[string, number]];
    expect(sent({ [`unset:${name}`]: 1 })).toEqual([]);
    expect([sent({ "unset:other": 1 }), sent({ [name]: 1 })]).toEqual([[[name, 1]], [[name, 1]]]);
  });

  it("are unchanged after being saved and restored", () => {
    const [first, second] = [new RunNotes(), new RunNotes()];
    first.add(one, spec);
    second.restore(first.saved());
    expect(second.saved()).toEqual(first.saved());
    second.add(one, spec, -1);
    expect(second.saved()).toEqual({ notes: [], sent: [], calls: 0 });
  });
});
