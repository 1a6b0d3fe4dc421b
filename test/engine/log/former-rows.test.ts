/** Row files of version 6: notes were counts by name there. */
import { describe, expect, it } from "vitest";
import { formerHead, formerRow, namedNotes } from "../../../source/engine/log/rows/former-rows.ts";
import { checkedLine } from "../../../source/engine/log/file/checked-line.ts";
import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

describe("the notes of version 6", () => {
  it.each([
    ["stage:plan", { type: "stage", stage: "plan" }],
    ["stage:a:b", { type: "stage", stage: "a:b" }],
    ["unset:seed", { type: "unset", setting: "seed" }],
    ["without:top_p:lab/m:free", { type: "without", field: "top_p", model: "lab/m:free" }],
    ["adjusted:max:lab/m", { type: "adjusted", adjustment: "max", model: "lab/m" }],
    ["answered:lab/m lab/m-2024 x", { type: "answered", model: "lab/m", by: "lab/m-2024 x" }],
    ["reply:cut", { type: "reply", how: "cut" }],
    ["replan", { type: "note", kind: "replan" }],
    ["odd:kind", { type: "note", kind: "odd:kind" }],
    ["answer-from:r1 none", { type: "answer-from", run: "r1", judge: undefined }],
    [
      "answer-from:r1 lab/judge\tcheck exact",
      { type: "answer-from", run: "r1", judge: "lab/judge", scoring: "check exact" },
    ],
  ])("have the name of their kind: %s", (name, note) => {
    expect(namedNotes([[name, 3]])).toEqual([{ ...note, times: 3 }]);
  });
});

it("a row of version 6 is read with its counts as notes, and with judging only if it contains judging", () => {
  const row = { ...bareRow("r", "t", { cost: 1 }), notes: namedNotes([["reply:cut", 2]]) };
  const judging = { ...row.counted, calls: 7 };
  const read = (written: object) => formerRow(Buffer.from(checkedLine(written).replace(/\n$/, "")));
  const { notes: _, ...former } = publicRow(row);
  expect(read(former)).toEqual(row);
  expect(read(former)).not.toHaveProperty("judging");
  expect(read({ ...former, judging })).toEqual({ ...row, judging });
  expect(read({ ...former, counts: { a: "many" } })).toBeUndefined();
  expect(formerRow(Buffer.from("{}"))).toBeUndefined();
});

it("a first line of version 6 is read with its counts as notes, and with the settings that were sent", () => {
  const { notes: _, ...summary } = atOnce(new RowTable().summary(bareSpec("made")));
  const kinds = {
    counts: [["reply:cut", 2]],
    leftOut: [
      ["sent:temperature", 3],
      ["without:seed:lab/m", 1],
    ],
    calls: 5,
  };
  const end = { bytes: 9, torn: false, lastSeq: 1 };
  const head = { version: 6, end, prices: "[]", damage: unharmed, count: 0, summary: { ...summary, kinds } };
  const read = (written: object) => formerHead(Buffer.from(checkedLine(written).trimEnd()));
  const notes = { notes: [{ type: "reply", how: "cut", times: 2 }], sent: [["temperature", 3]], calls: 5 };
  expect(read(head)).toEqual({ ...head, summary: { ...summary, notes } });
  expect([read({ ...head, version: 7 }), read({ ...head, count: -1 })]).toEqual([undefined, undefined]);
});
