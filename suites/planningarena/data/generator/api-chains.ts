/** API chains: sequences of calls in which each call passes values of certain kinds to another, one scenario per file. */
import { parameterTypes, type ParameterType } from "../catalogue.ts";
import { scenarios, type Scenario } from "../records.ts";
import { readSlots } from "./app-chains.ts";
import { placeholders, type ChainFile, type Phrase } from "./chain-file.ts";
import type { ProfileFields } from "./profile-fields.ts";
import { hasType } from "../parameters.ts";

export type ApiChains = {
  readonly scenario: Scenario;
  readonly openers: readonly Phrase[];
  readonly kinds: ReadonlyMap<string, Phrase>;
  readonly slots: ReadonlyMap<string, readonly (string | number)[]>;
  readonly calls: readonly Call[];
};

/** The kind of value that the last step of a graph sums. */
export const amountKind = "amount";

/** Reads a file. Throws `DataProblem` with file and line for invalid content. */
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
    if (unsaid !== undefined) file.refuse([...path, language], `a request that contains {${unsaid.name}}`);
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

/** Source of an argument; `optional` arguments are never bound. */
export type Source =
  | { readonly from: "slot" | "profile" | "takes"; readonly name: string }
  | { readonly from: "date" | "optional" };
export type CallParameter = {
  readonly name: string;
  readonly type: ParameterType;
  readonly source: Source;
  /** Number of copies of a parameter that takes many values: `cost` becomes `cost1`, `cost2` ... */
  readonly repeat: number;
};
export type Maker = { readonly make: "code"; readonly prefix: string } | { readonly make: "amount" | "name" | "echo" };
export type ResultField = { readonly name: string; readonly gives: string | undefined; readonly maker: Maker };
export type Call = {
  readonly tool: string;
  readonly about: string;
  readonly parameters: readonly CallParameter[];
  readonly results: readonly ResultField[];
  readonly clause: Phrase;
};

/**
 * Checks the type of a parameter's values. Throws `DataProblem` at a slot's value, or at the type if a profile field or
 * the calendar supplies the value.
 */
function refuseWrongType(
  file: ChainFile,
  path: Path,
  { type, source }: { readonly type: ParameterType; readonly source: Source },
  slots: ReadonlyMap<string, readonly (string | number)[]>,
  fields: ProfileFields,
): void {
  if (source.from === "slot") {
    const wrong = slots.get(source.name)!.findIndex((value) => !hasType(type, value));
    if (wrong >= 0) file.refuse(["slots", source.name, wrong], `of type ${type}, as \`${path.join(".")}\` takes it`);
  }
  if (source.from === "date" && type !== "date")
    file.refuse([...path, "type"], "date, because `date: true` gives a day");
  if (source.from === "profile") {
    const { values } = fields.get(source.name)!;
    const some = values === "phone" ? ["13012345678"] : values === "address" ? ["1 Mill Yard"] : values;
    if (!some.every((value) => hasType(type, value)))
      file.refuse([...path, "type"], `a type that every value of the profile field \`${source.name}\` has`);
  }
}

/** Examples of results; an echo has the type of the echoed parameter. */
const examples = { code: "AB-12345", name: "Silver Anchor", amount: 21.5 } as const;

/** Throws `DataProblem` at a parameter that takes a kind of value of another type. */
function refuseWrongTypeTaken(file: ChainFile, calls: readonly Call[]): void {
  for (const [index, { parameters }] of calls.entries())
    for (const { name, type, source } of parameters)
      if (source.from === "takes" && !calls.every(({ results }) => results.every(fits(type, source.name))))
        file.refuse(["calls", index, "params", name, "type"], `a type that every \`${source.name}\` has`);
}

const fits =
  (type: CallParameter["type"], kind: string) =>
  ({ gives, maker }: ResultField) =>
    gives !== kind || maker.make === "echo" || hasType(type, examples[maker.make]);
