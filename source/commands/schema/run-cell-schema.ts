/** A run cell and the front matter of a notebook as JSON schema (draft 7, which editors read). */
import type { Option } from "../../engine/option.ts";
import { roleKeys } from "../../engine/run-settings.ts";
import { runSettings, type Setting } from "../../engine/run-settings-rows.ts";
import { suiteOptions } from "../../engine/session/fields/run-fields.ts";
import { mostOf, mostVariants, namesOf } from "../../engine/session/fields/setting-value.ts";
import type { Suite } from "../../engine/suite.ts";
import { ofTypes, oneOrMany, where, type Schema } from "./json-schema.ts";

const settings: readonly Setting[] = runSettings;

/** A map of names and their values. */
const namedSchema = (value: Schema): Schema => ({
  type: "object",
  propertyNames: { pattern: "^[^,\\n]{1,60}$" },
  additionalProperties: value,
});

/** Accepts a value, a list of values, or a map that names them. */
const oneManyOrNamed = (value: Schema): Schema => ({
  anyOf: [...oneOrMany(value).anyOf!, namedSchema(value)],
});

const limits: Readonly<Record<string, string>> = {
  steps: "Limit of model requests",
  tokens: "Limit of tokens in prompts and replies",
  seconds: "Limit in seconds",
  cost: "Limit of the cost, in the endpoints' currency",
};

/** All fields, and for each suite the fields and values of its cells. */
export function runCellSchema(suites: readonly Suite[]): Schema {
  const options = suites.flatMap((suite) => [...suiteOptions(suite).values()]);
  const named = {
    ...Object.fromEntries(settings.map((setting) => [setting.name, settingSchema(setting)])),
    ...Object.fromEntries(options.map(({ name, title, note }) => [name, described(title, note)])),
    ...Object.fromEntries(grouped(options).map((group) => [group, groupSchema(group, options, { type: "object" })])),
    scan: scanSchema,
    suite: {
      ...described("Benchmark"),
      anyOf: [{ enum: suites.map(({ name }) => name) }, { type: "string", pattern: `^(${families(suites)})/.` }],
    },
  };
  return {
    type: "object",
    properties: named,
    additionalProperties: false,
    allOf: suites.map((suite) =>
      where(
        { properties: { suite: { const: suite.name } }, required: ["suite"] },
        suiteSchema(suite, grouped(options)),
      ),
    ),
  };
}

/** A question about the trajectories of saved runs. */
const scanSchema: Schema = {
  description: "A question about the trajectories of the run cells that `of` names",
  type: "object",
  properties: {
    of: { description: "Names of run cells", ...oneOrMany({ type: "string" }) },
    question: { description: "The question about each trajectory", type: "string" },
    labels: {
      description: "Kinds that may be found, with or without meanings",
      anyOf: [oneOrMany({ type: "string" }), { type: "object" }],
    },
    induce: {
      description: "true: the model proposes kinds first, and labels with them once the kinds are in the notebook",
      ...ofTypes("boolean", "string"),
    },
    quote: {
      description: "Whether each label needs a quotation from its step",
      ...oneOrMany(ofTypes("boolean", "string")),
    },
    method: {
      description:
        "How to predict which agent failed at which step: all-at-once, step-by-step or binary-search; replaces the question",
      ...oneOrMany({ type: "string" }),
    },
    answer: { description: "Whether a method is shown the right answer", ...oneOrMany(ofTypes("boolean", "string")) },
  },
  required: ["of"],
  additionalProperties: false,
};

/** The front matter, whose `defaults` apply to all run cells. */
export function frontMatterSchema(suites: readonly Suite[]): Schema {
  const { fork: _, scan: __, rescue: ___, ...shared } = runCellSchema(suites).properties ?? {};
  return {
    type: "object",
    properties: {
      defaults: { type: "object", properties: shared, additionalProperties: false },
      alias: {
        description: "Names of models, agents and strategies in figures and reports",
        ...namedSchema({ type: "string", minLength: 1 }),
      },
      with: {
        description: "Files of code in the notebook's folder",
        type: "array",
        items: { type: "string" },
      },
    },
  };
}

