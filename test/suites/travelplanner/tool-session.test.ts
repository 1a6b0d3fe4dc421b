import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { parseAction } from "../../../suites/travelplanner/ask/action.ts";
import { openSandbox } from "../../../suites/travelplanner/data/database.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { toolSession } from "../../../suites/travelplanner/ask/tool-session.ts";
import { tools } from "./world.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox(sampleFolder("travelplanner"), "sample", tools);
});
afterAll(() => sandbox.close());

/** Statuses of these actions, one after another in one session. */
async function states(...actions: string[]): Promise<(string | number)[]> {
  const session = toolSession(sandbox, "a trip");
  const seen: (string | number)[] = [];
  for (const action of actions) seen.push((await session.call(parseAction(action), tools.signal)).status);
  return seen;
}
const OK = "Successful";
const CITY = "Illegal args. City Error";

describe("arguments of a tool call", () => {
  test("are checked for a missing action first, then for a wrong date, then for a wrong city", async () => {
    const session = toolSession(sandbox, "a trip");
    const observe = async (action: string) => (await session.call(parseAction(action), tools.signal)).observation;
    expect(await observe("FlightSearch[Nowhere, Lindow, 5 March]")).toBe("'5 March' is not in the format YYYY-MM-DD");
    expect(await observe("FlightSearch[Nowhere, Lindow, 2022-03-05]")).toMatch(
      /^Nowhere is not valid city in \['[\s\S]*'\]\.$/,
    );
    expect(await observe("FlightSearch[Lindow]")).toBe("Illegal Flight Search. Please try again.");
    expect(await observe("GoogleDistanceMatrix[Lindow, Fernhill]")).toBe(
      "Illegal GoogleDistanceMatrix. Please try again.",
    );
    expect(await observe("GoogleDistanceMatrix[Lindow, Fernhill, bus]")).toMatch(/, cost: None$/);
    expect(await observe("CitySearch[Nowhere]")).toBe("Invalid State");
    expect(await observe("Dance[now]")).toMatch(/^Invalid Action\. Valid Actions are {2}FlightSearch\[/);
    expect(await observe("")).toMatch(/^No feedback from the environment due to the null action\./);
  });
});

describe("stops of an episode", () => {
  test("follow three failures in a row: the fourth call of that tool ends the run before it is executed", async () => {
    const wrong = [1, 2, 3, 4].map((city) => `RestaurantSearch[City ${city}]`);
    expect(await states(...wrong)).toEqual([CITY, CITY, CITY, "restaurants early stop due to 3 max retries."]);
    expect(await states(...wrong.slice(0, 3), "CitySearch[Nowhere]", wrong[3]!)).toEqual([CITY, CITY, CITY, OK, CITY]);
    expect(await states(...wrong.slice(0, 3), "AttractionSearch[x]", wrong[3]!)).toEqual([
      CITY,
      CITY,
      CITY,
      CITY,
      "restaurants early stop due to 3 max retries.",
    ]);
  });

  test("count invalid actions together; failed searches for lodging do not end the episode, but invalid actions do", async () => {
    const lodging = [1, 2, 3, 4, 5].map((city) => `AccommodationSearch[City ${city}]`);
    expect(await states(...lodging)).toEqual([CITY, CITY, CITY, CITY, CITY]);
    const invalid = ["a", "b[1]", "c"];
    expect(await states(...invalid, lodging[0]!)).toEqual([
      "invalidAction",
      "invalidAction",
      "invalidAction",
      "invalidAction early stop due to 3 max retries.",
    ]);
  });

  test("precede the execution of the third identical action in a row, even of an empty action", async () => {
    const twice = ["CitySearch[Vesperia]", "CitySearch[Vesperia]"];
    expect(await states(...twice, "CitySearch[Vesperia]")).toEqual([OK, OK, "same action 3 times repeated"]);
    expect(await states(...twice, "CitySearch[Norrland]", ...twice)).toEqual([OK, OK, OK, OK, OK]);
    expect(await states("", "", "")).toEqual(["", "", "same action 3 times repeated"]);
  });

  test("apply before the planner is asked, so that the planner is asked only if its reply will be used", () => {
    const session = toolSession(sandbox, "a trip");
    expect(session.consult!(parseAction("Planner[a trip]"))?.stage).toBe("planner");
    expect(session.consult!(parseAction("RestaurantSearch[Lindow]"))).toBeUndefined();
    for (let entry = 0; entry < 200; entry++) session.notebook.write("word ".repeat(100), "much");
    expect(session.consult!(parseAction("Planner[a trip]"))).toBeUndefined();
  });
});

describe("the notebook and the scratchpad of a tool session", () => {
  test("contain the last result, but not city lists, and only the notebook reaches the planner", async () => {
    const session = toolSession(sandbox, "a trip");
    const act = (action: string) => session.call(parseAction(action), tools.signal);
    await act("NotebookWrite[nothing yet]");
    await act("RestaurantSearch[Lindow]");
    await act("CitySearch[Vesperia]");
    expect((await act("NotebookWrite[food]")).observation).toBe(
      "The information has been recorded in Notebook, and its index is 1.",
    );
    const [empty, food] = session.notebook.listAll() as { Content: string | null }[];
    expect(empty!.Content).toBeNull();
    expect(food!.Content).toContain("Average Cost");
    const asked = session.consult!(parseAction("Planner[q]"))!
      .messages.map(({ content }) => content)
      .join();
    expect(asked).toContain("'Short Description': 'nothing yet', 'Content': None");
    expect(asked).not.toContain("Ostermoor");
  });

  test("show only the latest result, and None if there is no latest result", async () => {
    const session = toolSession(sandbox, "a trip");
    let page = "";
    const act = async (action: string) => {
      const call = parseAction(action);
      const result = await session.call(call, tools.signal);
      page = `${session.dialect!.revise!(page, call, result)}\n${result.observation}`;
    };
    const MASK = "Masked due to limited length. Make sure the data has been written in Notebook.";
    page = "Thought: None of it is known";
    await act("RestaurantSearch[Lindow]");
    expect(page).toContain(`Thought: ${MASK} of it is known`);
    expect(page).toContain("Average Cost");
    await act("RestaurantSearch[Nowhere]");
    expect(page).toContain("Average Cost");
    await act("NotebookWrite[food]");
    expect(page).not.toContain("Average Cost");
    expect(page.split(MASK)).toHaveLength(3);
  });
});
