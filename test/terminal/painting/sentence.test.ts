import { describe, expect, it } from "vitest";
import { sentences } from "../../../source/terminal/painting/sentence.ts";

/** Joins the texts of these rows, each from its first column. */
const said = (...rows: readonly string[]) =>
  sentences(rows.map((text) => (text === "" ? [] : [{ column: 0, end: 75, text }])));

describe("rows of the screen as spoken text", () => {
  it("are words, without frames, bars, rules and empty rows", () => {
    expect(
      said(
        "┌──────┬─────┐",
        "│ Succ │ 50.0│",
        "└──────┴─────┘",
        "",
        "  =====",
        "  slips  ⠏ running  ███▌░░░ 48 % 15/31",
        "  slips  running 2  ██▓!!▒▒· 5/8",
        "  slips  ready  ········  0/8",
      ),
    ).toEqual([
      { text: "Succ, 50.0" },
      { text: "slips, running, 48 % 15/31" },
      { text: "slips, running 2, 5/8" },
      { text: "slips, ready, 0/8" },
    ]);
  });

  it("contain words for marks unless the row already contains these words", () => {
    const rows = [
      "✓ done",
      "✓ 15 right  ✗ 0 wrong  ■ 2 stopped  ▸ 8 running",
      "  ✗ train-1  two days",
      "    ▸ train-2",
    ];
    expect(said(...rows).map(({ text }) => text)).toEqual([
      "done",
      "15 right, 0 wrong, 2 stopped, 8 running",
      "wrong train-1, two days",
      "running train-2",
    ]);
  });

  it("start with the cursor: a cell, an entry or a value", () => {
    expect(
      said("▌ run main", "▌   suite: appbench", "  run other", "▸ ✗ train-1", " ▸ ▸ train-2", "a  1.0 ▸2.0"),
    ).toEqual([
      { text: "selected run main", cursor: 0 },
      { text: "suite: appbench", cursor: 0 },
      { text: "run other" },
      { text: "selected wrong train-1", cursor: 0 },
      { text: "selected running train-2", cursor: 0 },
      { text: "a, 1.0 selected 2.0", cursor: 7 },
    ]);
  });

  it("contain words for the state of a task in a list, and for an empty cell of a table", () => {
    const rows = [
      "   · mm-1  two days",
      " ▸ ? mm-2",
      "   ! mm-3",
      "    ! [1] reads the key",
      "  2  ~75.0   ·  ▸·  3.0",
    ];
    expect(said(...rows).map(({ text }) => text)).toEqual([
      "waiting mm-1, two days",
      "selected unscored mm-2",
      "failed mm-3",
      "! [1] reads the key",
      "2, ~75.0, none, selected none, 3.0",
    ]);
    expect(said(" ▸ following  lines 1 to 9 of 30")[0]?.text).toBe("following, lines 1 to 9 of 30");
  });

  it("mention the cursor even if it is on a rule below the words", () => {
    expect(said("   a = findconcert()", "▌      ▔▔▔▔▔▔▔▔▔▔▔", "    ✗ Another API", "▌", "  more")).toEqual([
      { text: "a = findconcert()" },
      { text: "selected wrong Another API", cursor: 0 },
      { text: "more" },
    ]);
  });

  it("contain the signs of keys and of typed text", () => {
    expect(
      said("    ]   Next analysis cell", "    +  =   Increase concurrency", "▌ }").map(({ text }) => text),
    ).toEqual(["], Next analysis cell", "+, =, Increase concurrency", "selected }"]);
  });

  it("contain the cursor's position in a text unless it is at the end", () => {
    expect(said("▌ Hello the▏re, you", "   model: x▏ ").map(({ text }) => text)).toEqual([
      "selected Hello the|re, you",
      "model: x",
    ]);
  });

  it("are joined from left to right if a row has several texts", () => {
    const row = [
      { column: 40, end: 75, text: "right side" },
      { column: 0, end: 40, text: "left side" },
    ];
    expect(sentences([row])).toEqual([{ text: "left side, right side" }]);
  });
});
