/** `node build/reference.ts`: writes the reference and the manual page from the tables of the program. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { analyses } from "../analyses/index.ts";
import { foldedText } from "../source/commands/shell/folded-text.ts";
import { commands } from "../source/commands/index.ts";
import { screenFlagTexts } from "../source/commands/session/screen-flags.ts";
import type { Option } from "../source/engine/option.ts";
import { roleKeys } from "../source/engine/run-settings.ts";
import { judgeSampling } from "../source/engine/settings/role-settings.ts";
import { runSettings, type Setting } from "../source/engine/run-settings-rows.ts";
import { overrideSchemas } from "../source/engine/log/corrections/overrides.ts";
import { settingsSchema } from "../source/engine/settings/settings-check.ts";
import type { Suite } from "../source/engine/suite.ts";
import type { Event, FailureKind } from "../source/engine/types.ts";
import { suites } from "../suites/index.ts";

/** Why a task has no score, or was cut. */
const failures: Readonly<Record<FailureKind, string>> = {
  model: "the endpoint refused, failed or stopped answering after all retries",
  tool: "a tool server, a file or the disk failed",
  parse: "the reply to a stage could not be read, so the next request could not be made",
  judge: "the judge failed, or gave no readable verdict",
  timeout: "a limit of time was reached",
  budget: "a limit of the cell (`budget`) was reached; the task is scored on what it has",
  context: "the next prompt is longer than the model's context; the task is scored on what it has",
  stopped: "stopped by a person; the next run continues",
  bug: "a mistake in Planwright: please report it",
};

/** The pages of the reference, by the name of their file. */
export function reference(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(pages).map(([name, { title, about, parts }]) => [
      name,
      `${[`# ${title}`, "<!-- Written by `node build/reference.ts` from the tables of the program. -->", about, ...parts()].join("\n\n")}\n`,
    ]),
  );
}

const pages: Readonly<Record<string, { title: string; about: string; parts(): readonly string[] }>> = {
  reference: {
    title: "Reference",
    about:
      "Everything a notebook, the settings and a command line may hold. [The first hour](first-hour.md) is the introduction,\nthe [glossary](glossary.md) defines the words, and `planwright schema` prints it for editors.",
    parts: () => [
      table(
        ["page", "what it lists"],
        Object.entries(pages)
          .filter(([name]) => name !== "reference")
          .map(([name, { title, about }]) => [`[${title}](${name}.md)`, about.split(/(?<=[.:])\s/)[0]!]),
      ),
    ],
  },
  "run-cells": {
    title: "Fields of a run cell",
    about:
      "Every field, with its values and default. A list of values makes a grid: one run for each combination. The values of `suite`, `split` and `strategy` are listed by [benchmark](benchmarks.md).",
    parts: () => [
      table(["field", "what", "values", "default"], (runSettings as readonly Setting[]).map(settingRow)),
      "## Settings of a role",
      `A role may have settings of its own: \`judge: {model: ENDPOINT/MODEL, maxTokens: 1024}\`, likewise \`actor\`, \`responder\` and \`user\`, with the keys ${["model", ...roleKeys].map(code).join(", ")}. A list of names and maps makes a grid. Keys that the map leaves out, or all of them if the cell names only the model, have these values:`,
      table(
        ["role", "keys that the cell leaves out"],
        [
          ["`actor`, `responder`, `user`", "as in the run"],
          [
            "`judge`",
            `\`temperature\` 0, in ToolBench (ToolEval) 0.2; \`maxTokens\` ${judgeSampling({}).maxTokens}; no \`topP\`, \`stop\`, \`seed\` and \`request\`. Nothing is taken from the run`,
          ],
        ],
      ),
      "Several judges have one map: `judge: {majority: [lab/a, lab/b, lab/c], temperature: 0.5}`. An unreadable verdict is requested once more. Runs of older versions continue as they began: their judge uses the run's sampling settings.",
      "## Front matter",
      "The front matter of a notebook (YAML between `---` lines) holds `defaults` for all run cells: any of these fields but `fork`. `with: [FILE]` loads code from the notebook's folder once the user allows it. `alias: {NAME: MODEL}` names models, agents and strategies in figures and reports.",
    ],
  },
  analyses: {
    title: "Analyses",
    about:
      "The fields of an analysis cell, and every analysis with its choices. Choices in italics depend on the runs.",
    parts: () => [
      "## Fields of an analysis cell",
      table(["field", "what"], cellFields),
      "## All analyses",
      table(
        ["`pane`", "question", "choices"],
        analyses.map((each) => [code(each.name), each.question, choicesText(each)]),
      ),
    ],
  },
  benchmarks: {
    title: "Benchmarks",
    about: "The splits, strategies, options, facets and measures of every benchmark.",
    parts: () => suites.map(suiteSection),
  },
  commands: {
    title: "Commands",
    about: "Every command as `planwright COMMAND --help` prints it.",
    parts: () => [
      `\`planwright [SESSION]\` opens a notebook. ${Object.entries(screenFlagTexts)
        .map(([name, about]) => `\`--${name}\`: ${about}`)
        .join("; ")}.`,
      "Every command takes `--with FILE` (repeatable): a file of TypeScript or JavaScript with suites, strategies and analyses of one's own.",
      "Status 0: done; 1: something failed, or what was required does not hold; 2: the command or its data could not be understood; 130: interrupted.",
      ...commands.map(
        ({ name, summary, usage }) => `## ${name}\n\n${capital(summary)}.\n\n\`\`\`text\n${usage.trim()}\n\`\`\``,
      ),
    ],
  },
  settings: {
    title: "Settings of the user",
    about:
      "The file is `settings.json` in the folder `PLANWRIGHT_CONFIG_DIR`, else in the user's folder for settings. It never holds API keys or the user and password of a Redis, only the names of the environment variables that hold them. Commands write it, and you may edit it by hand.",
    parts: () => [table(["field", "what", "values", "default"], fieldRows(settingsSchema()))],
  },
  files: {
    title: "Files",
    about: "The files of a notebook and of the user, and why a task failed.",
    parts: () => [
      table(["file", "what it is", "described in"], files),
      "## Lines of `events.jsonl`",
      "Every line has `type`, `seq` and `at`; lines of a task also have `task`, lines of a request `request`. [Log](log.md) describes how prompts are written.",
      table(
        ["`type`", "what happened"],
        Object.entries(events).map(([type, meaning]) => [code(type), meaning]),
      ),
      "## Why a task failed",
      table(
        ["kind", "meaning"],
        Object.entries(failures).map(([kind, meaning]) => [code(kind), meaning]),
      ),
      "## `overrides.json`",
      "A list. Each entry corrects an error or a score; scoring again (`planwright run SESSION --rescore`) reads it, and the trajectory screen (`c`) writes it.",
      ...overrideSchemas().map((schema) =>
        table(
          ["field", "what", "values"],
          fieldRows(schema as Field).map((row) => row.slice(0, 3)),
        ),
      ),
    ],
  },
};

