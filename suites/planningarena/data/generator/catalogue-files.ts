/** Builds the catalogue of generated tasks in the layout of the published files. */
import type { Json } from "../../../../source/engine/types.ts";
import { operations, type ParameterType } from "../catalogue.ts";
import type { Call, CallParameter } from "./api-chains.ts";
import type { Chains } from "./chains.ts";

/** Builds `apps.json`. */
export function appsFile(chains: Chains): Json {
  const groups = Object.fromEntries(chains.apps.map(({ scenario, apps }) => [scenario, apps]));
  const names = [...new Set(chains.apps.flatMap(({ apps }) => apps))].sort();
  const apps = names.map((name) => ({
    name,
    groups: chains.apps.filter((file) => file.apps.includes(name)).map(({ scenario }) => scenario),
  }));
  return { operationSpace: operations, groups, apps };
}

/** Builds `apis.json`: a set for each scenario, and the set `dag` with all of them. */
export function apisFile(chains: Chains): Json {
  const sets: Record<string, Json[]> = { dag: [] };
  for (const { scenario, calls } of chains.apis) {
    const tools = calls.map(toolRecord);
    sets[scenario] = [...(sets[scenario] ?? []), ...tools];
    sets["dag"]!.push(...tools);
  }
  return { sets };
}

const written: Readonly<Record<ParameterType, string>> = {
  str: "str",
  enum: "str",
  int: "int",
  number: "float",
  bool: "bool",
  date: "str",
  time: "str",
  array: "list",
};

function toolRecord({ tool, about, parameters, results }: Call): Json {
  const params = parameters.flatMap((parameter) =>
    parameterNames(parameter).map((name) => ({
      name,
      type: written[parameter.type],
      check: parameter.type,
      required: parameter.source.from !== "optional" && parameter.repeat === 0,
      description: describedAs(parameter),
    })),
  );
  const response = Object.fromEntries(
    results.map(({ name, maker }) => [name, { type: maker.make === "amount" ? "float" : "str" }]),
  );
  return { tool, about, params, response };
}

/** Returns the names of a parameter: `cost` with repeat 3 is `cost1`, `cost2`, `cost3`. */
export const parameterNames = ({ name, repeat }: CallParameter): readonly string[] =>
  repeat === 0 ? [name] : Array.from({ length: repeat }, (_, index) => `${name}${index + 1}`);

function describedAs({ type, source }: CallParameter): string {
  if (source.from === "takes") return `${source.name} from an earlier result`;
  if (type === "date") return "YYYY-MM-DD";
  return source.from === "optional" ? "free text" : "";
}
