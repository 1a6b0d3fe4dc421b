import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { readingLines } from "../../../source/terminal/trajectory/reading-lines.ts";

const read = (text: string, columns = 60) =>
  readingLines(text, columns, symbolsOf(false)).map((line) => lineText(line).trimEnd());

describe("a model's text in the reading view", () => {
  it("shows JSON as fields", () => {
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

  it("shows fields while JSON streams, with a sign at the end", () => {
    expect(read('{"plan": "two trips", "towns": ["Delft", "Gou')).toEqual(["plan  two trips", "towns  Delft, Gou"]);
    expect(read('{"plan": "two tr')).toEqual(["plan  two tr▌"]);
  });

  const step = { StepNumber: 3, Description: "Book the table", Action: "restaurants.book({'people': 6})" };

  it("shows a Planner's step as number, description and action", () => {
    const reply = { GlobalThought: "She is vegetarian.", OrderSteps: { TotalSteps: 5, StepDetail: step } };
    expect(read(JSON.stringify(reply))).toEqual([
      "GlobalThought  She is vegetarian.",
      "TotalSteps  5",
      "3  Book the table",
      "   restaurants.book(people=6)",
    ]);
  });

  it("shows only the number of a step until more text arrives", () => {
    expect(read('{"StepDetail": {"StepNumber": 3, ')).toEqual(["3"]);
    expect(read('{"StepDetail": {"StepNumber": 3, "Description": "')).toEqual(["3  ▌"]);
  });

  it("shows a Responder's step as action, status and result", () => {
    const done = { ...step, Results: { Status: "Success", Response: { booking_id: "R-1183" } } };
    expect(read(JSON.stringify({ OrderSteps: { StepDetail: done } }))).toEqual([
      "3  Book the table",
      "   restaurants.book(people=6) → Success",
      "   Response",
      "     booking_id  R-1183",
    ]);
    const said = { ...step, Action: { Tap: "Book", Type: "6" }, Results: "done" };
    expect(read(JSON.stringify(said))).toEqual(["3  Book the table", "   Tap(Book), Type(6) →", "   done"]);
  });

  it("shows every field of a step with unknown fields", () => {
    expect(read(JSON.stringify({ ...step, note: "mine" }))).toEqual([
      "StepNumber  3",
      "Description  Book the table",
      "Action  restaurants.book(people=6)",
      "note  mine",
    ]);
  });

  it("shows every part of a step: nested actions, a status that is not text, duplicate fields", () => {
    const nested = { ...step, Action: [{ tool: "book", at: { hour: 19 } }], Results: { Status: false, Log: [] } };
    expect(read(JSON.stringify(nested))).toEqual([
      "3  Book the table",
      '   tool(book), at({"hour":19}) → false',
      "   Log  none",
    ]);
    const odd = { ...step, Results: { Status: { code: 7 } } };
    expect(read(JSON.stringify(odd)).slice(1)).toEqual([
      "   restaurants.book(people=6) →",
      "   Status",
      "     code  7",
    ]);
    const twice = '{"StepNumber": 1, "Action": "a", "Action": "b"}';
    expect(read(twice)).toEqual(["StepNumber  1", "Action  a", "Action  b"]);
    expect(read('{"StepNumber": 1, "Description": ["a"]}')).toEqual(["StepNumber  1", "Description  a"]);
  });

  it("shows a step's calls with their arguments as these stream, and labels empty texts", () => {
    const streamed = JSON.stringify({ StepDetail: { ...step, Action: "book({'at': '19:00', 'people': " } });
    expect(read(streamed.slice(0, -3))).toEqual(["3  Book the table", "   book(at='19:00', people=▌"]);
    expect(read('{"error": "", "seats": 2}')).toEqual(['error  ""', "seats  2"]);
    expect(read('Now:\nCost[{"day": 1, "city": "Os')).toEqual(["Now:", 'Cost(day=1, city="Os']);
  });

  it("shows several steps below each other", () => {
    expect(read(JSON.stringify([step, { ...step, StepNumber: 4 }]))).toEqual([
      "3  Book the table",
      "   restaurants.book(people=6)",
      "4  Book the table",
      "   restaurants.book(people=6)",
    ]);
  });

  it("aligns tables in columns, and wraps the widest cells if there is no room", () => {
    const table = "Prices:\n| Town | Price per night |\n|---|--:|\n| **Delft** | 7 |\n| a\\|b |\n\nand so on";
    expect(read(table)).toEqual([
      "Prices:",
      "Town   Price per night",
      "─────  ───────────────",
      "Delft                7",
      "a|b",
      "",
      "and so on",
    ]);
    const wide = `| a | b |\n|--|--|\n| ${"word ".repeat(9)}| 12 |`;
    expect(read(wide, 30)).toEqual([
      "a                           b",
      `${"─".repeat(26)}  ──`,
      "word word word word word    12",
      "word word word word",
    ]);
  });

  it("shows JSON between other lines as fields, with or without a code fence, and after a label", () => {
    const text = [
      "Here is the **plan**:",
      "```json",
      '{"town": "Delft",',
      ' "nights": 2}',
      "```",
      "",
      '{"town": "Gouda"}',
      'Action Input: {"city": "Oslo"}',
      "Done.",
    ].join("\n");
    expect(read(text)).toEqual([
      "Here is the plan:",
      "town  Delft",
      "nights  2",
      "",
      "town  Gouda",
      "Action Input: city: Oslo",
      "Done.",
    ]);
    for (let end = text.indexOf('"nights"'); end < text.indexOf("```\n\n"); end++)
      expect(read(text.slice(0, end)).slice(0, 2), text.slice(0, end)).toEqual(["Here is the plan:", "town  Delft"]);
  });

  it("leaves lines that only start like JSON unchanged, and also code that contains other text", () => {
    const text = '[1] a book\n{x} is free\n[1, 2]\n{}\n{"a": 1} or so\n```\n{"a": 1}\nmore\n```\n{"b": 2}';
    expect(read(text)).toEqual([...text.split("\n").slice(0, -1), "b  2"]);
    expect(read(`so:\n${"[\n".repeat(5_000)}{"a":1}`).slice(0, 3)).toEqual(["so:", "[", "["]);
  });

  it("leaves a table unchanged before its second line arrives, in code, and if there is no room for its columns", () => {
    for (const text of ["| a | b |", "```\n| a |\n|---|\n```", `${"|x".repeat(40)}|\n${"|-".repeat(40)}|`])
      expect(read(text, 100)[0], text).toBe(text.split("\n")[0]);
  });

  it("shows the target of a link after its words, and keeps brackets in code", () => {
    expect(read("see [the **site**](https://evil.example/a_b) and ![plan](./a.png)", 90)).toEqual([
      "see the **site** (https://evil.example/a_b) and plan (./a.png)",
    ]);
    expect(read("call a[i](x.y), [x](y)")).toEqual(["call a[i](x.y), [x](y)"]);
  });

  it("formats Markdown and keeps its lines", () => {
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

  it("is readable at any depth and length", () => {
    const deep = `${'{"a": ['.repeat(5_000)}1${"]}".repeat(5_000)}`;
    const lines = read(deep, 40);
    expect(lines[0]).toBe("a");
    expect(lines.join("").replaceAll(/\s/g, "")).toContain('{"a":['.repeat(4_000));
    for (const line of [...lines, ...read(`${" ".repeat(300)}- so\n${"> ".repeat(200)}\n${"#".repeat(99)}`, 40)])
      expect(width(line)).toBeLessThanOrEqual(40);
    for (const text of [JSON.stringify({ text: "word ".repeat(200_000) }), "word ".repeat(200_000)]) {
      const long = read(text);
      expect(long[0]).toMatch(/^(text  )?word word/);
      expect(long.at(-1)).toBe(`… ${(text.length - 100_000).toLocaleString("en")} more characters: v shows all`);
    }
  });

  it("is never wider than its columns, and contains no control character", () => {
    for (const text of [
      JSON.stringify({ long: "word ".repeat(40), evil: "\u001b[31m" }),
      `${"x".repeat(200)}\u001b]0;t\u0007`,
    ]) {
      for (const line of read(text, 30)) expect(width(line)).toBeLessThanOrEqual(30);
      expect(read(text, 30).join("")).not.toMatch(/\p{Control}/u);
    }
  });
});