const cellFields = [
  [code("pane"), "which analysis; `analysis` means the same"],
  [code("of"), "names of run cells, one or a list; by default all cells above"],
  [code("only"), "values that settings of the runs must have: `{model: lab/llama}`"],
  [code("claim"), "a paper's statement, one or a list: `prompting=flat > prompting=hierarchical on success by 5`"],
  ["others", "choices of the analysis, as below"],
];

/** Lines of a log by their `type`. */
const events: Readonly<Record<Event["type"] | "content", string>> = {
  "run-started":
    "the run started or continued: its settings (`spec`), the number of tasks, and warnings about its results",
  content: "a message that prompts of this task refer to, by its name",
  started: "a task began: question and facets; `worker` names the worker that executes it",
  prompt: "a request: its `role`, `model`, `stage`, messages and tools",
  text: "a piece of the reply",
  thinking: "a piece of the reply's thinking",
  call: "a tool call of the reply",
  usage: "tokens and cost of the request",
  retry: "an attempt at the request failed: `status`, `error`, and the waiting time",
  finish: "the reply ended: the reason",
  result: "the result of a tool",
  node: "a node of the plan, tree or graph, new or changed",
  note: "anything else that is counted, by its `kind`: `replan`, `reflection` ...",
  answer: "the answer that is scored",
  scored: "its score; a task that is scored again has several, of which the last counts",
  failed:
    "the task failed: kind and message; `refused` if a message about the attempt could not be read, so that the task is executed again",
  "run-ended": "the run is done, was stopped or failed",
  "shipment-refused":
    "a message in Redis that is not from a worker: the expected and the received content, and the worker it named (`of`); at most 100 per run",
};

