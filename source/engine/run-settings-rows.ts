/**
 * The settings of a run, one row each, in the order in which a run cell is written. Reading a cell, the set-up form, forks,
 * labels, the run's id, `RunSpec` and the requests to models are derived from these rows: a new setting is a new row.
 *
 * Suites and strategies offer further settings as options (`option.ts`).
 */

/**
 * The type of a setting's value. `name` is one of a few names, `model` is ENDPOINT/MODEL, `texts` is one text or a list of
 * them, `fields` is a map of anything, `prompts` a map of texts or files, `vary` a map of variants. `facets`, `limits` and `fork` are maps with their own readers; they make no grid.
 */
export type SettingKind =
  | "name"
  | "text"
  | "model"
  | "whole"
  | "number"
  | "texts"
  | "fields"
  | "prompts"
  | "vary"
  | "facets"
  | "limits"
  | "fork";

/** Groups of fields in the form, in this order. */
export const settingGroups = ["experiment", "sample", "reply", "predictions", "filter", "limits"] as const;

/**
 * The type of a setting's value. `name` is one of a few names, `model` is ENDPOINT/MODEL, `texts` is one text or a list of texts,
 * `fields` is a map of any values, `prompts` a map of texts or files, `vary` a map of variants. `facets`, `limits` and `fork` are
 * maps with their own readers; they make no grid.
 */
export type SettingValue = string | number | readonly string[] | RequestFields;

/** Fields of a request's body by the protocol's names, as JSON. */
export type RequestFields = { readonly [field: string]: unknown };

export type Setting = {
  /** The field in a run cell and in `RunSpec`. */
  readonly name: string;
  /** Title in the form. */
  readonly title: string;
  readonly kind: SettingKind;
  /** For the kind `name`: the allowed names, or the suite's field that lists them. */
  readonly names?: readonly string[] | "suite" | "splits" | "strategies";
  readonly least?: number;
  /** For `name`: it may also name data or tool servers of the user's. */
  readonly orOwn?: true;
  /** The maximum value, or the suite's field that contains the maximum. */
  readonly most?: number | "maxShots";
  /** The value if the cell sets none. Without a default, an unset setting is neither sent nor part of the id. */
  readonly default?: SettingValue;
  /** True if ids omit the default, so that runs saved before this setting existed keep their ids. */
  readonly quiet?: true;
  /** True if the setting only chooses among the tasks of the split. A fork names its task, so it does not inherit the setting. */
  readonly choosesTasks?: true;
  /** The field of a chat completions request in which the setting is sent. */
  readonly sentAs?: string;
  /** True if requests to servers that refuse the setting omit it; the rows then note this. */
  readonly refusable?: true;
  /** True if the default is sent only if the cell sets it; the `RunSpec` marks this case. */
  readonly unsentDefault?: true;
  /** True if the value is stored next to the `RunSpec` and hashed with it. */
  readonly besideSpec?: true;
  /**
   * True if the setting affects how a run is executed but not its results. It is in no `RunSpec` and no id, and has the same
   * value for a whole cell.
   */
  readonly unhashed?: true;
  /** A number n that expands to the values 1 to n of this other setting, whose runs are pooled; in no `RunSpec`. */
  readonly pools?: string;
  /** A model that receives requests only if the strategy has this role. */
  readonly strategyRole?: true;
  /** For the kind `model`: the value may also be a map of the model and its own settings (`settings/role-settings.ts`). */
  readonly ofRole?: true;
  /** In labels the value precedes this word, instead of following the name. */
  readonly unit?: string;
  /** The group of the setting in the form; if absent, the form omits the setting. */
  readonly group?: (typeof settingGroups)[number];
  /** The default in words, for the form. If absent, the default itself, or `none`. */
  readonly defaultTitle?: string;
  /** Values the form offers. */
  readonly choices?: readonly (string | number)[];
  /** True if the form accepts one value only. */
  readonly single?: true;
  readonly note?: string;
};

/**
 * Settings that ids contain under their own names. The list is complete: a later row with `sentAs` is hashed as the field of
 * `request` that notebooks used before, so that their results still count.
 */
export const hashedByName = ["temperature", "topP", "minP", "maxTokens", "stop", "seed"] as const;

