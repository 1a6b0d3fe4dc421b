import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/engine/figures/drawing/symbols.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { readingLines } from "../../../source/terminal/trajectory/reading-lines.ts";

const read = (text: string, columns = 60) =>
  readingLines(text, columns, symbolsOf(false)).map((line) => lineText(line).trimEnd());

describe("a text of a model as it is read", () => {
  it("has fields for JSON", () => {
    const value = {
      plan: "two trips",
      towns: ["Delft", "Gouda"],
      days: [
        { town: "Delft", costs: 12.5 },
        { town: "Gouda", guests: [] },
      ],
    };
    expect(read(JSON.stringify(value))).toEqual([
      "plan  two trips",
      "towns  Delft, Gouda",
      "days",
      "  1",
      "    town  Delft",
      "    costs  12.5",
      "  2",
      "    town  Gouda",
      "    guests  none",
    ]);
  });

  it("has them while the JSON streams, with a mark where it goes on", () => {
    expect(read('{"plan": "two trips", "towns": ["Delft", "Gou')).toEqual(["plan  two trips", "towns  Delft, Gou"]);
    expect(read('{"plan": "two tr')).toEqual(["plan  two tr▌"]);
  });

  const step = { StepNumber: 3, Description: "Book the table", Action: "restaurants.book({'people': 6})" };

  it("has a Planner's step as number, description and action", () => {
    const reply = { GlobalThought: "She is vegetarian.", OrderSteps: { TotalSteps: 5, StepDetail: step } };
    expect(read(JSON.stringify(reply))).toEqual([
      "GlobalThought  She is vegetarian.",
      "TotalSteps  5",
      "3  Book the table",
      "   restaurants.book({'people': 6})",
    ]);
  });

  it("has a Responder's as action, status and result", () => {
    const done = { ...step, Results: { Status: "Success", Response: { booking_id: "R-1183" } } };
    expect(read(JSON.stringify({ OrderSteps: { StepDetail: done } }))).toEqual([
      "3  Book the table",
      "   restaurants.book({'people': 6}) → Success",
      "   Response",
      "     booking_id  R-1183",
    ]);
    const said = { ...step, Action: { Tap: "Book", Type: "6" }, Results: "done" };
    expect(read(JSON.stringify(said))).toEqual(["3  Book the table", "   Tap(Book), Type(6) →", "   done"]);
  });

  it("has all of what is no such step", () => {
    expect(read(JSON.stringify({ ...step, note: "mine" }))).toEqual([
      "StepNumber  3",
      "Description  Book the table",
      "Action  restaurants.book({'people': 6})",
      "note  mine",
    ]);
  });

  it("has Markdown set, and its lines as they were", () => {
    const text = "# Plan\nfirst **book**\n- a\n  - b\n```\n*x*\n```\ncall find_train(__init__, a*b)";
    expect(read(text)).toEqual([
      "Plan",
      "first book",
      "• a",
      "  • b",
      "```",
      "*x*",
      "```",
      "call find_train(__init__, a*b)",
    ]);
  });

  it("is never wider than its columns, and obeys no control character", () => {
    for (const text of [
      JSON.stringify({ long: "word ".repeat(40), evil: "\u001b[31m" }),
      `${"x".repeat(200)}\u001b]0;t\u0007`,
    ]) {
      for (const line of read(text, 30)) expect(width(line)).toBeLessThanOrEqual(30);
      expect(read(text, 30).join("")).not.toMatch(/\p{Control}/u);
    }
  });
});
