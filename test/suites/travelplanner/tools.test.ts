import { beforeAll, expect, test } from "vitest";
import type { Json } from "../../../source/engine/types.ts";
import { parseAction } from "../../../suites/travelplanner/ask/action.ts";
import { Notebook } from "../../../suites/travelplanner/ask/tool-session.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import * as search from "../../../suites/travelplanner/ask/searches.ts";
import { toolSession } from "../../../suites/travelplanner/ask/tool-session.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { publishedQueries, publishedSandbox } from "./world.ts";

const signal = new AbortController().signal;

type Recorded = {
  calls: { tool: string; args: string[]; text: string }[];
  notebook: { op: string; args: (string | number | null)[]; result: Json }[];
};
type Trajectory = {
  model: string;
  query_idx: number;
  delivered: boolean;
  steps: { step: number; action: string; state: string }[];
};

describePublished("TravelPlanner's tools, compared with the official tools", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await publishedSandbox();
  });
  const recorded = sharedJson<Recorded>("conformance/travelplanner/tools_a.json.gz");

  test("give the same answers, character for character, in all 257 recorded calls", () => {
    const tools: Record<string, (...args: string[]) => string> = {
      FlightSearch: (origin, destination, date) => search.searchFlights(sandbox, origin!, destination!, date!),
      DistanceMatrix: (origin, destination, mode) => search.searchDistance(sandbox, origin!, destination!, mode!),
      AccommodationSearch: (city) => search.searchLodgings(sandbox, city!),
      RestaurantSearch: (city) => search.searchRestaurants(sandbox, city!),
      AttractionSearch: (city) => search.searchAttractions(sandbox, city!),
      CitySearch: (state) => search.searchCities(sandbox, state!),
    };
    expect(recorded.calls).toHaveLength(257);
    for (const { tool, args, text } of recorded.calls)
      expect(tools[tool]!(...args), `${tool} ${args.join()}`).toBe(text);
  });

  test("give the same answers in the recorded notebook session", () => {
    const notebook = new Notebook();
    for (const { op, args, result } of recorded.notebook) {
      const content = (args[0] as string | null) ?? undefined;
      const given =
        op === "write"
          ? notebook.write(content, args[1] as string)
          : op === "update"
            ? notebook.update(content, args[1] as number, args[2] as string)
            : op === "list"
              ? notebook.list()
              : notebook.listAll();
      expect(given).toEqual(result);
    }
    expect(notebook.listAll()[0]).toMatchObject({ Content: "y" });
    expect(() => notebook.update("y", 2, "more")).toThrow("Expected a notebook index below 2");
  });

  test("reach the same state at every step of 45 published runs under the stop rules", async () => {
    const { train } = await publishedQueries();
    const { trajectories } = sharedJson<{ trajectories: Trajectory[] }>(
      "conformance/travelplanner/trajectories_a.json.gz",
    );
    expect(trajectories).toHaveLength(45);
    for (const { model, query_idx, steps, delivered } of trajectories) {
      const session = toolSession(sandbox, train[query_idx - 1]!.query.query);
      for (const { action, state, step } of steps) {
        const call = parseAction(action);
        const overflows = state.startsWith("Max Token Length");
        const consulted = session.consult!(call);
        const { status, end } = await session.call(call, signal, overflows ? undefined : consulted && "the plan");
        expect(status, `${model} ${query_idx} step ${step}`).toBe(state);
        if (step === steps.length && delivered) expect(end?.answer).toBe("the plan");
        else if (step < steps.length) expect(end).toBeUndefined();
      }
    }
  });
});
