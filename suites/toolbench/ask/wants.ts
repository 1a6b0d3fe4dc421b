/** Finds the facts that a task needs, and the calls that return them. Reads the answer key. */
import type { Json } from "../../../source/engine/types.ts";
import { identifier, functionName, standardize } from "./names.ts";
import type { Query } from "../data/records.ts";
import { argumentsFor, type SampleApi, sampleApis } from "../data/sample-apis/call.ts";

export type Want = {
  readonly goal: string;
  /** Returns the arguments with which this function finds the fact; undefined if it cannot find it. */
  serves(name: string): Json | undefined;
};

const sampleByFunction: ReadonlyMap<string, SampleApi> = new Map(
  sampleApis.map((api) => [functionName(api.api, standardize(api.tool)), api]),
);

/**
 * Returns the facts to find for a query: those of the sample's own reference, otherwise its relevant APIs, called with arguments
 * that have a cached response (`cached` returns them by function name) or with the example values of their documentation.
 */
export function wantsOf(query: Query, cached: (name: string) => Json | undefined): readonly Want[] {
  if (query.reference.length > 0)
    return query.reference.map((need) => ({
      goal: need.goal,
      serves(name) {
        const api = sampleByFunction.get(name);
        return api === undefined ? undefined : argumentsFor(api, need);
      },
    }));
  return query.relevant.map(([tool, api]) => {
    const wanted = functionName(api, standardize(tool));
    return {
      goal: `call ${wanted}`,
      serves: (name) => (name === wanted ? (cached(name) ?? examples(query, tool, api)) : undefined),
    };
  });
}

function examples(query: Query, tool: string, api: string): Json {
  const record = query.api_list.find((one) => one.tool_name === tool && one.api_name === api);
  const parameters = record?.required_parameters ?? [];
  return Object.fromEntries(parameters.map(({ name, default: example }) => [identifier(name), example ?? ""]));
}
