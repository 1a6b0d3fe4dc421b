/** A trip as the trajectory screen shows it: each day with its cost, the whole trip with what it breaks, beside the reference. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoadedSuite, TaskView } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Json, Task } from "../../../source/engine/types.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";

type Day = Readonly<Record<string, Json>>;

let loaded: LoadedSuite;
let tasks: readonly Task[];
beforeAll(async () => {
  loaded = await travelplanner.open({ folder: sampleFolder("travelplanner"), data: "sample" });
  tasks = await loaded.tasks("train");
});
afterAll(() => loaded.close?.());

const referenceOf = (index: number) => (tasks[index]!.answer as { plan: readonly Day[] }).plan;
const shown = (answer: Json | undefined, index = 0): TaskView => loaded.describe!(tasks[index]!, answer) as TaskView;
/** The reference of the first task with another second day; what is undefined is not there. */
const withSecond = (change: object): Json =>
  JSON.parse(JSON.stringify(referenceOf(0).map((day, at) => (at === 1 ? { ...day, ...change } : day)))) as Json;
const whole = (answer: Json) => shown(answer).plan.at(-1)!;

describe("the view of the reference", () => {
  it("is shown day by day without empty fields, with the cost of each day and the total", () => {
    const { reference, plan, matches } = shown(undefined);
    expect([plan, matches]).toEqual([[], []]);
    expect(reference.map(({ title }) => title)).toEqual([
      "Day 1: from St. Odile to Bramble Point",
      "Day 2: Bramble Point",
      "Day 3: from Bramble Point to St. Odile",
      "Whole trip",
    ]);
    expect(reference[0]!.lines).toEqual([
      "transportation: Flight Number: F9005250, from St. Odile to Bramble Point, Departure Time: 10:42, Arrival Time: 12:40",
      "attraction: Bramble Point Hill Fort, Bramble Point;",
      "lunch: The Paper Trattoria, Bramble Point",
      "dinner: The Copper Spoon, Bramble Point",
      "accommodation: Spacious garden room by the river, sleeps more, Bramble Point",
      "cost: $309 (transport 169, meals 65, lodging 75)",
    ]);
    expect(reference.map(({ lines }) => lines.at(-1))).toEqual([
      "cost: $309 (transport 169, meals 65, lodging 75)",
      "cost: $169 (transport 0, meals 94, lodging 75)",
      "cost: $393 (transport 302, meals 91, lodging 0)",
      "cost: $871 of $1000",
    ]);
  });

  it("shows the request beside the reference: size, cities and wishes", () => {
    const text = (index: number) => shown(undefined, index).background![0]!;
    expect(text(0)).toEqual({
      title: "Request",
      text: `${tasks[0]!.question}\neasy, 3 days from 2022-03-05, 1 people, $1000\nfrom St. Odile to Bramble Point, cities to visit: 1`,
    });
    expect(text(12)!.text.split("\n").slice(3)).toEqual([
      "cuisine: Indian, Mediterranean, Italian, French",
      "room type: not shared room",
      "transportation: no flight",
    ]);
  });
});

describe("the view of a plan", () => {
  it("shows no violated constraint for a plan that equals the reference, and each of its days beside that of the reference", () => {
    const { reference, plan, matches } = shown(referenceOf(0) as unknown as Json);
    expect(plan).toEqual(reference);
    expect(matches).toEqual([0, 1, 2, 3].map((at) => [at, at]));
  });

  it("shows what is missing, which values are not text, and why the cost is unknown", () => {
    const { plan } = shown(
      withSecond({ lunch: "The Paper Trattoria, Bramble Point", dinner: undefined, attraction: { a: 1 } }),
    );
    expect(plan[1]!.lines).toEqual([
      "breakfast: The Paper Noodle House, Bramble Point",
      'attraction: {"a":1}',
      "lunch: The Paper Trattoria, Bramble Point",
      "dinner: (missing)",
      "accommodation: Spacious garden room by the river, sleeps more, Bramble Point",
      "cost: unknown (Expected `dinner` in day 2, found none)",
    ]);
    expect(plan[3]!.lines).toEqual([
      "cost: not known of $1000",
      "✗ cannot be evaluated: Expected `attraction` of day 2 to be text, got an object",
      "✗ Diverse Restaurants, day 2: The restaurant in day 2 lunch The Paper Trattoria, Bramble Point is repeated.",
      "✗ Diverse Attractions: Expected `attraction` of day 2 to be text, got an object",
      "✗ Within Current City: Expected `attraction` of day 2 to be text, got an object",
      "✗ Within Sandbox: Expected `attraction` of day 2 to be text, got an object",
      "✗ Complete Information, day 2: No Dinner Info.",
    ]);
  });

  it("shows a plan that is too short as incomplete, without hard constraints and without a counterpart of its last day", () => {
    const { plan, matches } = shown(referenceOf(0).slice(0, 2) as unknown as Json);
    expect(plan.map(({ title }) => title)).toEqual([
      "Day 1: from St. Odile to Bramble Point",
      "Day 2: Bramble Point",
      "Whole trip",
    ]);
    expect(matches).toEqual([
      [0, 0],
      [1, 1],
      [3, 2],
    ]);
    expect(plan[2]!.lines).toEqual([
      "cost: $478 of $1000",
      "hard constraints do not count: the plan is not both complete and within the sandbox",
      "✗ Reasonable City Route, day 2: The trip should be a closed circle.",
      "✗ Complete Information: Invalid Days",
    ]);
  });

  it("shows the plan up to the last day of the request", () => {
    const days = referenceOf(0);
    expect(shown([...days, days[2]!] as unknown as Json).plan).toHaveLength(4);
  });

  it("shows an unreadable plan as written, in at most 200 lines, without a counterpart", () => {
    const { plan, matches } = shown("no plan at all\nsecond line");
    expect(plan).toEqual([
      { title: "Not in the prescribed layout", lines: ["no plan at all", "second line"], needs: [] },
    ]);
    expect(matches).toEqual([]);
    expect(shown(Array.from({ length: 201 }, (_, at) => `line ${at}`).join("\n")).plan[0]!.lines).toHaveLength(200);
  });

  it("is absent for a plan without a day", () => {
    expect(shown([])).toMatchObject({ plan: [], matches: [] });
  });

  it("reports a day without a lodging, and the cost of the trip without this lodging", () => {
    expect(whole(withSecond({ accommodation: "-" })).lines).toEqual([
      // 871 less the second night of 75.
      "cost: $796 of $1000",
      "hard constraints do not count: the plan is not both complete and within the sandbox",
      "✗ Complete Information, day 2: No accommodation in day 2 is not allowed.",
    ]);
  });
});