const files = [
  [
    code("SESSION/session.md"),
    "the notebook: Markdown with `run`, `analysis` and `kinds` fences",
    "[notebooks](notebooks.md)",
  ],
  [code("SESSION/runs/ID/"), "the log of a run, with its index and rows", "[log](log.md)"],
  [code("SESSION/runs/ID/overrides.json"), "corrections of errors and scores", "below"],
  [code("SESSION/codes/PERSON.jsonl"), "codes of a person or a model", "[labelling](labelling.md)"],
  [
    code("SESSION/runs/ID/kept.json"),
    "accepted results of older code, with the person and the reason",
    "`planwright run`",
  ],
  [code("SESSION/exports/"), "figures, rows, messages, logs for other tools", "[exports](exports.md)"],
  [code("SESSION/predictions/"), "answers and recordings made elsewhere", "[exports](exports.md)"],
  ["questions (`from:`)", "CSV, JSON or JSON Lines", "[own questions](../suites/own/README.md)"],
  [code("settings.json"), "the settings of the user", "[settings](settings.md)"],
  [
    code("SESSION/session.md.draft, .typed.draft"),
    "unsaved changes of an open screen, or those that a killed program left",
    "this page",
  ],
  [code("SESSION/session.lock"), "the program that has the session open", "this page"],
  [
    code("data-identities.json, clustering/, replies/, started/"),
    "next to the settings: hashes of data, cached vectors and replies, started programs; may be removed",
    "this page",
  ],
  [code("recent.json"), "next to the settings: recently opened notebooks, for Ctrl+O", "this page"],
];

function settingRow({
  name,
  title,
  kind,
  names,
  least,
  most,
  choices,
  default: standard,
  defaultTitle,
  note,
  ofRole,
}: Setting): string[] {
  const range = [
    least === undefined ? [] : [`from ${least}`],
    most === undefined ? [] : [`to ${most === "maxShots" ? "what the benchmark has" : most}`],
  ]
    .flat()
    .join(" ");
  const examples =
    choices === undefined
      ? ""
      : `such as ${choices.map((each) => code(String(each).replaceAll("\n", "\\n"))).join(", ")}`;
  const words: Readonly<Record<Setting["kind"], string>> = {
    name: Array.isArray(names) ? names.map((each: string) => code(each)).join(", ") : "see below",
    text: "text",
    model: ofRole === true ? "`ENDPOINT/MODEL`, or a map (see below)" : "`ENDPOINT/MODEL`",
    whole: ["a whole number", range].join(" ").trim(),
    number: ["a number", range].join(" ").trim(),
    texts: "a text, or a list of texts",
    fields: "a map",
    prompts: "a map of prompts and their texts or files (`planwright prompts SUITE` lists them)",
    vary: "a map of `tools`, `names`, `options` and their numbers of variants, and `questions`: see [prompts](prompts.md#variants)",
    facets: "a map of facets and their values",
    limits: "`task` and `run`, each with `steps`, `tokens`, `seconds`, `cost`",
    fork: "`run`, `task` and `request` of a saved trajectory; `attempt` is the hash of the earlier requests and replies; `message`, `result` or `reply` replaces one of its texts: see [forks](forks.md)",
  };
  const rescued: Readonly<Record<string, string>> = {
    rescue: "`of`, `tasks`, `at`, `repeats` and `with`: see [forks](forks.md#rescue)",
  };
  const about = note === undefined ? title : `${title}: ${note}`;
  return [
    code(name),
    about,
    [rescued[name] ?? words[kind], examples].filter((part) => part !== "").join("; "),
    defaultTitle ?? plain(standard),
  ];
}

