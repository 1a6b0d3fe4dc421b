import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Environment } from "../../../source/engine/protocol.ts";
import { parseAction } from "../../../suites/travelplanner/ask/action.ts";
import { costSession } from "../../../suites/travelplanner/ask/cost-session.ts";
import { openSandbox } from "../../../suites/travelplanner/data/database.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { tools } from "./world.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox(sampleFolder("travelplanner"), "sample", tools);
});
afterAll(() => sandbox.close());

const { signal } = tools;
const session = (reflects = false) => costSession(sandbox, "[]", "a trip", reflects);
const observe = async (environment: Environment, action: string) =>
  (await environment.call(parseAction(action), signal)).observation;
const enquiry = (day: object) => `CostEnquiry[${JSON.stringify(day)}]`;

test("a day's cost includes flight, meals and lodging for all people, printed as Python prints floats and integers", async () => {
  const [flight] = sandbox.flightsOn("St. Odile", "Bramble Point", "2022-03-05");
  const [meal] = sandbox.restaurantsIn("Bramble Point");
  const room = sandbox.lodgingsIn("Bramble Point").find(({ occupancy }) => occupancy === 2)!;
  const transportation = `Flight Number: ${flight!.number}, nowhere in particular`;
  const day = { people_number: 3, transportation, lunch: `${meal!.name}, Bramble Point`, dinner: "-" };
  const without = 3 * (flight!.price + meal!.cost);
  expect(await observe(session(), enquiry(day))).toBe(`Cost: The cost of your plan is ${without} dollars.`);
  const withRoom = { ...day, accommodation: `${room.name}, Bramble Point` };
  expect(await observe(session(), enquiry(withRoom))).toBe(
    `Cost: The cost of your plan is ${without + 2 * room.price}.0 dollars.`,
  );
});

test("the cost enquiry requires exact names, and an unreadable name costs nothing", async () => {
  const [meal] = sandbox.restaurantsIn("Lindow");
  const refused =
    "Cost: Sorry, the cost of your plan is not available because of the following reasons:1. The breakfase information is not valid, please check. \t2. The lunch information is not valid, please check. \t";
  const day = { people_number: 1, breakfast: "Nowhere, Lindow", lunch: `${meal!.name.slice(0, -1)}, Lindow` };
  expect(await observe(session(), enquiry(day))).toBe(refused);
  expect(await observe(session(), enquiry({ people_number: 1, breakfast: "somewhere" }))).toBe(
    "Cost: The cost of your plan is 0 dollars.",
  );
});

test("the cost enquiry requires two cities for driving, and in Reflexion's environment also for flights", async () => {
  const lost = { people_number: 2, transportation: "Self-driving, somewhere" };
  expect(await observe(session(), enquiry(lost))).toContain("You have to make sure there are two cities (from A to B)");
  const [flight] = sandbox.flightsOn("St. Odile", "Bramble Point", "2022-03-05");
  const flying = { people_number: 1, transportation: `Flight Number: ${flight!.number}` };
  expect(await observe(session(), enquiry(flying))).toBe(`Cost: The cost of your plan is ${flight!.price} dollars.`);
  expect(await observe(session(true), enquiry(flying))).toContain(
    "1. The transporation information is not valid, please check. ",
  );
});

test("a malformed day in a cost enquiry is rejected and never executed", async () => {
  const unparsed = "The sub plan can not be parsed into json format, please check.";
  for (const text of ["process.exit(1)", "{'people_number': 1", "__import__('os')", `${"[".repeat(5000)}`])
    expect(await observe(session(), `CostEnquiry[${text}]`)).toBe(unparsed);
  expect(await observe(session(), "CostEnquiry[[{}, {}]]")).toBe(`${unparsed} Only one day plan is supported.`);
  expect(await observe(session(), "CostEnquiry[{'lunch': 'x'}]")).toBe(unparsed);
  expect(await observe(session(), enquiry({ people_number: 1, lunch: 5 }))).toBe(unparsed);
  expect(await observe(session(), enquiry({ people_number: 1, __proto__: null }))).toContain("is 0 dollars");
  expect(await observe(session(), "Fly[away]")).toBe("Action Fly is not supported.");
  expect(await observe(session(), "let us go")).toBe("Action None is not supported.");
});

test("Reflexion's environment reports no progress after three rejections in a row, until an enquiry succeeds", async () => {
  const environment = session(true);
  const wrong = enquiry({ people_number: 1, lunch: "Nowhere, Lindow" });
  const right = enquiry({ people_number: 1 });
  const stuck: boolean[] = [];
  for (const action of [wrong, wrong, wrong, "CostEnquiry[?]", right, wrong]) {
    await observe(environment, action);
    stuck.push(environment.stuck!());
  }
  expect(stuck).toEqual([false, false, true, true, false, false]);
  expect(session().stuck).toBeUndefined();
});

test("submitting a plan ends the episode", async () => {
  const { end } = await session().call(parseAction("Finish[Day 1: home]"), signal);
  expect(end).toEqual({ reason: "finished", answer: "Day 1: home" });
});