/** `maps`: names of maps of options in any suite. */
function suiteSchema(suite: Suite, maps: readonly string[]): Schema {
  const options = [...suiteOptions(suite).values()];
  const known = [...settings.map(({ name }) => name), ...options.map(({ name }) => name), ...grouped(options)];
  const nested = grouped(options).map((group) => {
    const properties = inGroup(group, options).map((option) => [
      option.name.slice(group.length + 1),
      optionSchema(option),
    ]);
    const map: Schema = { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
    const names = { pattern: `^(?!(${properties.map(([name]) => name).join("|")})$)[^,\\n]{1,60}$` };
    return [group, groupSchema(group, options, { anyOf: [map, { ...namedSchema(map), propertyNames: names }] })];
  });
  const ofSuite = settings.filter(({ names, most }) => typeof names === "string" || typeof most === "string");
  // Other suites accept a map of options here.
  const plain = settings.filter(({ name }) => maps.includes(name) && !grouped(options).includes(name));
  return {
    properties: {
      ...Object.fromEntries(plain.map((setting) => [setting.name, settingSchema(setting)])),
      ...Object.fromEntries(ofSuite.map((setting) => [setting.name, oneManyOrNamed(valueSchema(setting, suite))])),
      data: dataSchema(suite),
      ...(suite.takesTools !== true && {
        tools: oneManyOrNamed({ enum: namesOf({ ...settingNamed("tools") }, suite) }),
      }),
      ...(suite.ofFile === undefined && { filter: filterSchema(suite) }),
      ...Object.fromEntries(options.map((option) => [option.name, optionSchema(option)])),
      ...Object.fromEntries(nested),
    },
    propertyNames: { enum: [...new Set(known)] },
  };
}

/** Prefixes of suites that read files of the session. */
const families = (suites: readonly Suite[]): string =>
  suites.flatMap(({ name, ofFile }) => (ofFile === undefined ? [] : [name])).join("|");

/**
 * Returns the schema of `data`, which accepts any name because the names of the user's own data are known only on their machine.
 */
function dataSchema(suite: Suite): Schema {
  if (suite.ofFile !== undefined) return { enum: ["own"] };
  const known = { enum: namesOf({ ...settingNamed("data") }, suite) };
  return { anyOf: [known, { type: "string", pattern: "^(?!own$)(own/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" }] };
}

const settingNamed = (name: string): Setting => settings.find((setting) => setting.name === name)!;

/** Returns the name without its group, such as `k` of `clusters.k`; a map may contain options under either name. */
const grouped = (options: readonly Option[]): readonly string[] => [
  ...new Set(options.flatMap(({ name }) => (name.includes(".") ? [name.slice(0, name.indexOf("."))] : []))),
];

const inGroup = (group: string, options: readonly Option[]): readonly Option[] =>
  options.filter(({ name }) => name.startsWith(`${group}.`));

/** Accepts a map of options, and also a plain value if a setting has the name of the group. */
function groupSchema(group: string, options: readonly Option[], map: Schema): Schema {
  const names = new Set(inGroup(group, options).map(({ name }) => name));
  const about = `a map with ${[...names].join(", ")}`;
  const setting = settings.find(({ name }) => name === group);
  if (setting === undefined) return { description: about, ...map };
  const { description, ...value } = settingSchema(setting);
  return { description: `${description}; or ${about}`, anyOf: [value, map] };
}

const described = (title: string, note?: string): Schema => ({
  description: note === undefined ? title : `${title}: ${note}`,
});

function settingSchema(setting: Setting): Schema {
  const about = described(setting.title, setting.note);
  switch (setting.kind) {
    case "facets":
      return { ...about, ...oneManyOrNamed({ type: "object", additionalProperties: facetValues }) };
    case "limits":
      return { ...about, ...oneManyOrNamed(budgetSchema) };
    case "fork":
      return {
        ...about,
        ...(setting.name === "rescue" ? rescueSchema : oneManyOrNamed({ anyOf: [forkSchema, forksSchema] })),
      };
    default: {
      const value = valueSchema(setting, undefined);
      const isOne = setting.unhashed === true || setting.pools !== undefined;
      const standard = setting.default === undefined ? {} : { default: setting.default };
      return { ...about, ...standard, ...(isOne ? value : oneManyOrNamed(value)) };
    }
  }
}

const budgetSchema: Schema = {
  type: "object",
  properties: {
    task: { description: "Limits of each task", ...limitsSchema() },
    run: { description: "Limits of the run", ...limitsSchema() },
  },
  additionalProperties: false,
};

const facetValues = oneOrMany(ofTypes("string", "number"));

function limitsSchema(): Schema {
  const entries = Object.entries(limits).map(
    ([name, description]) => [name, { description, type: "number", exclusiveMinimum: 0 }] as const,
  );
  return { type: "object", properties: Object.fromEntries(entries), additionalProperties: false };
}

function filterSchema({ facets }: Suite): Schema {
  const properties = facets.map(({ name, title }) => [name, { ...described(title), ...facetValues }] as const);
  return oneManyOrNamed({ type: "object", properties: Object.fromEntries(properties), additionalProperties: false });
}

/** Returns the schema of one value of a setting, which depends on the suite. */
function valueSchema(setting: Setting, suite: Suite | undefined): Schema {
  const { kind, least, names } = setting;
  const most = suite === undefined ? setting.most : mostOf(setting, suite);
  switch (kind) {
    case "name":
      if (setting.orOwn === true) return oneOrMany(text);
      if (Array.isArray(names)) return { enum: names };
      return suite === undefined ? text : { enum: namesOf(setting, suite) };
    case "whole":
    case "number":
      return {
        type: kind === "whole" ? "integer" : "number",
        ...(least !== undefined && { minimum: least }),
        ...(typeof most === "number" && { maximum: most }),
      };
    case "texts":
      return oneOrMany(text);
    case "fields":
      return { type: "object" };
    case "prompts":
      return { type: "object", additionalProperties: text };
    case "vary":
      return variantsSchema;
    case "model":
      if (setting.name === "judge") return { anyOf: [text, roleSchema, majoritySchema] };
      return setting.ofRole === true ? { anyOf: [text, roleSchema] } : text;
    default:
      return text;
  }
}

const text: Schema = { type: "string", minLength: 1 };

/** Numbers of variants, and a file of paraphrases. */
const variantsSchema: Schema = {
  type: "object",
  properties: {
    ...Object.fromEntries(
      ["tools", "names", "options"].map((kind) => [kind, { type: "integer", minimum: 1, maximum: mostVariants }]),
    ),
    questions: { anyOf: [text, { type: "object", additionalProperties: text }] },
  },
  additionalProperties: false,
};

/** The schema of a role's map: its model and its own settings. */
const roleSchema = mapOfRole("model", { description: "The role's model", ...text });

/** Returns the schema of several judges for a majority. */
const majoritySchema = mapOfRole("majority", {
  description: "All of these judges are asked and the majority decides; a tie gives no verdict",
  type: "array",
  items: text,
  minItems: 2,
});

function mapOfRole(key: string, models: Schema): Schema {
  const own = roleKeys
    .map(settingNamed)
    .map((setting) => [setting.name, { ...described(setting.title), ...valueSchema(setting, undefined) }] as const);
  return {
    type: "object",
    properties: { [key]: models, ...Object.fromEntries(own) },
    required: [key],
    additionalProperties: false,
  };
}

const optionSchema = ({ title, note, values, words = [], default: standard }: Option): Schema => ({
  ...described(title, note),
  default: standard,
  ...oneManyOrNamed(optionValue(values, words)),
});

function optionValue(values: Option["values"], words: readonly string[]): Schema {
  switch (values) {
    case "number":
      return words.length === 0 ? { type: "number" } : { anyOf: [{ type: "number" }, { enum: words }] };
    case "text":
      return ofTypes("string", "number");
    case "model":
      return { anyOf: [{ enum: words }, { type: "string", pattern: "^[^/\\s]+/\\S" }] };
    default: {
      // YAML may read words for on and off as booleans.
      const isSwitch = values.includes("on") && values.includes("off");
      return { enum: [...values, ...(isSwitch ? [true, false] : [])] };
    }
  }
}

const forkSchema: Schema = {
  type: "object",
  properties: {
    run: { description: "The run that is forked", type: "string", pattern: "^[0-9a-f]{16}$" },
    task: { description: "The task of that run", type: "string" },
    request: { description: "The first request to send again, counted from 0", type: "integer", minimum: 0 },
    attempt: {
      description: "Hash of the earlier requests and replies, which identifies the continued attempt",
      type: "string",
      pattern: "^[0-9a-f]{16}$",
    },
    message: {
      description:
        "Replaces the last user message of that request, or the user message at `index`: a text, or a file (.md, .txt)",
      type: "string",
    },
    result: {
      description:
        "Replaces the last tool result before that request, or result number `index` since the previous request",
      type: "string",
    },
    reply: { description: "Replaces the reply to that request; the next request is sent", type: "string" },
    index: { description: "The position of the message or result, counted from 0", type: "integer", minimum: 0 },
  },
  required: ["run", "task", "request"],
};

const placesSchema = {
  of: { description: "The run cell whose tasks are continued", type: "string" },
  tasks: {
    description: "Which scored tasks of that cell are continued; by default those with wrong answers",
    anyOf: [{ enum: ["wrong", "right", "all"] }, { type: "array", items: { type: "string" } }],
  },
  at: {
    description: "Continues from each request, or only from requests whose replies contain errors",
    enum: ["requests", "errors"],
  },
} as const;

const forksSchema: Schema = {
  type: "object",
  properties: placesSchema,
  required: ["of"],
  additionalProperties: false,
};

const rescueSchema: Schema = {
  type: "object",
  properties: {
    ...placesSchema,
    repeats: { description: "Number of continuations from each request", type: "integer", minimum: 1, maximum: 100 },
    with: {
      description:
        "The model that continues: the same model, a model that reads the answer key, or fields that replace those of the run",
      anyOf: [{ enum: ["same", "answer-key"] }, { type: "object" }],
    },
  },
  required: ["of"],
  additionalProperties: false,
};