function suiteSection(suite: Suite): string {
  const strategies = suite.strategies.map(({ name }) => code(name)).join(", ");
  const options = [suite, ...suite.strategies].flatMap((each) => each.options ?? []);
  const distinct = [...new Map(options.map((option) => [option.name, option])).values()];
  const facets =
    suite.ofFile === undefined
      ? suite.facets.map(({ name }) => code(name)).join(", ")
      : "every other column of the file";
  return [
    `## ${suite.title}`,
    `\`suite: ${suite.name}\`, [about it](../suites/${suite.ofFile === undefined ? suite.name : "own"}/README.md). Splits: ${suite.splits.map(({ name }) => code(name)).join(", ")}. Strategies: ${strategies}. Facets: ${facets}. Most demonstrations (\`shots\`): ${suite.maxShots}. Analyses: ${suite.analyses.map(code).join(", ")}.`,
    table(["option", "what", "values", "default"], distinct.map(optionRow)),
    table(
      ["measure", "what", "unit"],
      suite.measures.map(({ name, title, unit, note }) => [
        code(name),
        note === undefined ? title : `${title}. ${note}`,
        unit,
      ]),
    ),
    table(
      ["error kind", "what"],
      suite.errorKinds.map(({ name, title, note }) => [code(name), note === undefined ? title : `${title}: ${note}`]),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function optionRow({ name, title, note, values, words = [], default: standard }: Option): string[] {
  const listed = Array.isArray(values)
    ? values.map((each) => code(String(each)))
    : [String(values), ...words.map((each) => code(each))];
  return [code(name), note === undefined ? title : `${title}: ${note}`, listed.join(", "), plain(standard)];
}

function choicesText(analysis: (typeof analyses)[number]): string {
  const one = Object.entries(analysis.choices([])).map(([name, values]) =>
    values.length > 1 ? `\`${name}\`: ${values.map((each) => code(each)).join(", ")}` : `*${name}*`,
  );
  const several = Object.keys(analysis.lists?.([]) ?? {}).map((name) => `*${name}* (several)`);
  return [...one, ...several].join("; ");
}

type Field = {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly additionalProperties?: Field | boolean;
};

/** A line for each field, those within it behind it: of a list as `endpoints[].name`, by any name as `prices.NAME.input`. */
function fieldRows({ properties = {} }: Field, within = ""): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = `${within}${name}`;
    const [inner, at] = innerField(field, own);
    const value = inner.properties === undefined ? (field.default ?? undefined) : undefined;
    const row = [code(own), field.description ?? "", valuesText(field), plain(isEmpty(value) ? undefined : value)];
    return [row, ...fieldRows(inner, `${at}.`)];
  });
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Returns the element of a list or map, else the field itself, and its notation. */
function innerField(field: Field, at: string): readonly [Field, string] {
  if (field.items !== undefined) return innerField(field.items, `${at}[]`);
  const { additionalProperties: named } = field;
  return typeof named === "object" ? innerField(named, `${at}.NAME`) : [field, at];
}

function valuesText({
  type = "",
  enum: words,
  const: only,
  items,
  additionalProperties: named,
  ...limits
}: Field): string {
  if (words !== undefined) return words.map(code).join(", ");
  if (only !== undefined) return plain(only);
  if (items !== undefined) return `list of: ${valuesText(items)}`;
  if (typeof named === "object") return `by name: ${valuesText(named)}`;
  const { minimum, maximum, exclusiveMinimum } = limits;
  const least =
    minimum === undefined ? (exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`) : ` from ${minimum}`;
  const most = maximum === undefined || maximum > 1e9 ? "" : ` to ${maximum}`;
  return `${type}${least}${most}`;
}

/** Columns of a terminal of 80 that `man` leaves to text which it does not set itself. */
const besideMargin = 72;

/** The manual page, in the language of `man` (man(7)). */
export function manual(): string {
  return `${[
    '.TH PLANWRIGHT 1 "" Planwright "User Commands"',
    ".SH NAME\nplanwright \\- a notebook for the terminal to study how language models plan and use tools",
    ".SH SYNOPSIS\n.B planwright\n[\\fISESSION\\fR] [\\fIFLAG\\fR ...]\n.br\n.B planwright\n\\fICOMMAND\\fR ...",
    `.SH DESCRIPTION\n${roff("Opens a notebook: sessions/welcome by default. Without a terminal, its runs are executed and its figures printed. A key pressed on the screen (?) lists all keys.")}`,
    ...Object.entries(screenFlagTexts).map(([name, about]) => `.TP\n\\fB${roff(`--${name}`)}\\fR\n${roff(about)}`),
    `.TP\n\\fB${roff("--with FILE")}\\fR\nBefore or behind any command: a file with suites, strategies and analyses of one's own. May be given several times.`,
    `.SH COMMANDS\n${commands.map(({ name, summary, usage }) => `.SS ${name}\n${roff(`${capital(summary)}.`)}\n.PP\n.nf\n${roff(foldedText(usage.trim(), besideMargin))}\n.fi`).join("\n")}`,
    `.SH EXIT STATUS\n${["0", "done", "1", "something failed, or what was required does not hold", "2", "the command or its data could not be understood", "130", "interrupted"].map((word, index) => (index % 2 === 0 ? `.TP\n${word}` : word)).join("\n")}`,
    ".SH ENVIRONMENT\n.TP\nPLANWRIGHT_CONFIG_DIR\nThe folder of the settings.\n.TP\nNO_COLOR\nDisables colours if it is set.\n.TP\nPLANWRIGHT_REDIS_PASSWORD, PLANWRIGHT_REDIS_USER\nThe password, and the user, of the Redis used by workers.\n.TP\nVISUAL, EDITOR\nThe editor a cell is opened in.",
    `.SH SEE ALSO\n${roff("`planwright help` lists the texts of the documentation, and prints them.")}`,
  ].join("\n")}\n`;
}

/** Text for man(7): no line may begin as a request does, and a dash is a dash. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .split("\n")
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
    .join("\n");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function plain(value: unknown): string {
  if (value === undefined || value === "") return "";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const generated = [
  ...[...reference()].map(([name, text]) => ({ path: `documentation/${name}.md`, text: () => text })),
  { path: "documentation/planwright.1", text: manual },
];

if (import.meta.main)
  for (const { path, text } of generated) writeFileSync(join(import.meta.dirname, "..", path), text());
