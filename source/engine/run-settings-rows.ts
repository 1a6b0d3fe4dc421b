/**
 * The settings of a run, one row each, in the order a run cell is written. Reading a cell, the set-up form, forks, labels,
 * the run's id, `RunSpec` and the requests to models are all derived from these rows: a new setting is a new row.
 *
 * What a suite or a strategy offers beyond them are its options (`option.ts`).
 */

/**
 * What a setting holds. `name` is one of a few names, `model` is ENDPOINT/MODEL, `texts` is one text or a list of them,
 * `fields` is a map of anything. `facets`, `limits` and `fork` are maps with readers of their own; they make no grid.
 */
export type SettingKind =
  | "name"
  | "text"
  | "model"
  | "whole"
  | "number"
  | "texts"
  | "fields"
  | "facets"
  | "limits"
  | "fork";

/** Groups of fields in the form, in this order. */
export const settingGroups = ["experiment", "sample", "reply", "predictions", "filter", "limits"] as const;

/** One value of a setting. */
export type SettingValue = string | number | readonly string[] | RequestFields;

/** Fields of a request's body by the protocol's names, as JSON. */
export type RequestFields = { readonly [field: string]: unknown };

export type Setting = {
  /** Its field in a run cell and in `RunSpec`. */
  readonly name: string;
  /** In the form. */
  readonly title: string;
  readonly kind: SettingKind;
  /** For `name`: what is allowed, or of which field of the suite the names are. */
  readonly names?: readonly string[] | "suite" | "splits" | "strategies";
  readonly least?: number;
  /** For `name`: it may also be something of the user's own, by its name: data, tool servers where a suite takes tools. */
  readonly orOwn?: true;
  /** A number, or the field of the suite that holds it. */
  readonly most?: number | "maxShots";
  /** What holds where the cell says nothing. Without one the setting is then unset: neither sent nor part of the id. */
  readonly default?: SettingValue;
  /** The default is left out of the id, so that runs saved before there was this setting keep theirs. */
  readonly quiet?: true;
  /** Only chooses among the tasks of the split: a fork, which names its task, does not take it over. */
  readonly choosesTasks?: true;
  /** The field of a chat completions request it is sent as. */
  readonly sentAs?: string;
  /** It is left out of requests to servers that refuse it, and the rows say so. */
  readonly refusable?: true;
  /** The default is not sent. What the cell sets is, the default itself included, which is then marked in the `RunSpec`. */
  readonly unsentDefault?: true;
  /** Kept beside the `RunSpec`, and hashed with it. */
  readonly besideSpec?: true;
  /** Decides how a run is executed, not what comes of it: in no `RunSpec` and in no id, and one value a cell. */
  readonly unhashed?: true;
  /** A number that stands for the values 1 to it of this other setting, whose runs are taken together; in no `RunSpec`. */
  readonly pools?: string;
  /** A model that is asked only where the strategy has this role. */
  readonly strategyRole?: true;
  /** In labels the value stands before this word, instead of behind the name. */
  readonly unit?: string;
  /** Where it stands in the form; absent: nowhere. */
  readonly group?: (typeof settingGroups)[number];
  /** The default in words, for the form; absent: the default as it is, or `none`. */
  readonly defaultTitle?: string;
  /** Values the form offers. */
  readonly choices?: readonly (string | number)[];
  /** The form takes one value only. */
  readonly single?: true;
  readonly note?: string;
};

/**
 * Settings that ids hold by their own names. The list is closed: a row with `sentAs` that is added now is hashed as the field
 * of `request` that notebooks wrote before, so that their results still count.
 */
export const hashedByName = ["temperature", "topP", "minP", "maxTokens", "stop", "seed"] as const;

/** A field of `request` that gets a row is not sent when it is unset, as before: it has no default. */
type Row = Setting &
  ({ readonly name: (typeof hashedByName)[number] } | { readonly sentAs?: never } | { readonly default?: never });

