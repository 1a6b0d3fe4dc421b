import { describe, expect, it, test } from "vitest";
import { finish } from "../../../suites/toolbench/ask/finish.ts";
import { functionSchema, type ApiRecord, type FunctionSchema } from "../../../suites/toolbench/ask/function-schema.ts";
import {
  changeName,
  identifier,
  resolveCall,
  standardize,
  standardizeCategory,
} from "../../../suites/toolbench/ask/names.ts";
import { pythonStrOfJsonText } from "../../../source/engine/python/text.ts";
import { statusOf } from "../../../suites/toolbench/data/response-filter.ts";
import { keepsRealResponse, labelResponse } from "./response-filter.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import type { Step } from "../../../source/engine/types.ts";
import { plannedToolkits } from "../../../suites/toolbench/score/execution.ts";

type Helpers = {
  names: { input: string; standardize: string; standardize_then_change_name: string }[];
  categories: { input: string; standardize_category: string }[];
  function_schemas: {
    api: ApiRecord;
    standard_tool_name: string;
    expected_stabletoolbench: { function: FunctionSchema };
    expected_tool_planner: FunctionSchema;
    pure_api_name: string;
  }[];
  virtual_server: {
    response: string;
    error: string;
    keep_as_real_response: boolean;
    process_error?: { error: string; save_cache: boolean; switch: boolean };
  }[];
  python_repr: { json: string; python_str: string }[];
  finish_calls: {
    arguments: string;
    action_name?: string;
    observation?: string;
    status_code?: number;
    raises?: string;
  }[];
};

describePublished("ToolBench's names and texts, compared with the official code", () => {
  const helpers = sharedJson<Helpers>("conformance", "toolplanner", "toolbench_helpers.json");

  it("cover every kind of recorded case", () => {
    const { categories, finish_calls, python_repr, virtual_server } = helpers;
    const counts = [categories, virtual_server, python_repr, finish_calls].map((cases) => cases.length);
    expect(counts).toEqual([9, 21, 15, 9]);
  });

  it("are standardised equally for all names and categories", () => {
    expect(helpers.names).toHaveLength(127);
    for (const { input, standardize: expected, standardize_then_change_name } of helpers.names) {
      expect(standardize(input), input).toBe(expected);
      expect(changeName(standardize(input)), input).toBe(standardize_then_change_name);
    }
    for (const { input, standardize_category } of helpers.categories)
      expect(standardizeCategory(input)).toBe(standardize_category);
  });

  it("give equal function schemas of both programs", () => {
    expect(helpers.function_schemas).toHaveLength(80);
    for (const schema of helpers.function_schemas) {
      const { api, standard_tool_name: tool } = schema;
      expect(functionSchema(api, tool, "stabletoolbench")).toEqual(schema.expected_stabletoolbench.function);
      expect(functionSchema(api, tool, "tool-planner")).toEqual(schema.expected_tool_planner);
      expect(identifier(api.api_name)).toBe(schema.pure_api_name);
    }
  });

  it("include responses that the virtual server keeps and labels equally", () => {
    for (const { response, error, keep_as_real_response, process_error } of helpers.virtual_server) {
      expect(keepsRealResponse(response, error), response).toBe(keep_as_real_response);
      if (process_error === undefined) continue;
      const { error: label, save_cache: keep, switch: switchKey } = process_error;
      expect(labelResponse(response), response).toEqual({ error: label, keep, switchKey });
    }
  });

  it("print JSON as Python prints it, from the same source text", () => {
    for (const { json, python_str } of helpers.python_repr) expect(pythonStrOfJsonText(json)).toBe(python_str);
  });

  it("include Finish calls that are read equally, even broken calls", () => {
    for (const call of helpers.finish_calls.filter((one) => one.action_name === undefined)) {
      const { observation, status } = finish(call.arguments);
      expect(status, call.arguments).toBe(call.raises === undefined ? call.status_code : 2);
      if (call.raises === undefined) expect(observation).toBe(call.observation);
    }
  });
});

describe("names and texts of ToolBench", () => {
  it("resolve a call to the first function whose name ends with the name in the call", () => {
    expect(resolveCall(["get_a_for_x", "a_for_x"], "a_for_x")).toBe(0);
    expect(resolveCall(["a_for_x"], "b_for_x")).toBe(-1);
  });

  it("have a status code only for an exact error text", () => {
    expect(statusOf("Unauthorized error...")).toBe(7);
    expect(statusOf("Rate limit error...")).toBe(0);
    expect(statusOf("something else")).toBe(0);
  });

  it("may contain raw line breaks inside a final answer, as in Python", () => {
    expect(finish('{"return_type": "give_answer", "final_answer": "one\ntwo"}')).toMatchObject({
      status: 3,
      answer: "one\ntwo",
    });
    expect(finish("[1]").status).toBe(2);
  });
});

test("the toolkits of a run are those of all its plans, in the order of first use", () => {
  const toolkit = (id: string, number: number): Step => ({
    type: "node",
    id,
    kind: "toolkit",
    label: `Toolkit ${number}`,
    state: "open",
    detail: { toolkit: number },
  });
  const api: Step = { type: "node", id: "p1.1/0", kind: "api", label: "look", state: "open", detail: { toolkit: 9 } };
  const note: Step = { type: "note", kind: "plan", text: "Two toolkits" };
  const steps = [note, toolkit("p1.1", 4), toolkit("p1.2", 0), api, toolkit("p2.1", 4), toolkit("p2.2", 7)];
  expect(plannedToolkits(steps)).toEqual([4, 0, 7]);
  expect(plannedToolkits([note, api])).toEqual([]);
});
