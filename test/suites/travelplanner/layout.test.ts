import { describe, expect, test } from "vitest";
import type { Json } from "../../../source/engine/types.ts";
import { extractPlan, readPlan, writtenPlan } from "../../../suites/travelplanner/score/extract.ts";
import { readJsonPlan, readLayout, writeLayout } from "../../../suites/travelplanner/score/layout.ts";
import type { Day } from "../../../suites/travelplanner/score/plan.ts";
import { describePublished } from "../../shared.ts";
import { publishedQueries } from "./world.ts";

const day = (days: number, fields: Partial<Day> = {}): Day => ({
  days,
  current_city: "Lindow",
  transportation: "-",
  breakfast: "A, Lindow",
  attraction: "B, Lindow;C, Lindow;",
  lunch: "D, Lindow",
  dinner: "-",
  accommodation: "E, sleeps more, Lindow",
  ...fields,
});
const plan = [
  day(1, {
    current_city: "from X to Lindow",
    transportation: "Flight Number: F1, from X to Lindow, Departure Time: 10:00, Arrival Time: 11:00",
  }),
  day(2),
];

describe("a plan in the prescribed layout", () => {
  test("is unchanged after it is written and read, on several lines or on one line", () => {
    expect(readLayout(writeLayout(plan))).toEqual(plan);
    expect(readLayout(writeLayout(plan).replaceAll("\n", " "))).toEqual(plan);
    expect(readLayout(writeLayout(plan).replaceAll("\n", ""))).toEqual(plan);
  });

  test("can follow a chain of thought, precede a remark, and contain asterisks and dollar signs", () => {
    const text = `Day 1: fly there.\nDay 2: rest.\n\n**Day 1:**\n${writeLayout(plan).slice(7)}\nTotal cost: $500`;
    expect(readLayout(text.replace("D, Lindow", "$D, Lindow"))).toEqual(plan);
  });

  test("gets a semicolon after its last attraction, so that this attraction is checked", () => {
    expect(readLayout(writeLayout([day(1, { attraction: "B, Lindow" })]))![0]!.attraction).toBe("B, Lindow;");
    expect(readLayout(writeLayout([day(1, { attraction: "-" })]))![0]!.attraction).toBe("-");
  });

  test("has values that may contain a label again, from its first place on", () => {
    const twice = [day(1, { accommodation: "Inn, Breakfast: included, Lindow" })];
    expect(readLayout(writeLayout(twice))).toEqual(twice);
  });

  test.each(["", "Day 1:", "Day one: we go", writeLayout(plan).replace("Lunch:", "Noon:"), "x".repeat(10_000)])(
    "is not found in other text",
    (text) => expect(readLayout(text)).toBeUndefined(),
  );
});

describe("a plan as JSON", () => {
  test("is found in a code fence, after other text, or as a Python literal", () => {
    expect(readJsonPlan(`Sure:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\nDone [1]`)).toEqual(plan);
    expect(readJsonPlan(`Here: ${JSON.stringify(plan)}`)).toEqual(plan);
    expect(readJsonPlan('Here: [{"day": [1, [2]]}]. Done.')).toEqual([{ day: [1, [2]] }]);
    expect(readJsonPlan("[{'day': 1, 'lunch': None}]")).toEqual([{ day: 1, lunch: null }]);
  });

  test("is not found in half a plan, a list of other values or deep nesting", () => {
    for (const text of [JSON.stringify(plan).slice(0, 99), "[1, 2]", "[]", "{}", "[".repeat(100_000), "```\n```"])
      expect(readJsonPlan(text)).toBeUndefined();
  });
});

describe("the reader of a plan", () => {
  const text = "We fly and rest.";
  const judge = async (stage: string) => (stage === "extract" ? `\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`` : "");

  test("is recorded as none, the layout, JSON, or a judge if there is a judge", async () => {
    const readers = async (answer: Json | undefined, ask?: typeof judge) => (await extractPlan(answer, 2, ask)).reader;
    expect(await readers(undefined)).toBe("nothing delivered");
    expect(await readers("  ")).toBe("nothing delivered");
    expect(await readers([])).toBe("nothing delivered");
    expect(await readers("```\n[]\n```")).toBe("nothing delivered");
    expect(await readers(plan as unknown as Json)).toBe("given");
    expect(await readers({ output: writeLayout(plan), stages: {} }, judge)).toBe("layout");
    expect(await readers(JSON.stringify(plan), judge)).toBe("json");
    expect(await readers(text)).toBe("unread");
    expect(await readers(text, judge)).toBe("judge");
    expect(await readers(text, async () => "I cannot")).toBe("unread");
    expect(await extractPlan(text, 2, async () => "[]")).toEqual({ plan: [], reader: "judge" });
  });

  test("accepts answers of any shape", () => {
    for (const answer of [null, 1, true, "x", {}, { output: 3 }, [[]]] as Json[]) readPlan(answer);
    expect(writtenPlan({ output: 3 })).toBeUndefined();
  });
});

describePublished("the 45 human plans of TravelPlanner", () => {
  test("are unchanged after they are written in the layout and read", async () => {
    const { train } = await publishedQueries();
    for (const { plan: days } of train) expect(readLayout(writeLayout(days as Day[]))).toEqual(days);
  });
});
