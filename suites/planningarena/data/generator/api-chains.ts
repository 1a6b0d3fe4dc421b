/** API chains: calls that feed each other by kinds of values, one scenario a file. */
import { parameterTypes } from "../catalogue.ts";
import type { Call, CallParameter, ResultField, Source } from "./api-call.ts";
import { scenarios } from "../records.ts";
import type { Scenario } from "../records.ts";
import { readSlots } from "./app-chains.ts";
import { placeholders } from "./chain-file.ts";
import type { ChainFile, Phrase } from "./chain-file.ts";
import { refuseWrongType, refuseWrongTypeTaken } from "./value-types.ts";
import type { ProfileFields } from "./profile-fields.ts";

export type ApiChains = {
  readonly scenario: Scenario;
  readonly openers: readonly Phrase[];
  readonly kinds: ReadonlyMap<string, Phrase>;
  readonly slots: ReadonlyMap<string, readonly (string | number)[]>;
  readonly calls: readonly Call[];
};

/** The kind of value the last step of a graph adds up. */
export const amountKind = "amount";

/** Throws `DataProblem` with file and line for anything that does not fit. */
export function readApiChains(file: ChainFile, fields: ProfileFields): ApiChains {
  const slots = readSlots(file);
  const kinds = new Map(Object.keys(file.record(["kinds"])).map((name) => [name, file.phrase(["kinds", name])]));
  const calls = file.list(["calls"]).map((_, index) => readCall(file, index, { slots, kinds, fields }));
  const given = new Set(calls.flatMap((call) => call.results.map(({ gives }) => gives)));
  for (const [index, call] of calls.entries())
    for (const { name, source } of call.parameters)
      if (source.from === "takes" && !given.has(source.name))
        file.refuse(["calls", index, "params", name, "takes"], "a kind that some call of this file gives");
  refuseWrongTypeTaken(file, calls);
  return {
    scenario: file.oneOf(["scenario"], scenarios),
    openers: file.list(["openers"]).map((_, index) => file.phrase(["openers", index])),
    kinds,
    slots,
    calls,
  };
}

type Names = {
  readonly slots: ReadonlyMap<string, readonly (string | number)[]>;
  readonly kinds: ReadonlyMap<string, Phrase>;
  readonly fields: ProfileFields;
};

function readCall(file: ChainFile, index: number, names: Names): Call {
  const path = ["calls", index];
  const tool = file.text([...path, "tool"]);
  if (!/^[A-Za-z0-9_]+$/.test(tool)) file.refuse([...path, "tool"], "letters, digits and underscores");
  const parameters = Object.keys(file.record([...path, "params"])).map((name) =>
    readParameter(file, [...path, "params", name], name, names),
  );
  const results = Object.keys(file.record([...path, "results"])).map((name) =>
    readResult(file, [...path, "results", name], name, parameters, names),
  );
  const clause = { en: file.text([...path, "en"]), zh: file.text([...path, "zh"]) };
  for (const language of ["en", "zh"] as const) {
    const said = placeholders(clause[language]);
    const unsaid = parameters.find(({ name, source }) => source.from !== "optional" && !said.includes(name));
    const unknown = said.find((name) => !parameters.some((parameter) => parameter.name === name));
    if (unknown !== undefined) file.refuse([...path, language], `a request whose {${unknown}} is a parameter`);
    if (unsaid !== undefined) file.refuse([...path, language], `a request that says {${unsaid.name}}`);
  }
  return { tool, about: file.text([...path, "about"]), parameters, results, clause };
}

type Path = readonly (string | number)[];

function readParameter(file: ChainFile, path: Path, name: string, { slots, kinds, fields }: Names): CallParameter {
  const value = file.record(path);
  const type = file.oneOf([...path, "type"], parameterTypes);
  const repeat = value["repeat"] ?? 0;
  if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 0 || repeat > 20)
    file.refuse([...path, "repeat"], "a whole number from 0 to 20");
  const sources: Source[] = [];
  for (const from of ["slot", "profile", "takes"] as const)
    if (value[from] !== undefined) sources.push({ from, name: file.text([...path, from]) });
  for (const from of ["date", "optional"] as const) if (value[from] === true) sources.push({ from });
  const source = sources[0];
  if (source === undefined || sources.length > 1)
    file.refuse(path, "a parameter with exactly one of slot, profile, takes, date, optional");
  if (source.from === "slot" && !slots.has(source.name)) file.refuse([...path, "slot"], "a slot of this file");
  if (source.from === "takes" && !kinds.has(source.name)) file.refuse([...path, "takes"], "a kind of this file");
  if (source.from === "profile" && !fields.has(source.name)) file.refuse([...path, "profile"], "a profile field");
  refuseWrongType(file, path, { type, source }, slots, fields);
  return { name, type, source, repeat };
}

function readResult(
  file: ChainFile,
  path: Path,
  name: string,
  parameters: readonly CallParameter[],
  { kinds }: Names,
): ResultField {
  const gives = file.at([...path, "gives"]);
  if (gives !== undefined && (typeof gives !== "string" || !kinds.has(gives)))
    file.refuse([...path, "gives"], "a kind of this file");
  const code = /^code ([A-Z]{2})$/.exec(file.text([...path, "make"]));
  if (code !== null) return { name, gives, maker: { make: "code", prefix: code[1]! } };
  const make = file.at([...path, "make"]);
  if (make !== "amount" && make !== "name" && make !== "echo")
    file.refuse([...path, "make"], "`code XX`, amount, name or echo");
  const said = ({ source, repeat }: CallParameter) => source.from !== "optional" && repeat === 0;
  if (make === "echo" && !parameters.some((parameter) => parameter.name === name && said(parameter)))
    file.refuse(path, "the name of a parameter that every call has, as it echoes one");
  return { name, gives, maker: { make } };
}