export const runSettings = [
  { name: "suite", title: "Benchmark", kind: "name", names: "suite", group: "experiment", single: true },
  {
    name: "from",
    title: "Questions",
    kind: "text",
    unhashed: true,
    group: "experiment",
    single: true,
    note: "a file in the folder of the session: CSV, JSON or JSON Lines with question and answer",
  },
  { name: "split", title: "Split", kind: "name", names: "splits", group: "experiment" },
  {
    name: "data",
    title: "Data",
    kind: "name",
    names: ["sample", "published", "own"],
    orOwn: true,
    group: "experiment",
    single: true,
  },
  { name: "strategy", title: "Strategy", kind: "name", names: "strategies", group: "experiment" },
  {
    name: "shots",
    title: "Demonstrations",
    kind: "whole",
    least: 0,
    most: "maxShots",
    default: 0,
    unit: "shots",
    group: "experiment",
  },
  { name: "model", title: "Model", kind: "model", default: "none", group: "experiment" },
  { name: "actor", title: "Actor", kind: "model", strategyRole: true, group: "experiment" },
  { name: "responder", title: "Responder", kind: "model", strategyRole: true, group: "experiment" },
  {
    name: "judge",
    title: "Judge",
    kind: "model",
    group: "experiment",
    note: "asked where a benchmark scores with a model",
  },
  {
    name: "predictions",
    title: "Predictions file",
    kind: "text",
    besideSpec: true,
    group: "predictions",
    note: "scored instead of asking the model; relative to the session folder",
  },
  {
    name: "temperature",
    title: "Temperature",
    kind: "number",
    least: 0,
    most: 2,
    default: 0,
    sentAs: "temperature",
    refusable: true,
    group: "reply",
    choices: [0, 0.2, 0.7, 1],
  },
  {
    name: "topP",
    title: "Top p",
    kind: "number",
    least: 0,
    most: 1,
    sentAs: "top_p",
    refusable: true,
    group: "reply",
    defaultTitle: "server default",
    choices: [0.1, 0.5, 0.9, 0.95, 1],
  },
  {
    name: "minP",
    title: "Min p",
    kind: "number",
    least: 0,
    most: 1,
    sentAs: "min_p",
    refusable: true,
    group: "reply",
    defaultTitle: "server default",
    choices: [0.02, 0.05, 0.1],
    note: "known to vLLM, llama.cpp and SGLang; not to every server",
  },
  {
    name: "maxTokens",
    title: "Max tokens per reply",
    kind: "whole",
    least: 1,
    sentAs: "max_tokens",
    refusable: true,
    group: "reply",
    defaultTitle: "server default",
    choices: [256, 512, 1024, 2048, 4096],
  },
  {
    name: "stop",
    title: "Stop strings",
    kind: "texts",
    default: [],
    quiet: true,
    sentAs: "stop",
    refusable: true,
    group: "reply",
    choices: ["\n", "\n\n"],
    note: 'added to the strategy\'s own; several as ["A","B"], newline as "\\n"',
  },
  {
    name: "request",
    title: "Other request fields",
    kind: "fields",
    default: {},
    quiet: true,
    group: "reply",
    choices: ['{"reasoning_effort":"low"}', '{"chat_template_kwargs":{"enable_thinking":false}}', '{"top_k":20}'],
    note: "of the request's body, as the server calls them: JSON",
  },
  {
    name: "reasoning",
    title: "Thinking handed back",
    kind: "name",
    names: ["auto", "keep", "drop"],
    default: "auto",
    quiet: true,
    group: "reply",
    note: "auto: with messages that called tools, where the server takes it; keep: with every message",
  },
  {
    name: "tools",
    title: "Tools",
    kind: "name",
    names: ["native", "text", "auto"],
    orOwn: true,
    default: "native",
    quiet: true,
    group: "reply",
    note: "text: described in the prompt, calls read from the reply; auto: so where the server has none",
  },
  {
    name: "cache",
    title: "Reply cache",
    kind: "name",
    names: ["off", "on"],
    default: "off",
    unhashed: true,
    group: "reply",
    single: true,
    note: "on: replies are kept on disk, and taken from there where a task asks the same again",
  },
  {
    name: "limit",
    title: "Number of tasks",
    kind: "whole",
    least: 0,
    default: 0,
    choosesTasks: true,
    group: "sample",
    defaultTitle: "all",
    choices: [10, 20, 50, 100, 200],
    single: true,
    note: "a seeded sample, stratified by the benchmark's main facet; 0: all tasks",
  },
  {
    name: "seed",
    title: "Seed",
    kind: "whole",
    default: 0,
    unsentDefault: true,
    sentAs: "seed",
    refusable: true,
    group: "sample",
    defaultTitle: "not sent; samples are drawn with 0",
    choices: [0, 1, 2, 3],
  },
  {
    name: "repeats",
    title: "Repeats",
    kind: "whole",
    least: 1,
    most: 100,
    default: 1,
    pools: "trial",
    group: "sample",
    choices: [1, 3, 5, 10],
    single: true,
    note: "trials 1 to this number, taken together; those already run count",
  },
  { name: "trial", title: "Trial", kind: "whole", least: 1, default: 1, group: "sample", choices: [1, 2, 3, 4, 5] },
  { name: "filter", title: "Filter", kind: "facets", choosesTasks: true, group: "filter" },
  { name: "budget", title: "Limits", kind: "limits", group: "limits" },
  { name: "fork", title: "Fork", kind: "fork" },
] as const satisfies readonly Row[];