/** A row of the table. A former field of `request` has no default in its row, so that it is still not sent if unset. */
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
  {
    name: "process",
    title: "Process",
    kind: "text",
    unhashed: true,
    group: "experiment",
    single: true,
    note: "your own program, which provides the tasks: `planwright processes add NAME -- COMMAND`",
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
  { name: "actor", title: "Actor", kind: "model", ofRole: true, strategyRole: true, group: "experiment" },
  { name: "responder", title: "Responder", kind: "model", ofRole: true, strategyRole: true, group: "experiment" },
  {
    name: "user",
    title: "User",
    kind: "model",
    ofRole: true,
    strategyRole: true,
    group: "experiment",
    defaultTitle: "the model itself",
    note: "plays the person that the model talks to",
  },
  {
    name: "judge",
    title: "Judge",
    kind: "model",
    ofRole: true,
    group: "experiment",
    note: "used by benchmarks that score with a model; uses its own sampling settings, never the run's; {majority: [a, b, c]} asks all of these models",
  },
  {
    name: "prompts",
    title: "Prompts",
    kind: "prompts",
    default: {},
    quiet: true,
    group: "experiment",
    defaultTitle: "the benchmark's",
    note: "prompts that replace the benchmark's, by stage, as texts or files of the notebook, such as `{plan: careful.md}`",
  },
  {
    name: "vary",
    title: "Variants",
    kind: "vary",
    default: {},
    quiet: true,
    group: "experiment",
    single: true,
    defaultTitle: "nothing",
    choices: ['{"tools":5}', '{"names":5}', '{"options":5}', '{"questions":"paraphrases.csv"}'],
    note: "parts of requests that should not matter, one run per variant: order of tools, names of tools, order of answer options, your own paraphrases",
  },
  {
    name: "predictions",
    title: "Predictions file",
    kind: "text",
    besideSpec: true,
    group: "predictions",
    note: "a file of answers to score instead of asking the model; its path is relative to the session folder",
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
    note: "supported by vLLM, llama.cpp and SGLang, not by every server",
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
    note: 'added to the stop strings of the strategy; several as ["A","B"], newline as "\\n"',
  },
  {
    name: "request",
    title: "Other request fields",
    kind: "fields",
    default: {},
    quiet: true,
    group: "reply",
    choices: ['{"reasoning_effort":"low"}', '{"chat_template_kwargs":{"enable_thinking":false}}', '{"top_k":20}'],
    note: "JSON with more fields of the request's body, named as the server expects",
  },
  {
    name: "reasoning",
    title: "Thinking sent back",
    kind: "name",
    names: ["auto", "keep", "drop"],
    default: "auto",
    quiet: true,
    group: "reply",
    note: "auto: with messages that called tools, if the server accepts it; keep: with every message",
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
    note: "text: the prompt describes the tools, and calls are read from the reply; auto: text if the server does not support tools",
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
    note: "on: replies are cached on disk and reused when a task repeats a request",
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
    defaultTitle: "not sent; samples are drawn with seed 0",
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
    note: "trials 1 to this number, pooled; finished ones are reused",
  },
  { name: "trial", title: "Trial", kind: "whole", least: 1, default: 1, group: "sample", choices: [1, 2, 3, 4, 5] },
  {
    name: "samples",
    title: "Samples",
    kind: "whole",
    least: 1,
    most: 100,
    group: "sample",
    defaultTitle: "one answer per task",
    choices: [1, 2, 4, 8, 16],
    note: "answers to each task; one is picked and scored; sample i is the answer of trial i",
  },
  {
    name: "pick",
    title: "Picked by",
    kind: "name",
    names: ["majority", "judge", "oracle"],
    default: "majority",
    quiet: true,
    group: "sample",
    note: "majority: the most frequent answer, the first one in a tie; judge: the judge names one; oracle: the best score, which reads the answer key",
  },
  { name: "filter", title: "Filter", kind: "facets", choosesTasks: true, group: "filter" },
  { name: "budget", title: "Limits", kind: "limits", group: "limits" },
  {
    name: "until",
    title: "Ask until",
    kind: "name",
    names: ["all", "decided"],
    default: "all",
    unhashed: true,
    group: "limits",
    single: true,
    defaultTitle: "all tasks are asked",
    note: "decided: executes two runs task by task until a sequential test decides which is better",
  },
  { name: "fork", title: "Fork", kind: "fork" },
  { name: "rescue", title: "Rescue", kind: "fork" },
] as const satisfies readonly Row[];
