/**
 * The size of the house: `npm run house` prints each number of the sources beside its bound and ends with status 1 if one is
 * over it. CONTRIBUTING explains the bounds.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "rolldown/utils";
import { wordCounts } from "./prose/comment-words.ts";
import { titleCounts } from "./prose/title-words.ts";

const sources = ["source", "suites", "analyses"];
/** Lines of code when the bounds were set, less the 1,500 that are to go. */
const linesOfCode = 81_715 - 1_500;
/**
 * The bound of lines is for the features of then, so files that hold nothing but a later one are not counted in it: the third
 * protocol, judges checked against people and tests at every look, PlanBench, tau2 with its conversations, the diagnosis of replies (the
 * cause of each task, answers taken out of their wrapping, and what a suite reads as its form), all runs of a folder, bundles of a notebook,
 * the codebook, answers side by side, choices of tasks in one run, floors, runs asked until they are decided, judges and scans of
 * trajectories, forks of many tasks, processes, prompts as material, values with names, rows on disk, panes with one status line,
 * figures and experiments as screens show them, tokens over time, pictures in a terminal, and
 * logs of other programs, none of which the program had. Files that only moved, such as templates and signs, are counted.
 */
export const later = new RegExp(
  [
    "^source/(engine/models/protocols/messages|commands/statistics)/|^suites/(planbench|tau2)/",
    "^source/engine/statistics/(agreement|corrected-rate|sequential-test|confidence-sequence)\\.ts$",
    "^source/engine/(log/rows/(cause|cause-beside|cause-text|frames|unwrapped|repetition)|text/peelings|toolkits/acting-form)\\.ts$",
    "^source/engine/(run/unwrapped-score|measures/unwrapped)\\.ts$|^suites/[a-z]+/score/form\\.ts$",
    "^suites/own/score/read-reply\\.ts$",
    "^source/(commands|engine/workbench)/library/|^source/engine/workbench/bundle/|^source/commands/exchange/bundle\\.ts$",
    "^source/engine/(strategies/conversation|log/rows/fault)\\.ts$",
    "^source/engine/session/codes/|^source/engine/measures/code-facets\\.ts$|^source/engine/files/append-lines\\.ts$",
    "^source/terminal/codes/|^analyses/(agreement|own-kinds)\\.ts$|^source/engine/workbench/report/codes-html\\.ts$",
    "^source/engine/(log/run-view|run/shared-tasks|session/run-identity|workbench/runs/run-home)\\.ts$",
    "^source/engine/(figures/floor-text|measures/(floor|unfinished)|run/(floor-scores|interleaved-tasks))\\.ts$",
    "^source/engine/workbench/(document/claim-log|figures/kept-floors|runs/until-decided)\\.ts$|^suites/[a-z]+/ask/floors\\.ts$",
    "^source/engine/(session/(judging/|scan-cell|forked-cell|varied-cell|fields/vary-value)|settings/varied|workbench/scanning/|run/(judges|fork-point|task-hold)\\.ts$)",
    "^analyses/(judge-agreement|judged-rates|attribution|attribution-against-rescue|published-attributions|rescue|wordings|prompt-differences)\\.ts$",
    "^source/engine/statistics/(spearman|cluster-bootstrap|attribution-floor|variance-split)\\.ts$",
    "^source/engine/workbench/recordings/(who-and-when|claude-code|otel)-recording\\.ts$|/recordings/(span-attributes|recorded-agents)",
    "^source/commands/exchange/(import-annotated|imported-lines)\\.ts$|^source/commands/(data/prompts|shell/page-search)\\.ts$",
    "^source/engine/workbench/runs/(fork-share|fork-points|changed-fork)\\.ts$|^source/engine/session/alike-replies\\.ts$|^source/terminal/trajectory/fork-place\\.ts$",
    "^suites/process/|^source/engine/run/agents/(served-process|processes|agent-events|model-door|task-list)\\.ts$",
    "^source/engine/strategies/process\\.ts$|^source/commands/programs/processes\\.ts$",
    "^source/engine/(settings/(prompt-template|label)|session/fields/(prompt-value|named-values|aliases|joint-values|text-file))\\.ts$",
    "^source/engine/log/rows/(stored-rows|equal-parts|spoilt-request)\\.ts$|^source/engine/work/lean-heap\\.ts$|^suites/own/data/(question-lines|question-index|question-file-worker|remembered-file|record-ids|csv-places|json-places|answer-options)\\.ts$|^suites/appbench/ask/ordered-catalogue\\.ts$",
    "^source/terminal/frame/(pane-frame|status-line|run-facts)\\.tsx?$",
    "^source/extension/(notebook-code|stand-ins)\\.ts$|^source/commands/session/notebook-code\\.ts$",
    "^analyses/(divergence|sql)\\.ts$|^source/terminal/compare/call-blocks\\.ts$|^source/engine/measures/aligned-calls\\.ts$",
    "^source/engine/figures/drawing/(screen-bar|screen-text|brief-names)\\.ts$|^source/terminal/notebook/setting-lines\\.ts$",
    "^source/terminal/form/(experiment-sentence|field-help|form-groups)\\.ts$",
    "^analyses/tokens-over-time\\.ts$|^source/terminal/(figures/figure-picture|painting/picture)\\.ts$",
    "^analyses/answers\\.ts$|^source/engine/workbench/runs/answer-texts\\.ts$|^source/terminal/frame/any-run\\.ts$|^source/engine/workbench/library/run-names\\.ts$",
  ].join("|"),
);
/**
 * Lines that commits of later features added to older files, which are counted. At 4a3b66d0, before these, 80,022 lines were
 * within the bound. `node build/house-growth.ts 4a3b66d0` prints the net lines of each area of commits since then; these are its rows.
 * A feature that needs lines in older files adds them here, a change of existing code does not.
 */
const grown: Readonly<Record<string, number>> = {
  prompts: 1291,
  figures: 1245,
  fork: 695,
  live: 662,
  look: 660,
  export: 523,
  log: 382,
  cells: 382,
  notebook: 330,
  analyses: 330,
  import: 303,
  compare: 291,
  engine: 275,
  trajectory: 269,
  variants: 262,
  own: 235,
  session: 214,
  runs: 187,
  replies: 163,
  terminal: 148,
  words: 141,
  start: 137,
  builtin: 107,
  workers: 103,
  formats: 95,
  scan: 87,
  process: 86,
  help: 83,
  judges: 83,
  attribution: 73,
  strategies: 72,
  sequences: 71,
  lines: 68,
  answers: 68,
  planbench: 65,
  apibench: 62,
  models: 58,
  tau2: 58,
  captions: 51,
  claims: 51,
  others: 83,
};

/** A path with one of these may hold generators: strategies yield steps, and asks delegate to them. */
const generating = /^source\/engine\/strategies\/|\/ask\/|^source\/engine\/run\/(ask|act)\.ts$/;

export type Count = { readonly name: string; readonly value: number; readonly bound: number };

type Source = { readonly path: string; readonly text: string };

/** Paths of the TypeScript files below a folder. */
function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A file with blanks in place of its comments; each line keeps its place. */
export function withoutComments({ path, text }: Source): string {
  const { comments } = parseSync(path, text);
  let code = "";
  let from = 0;
  for (const { start, end } of comments) {
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    from = end;
  }
  return code + text.slice(from);
}

/** Lines that are not blank. */
export const codeLines = (code: string) => code.split("\n").filter((line) => line.trim() !== "").length;

type Node = { readonly type?: unknown; readonly [field: string]: unknown };

/** Counts nodes of the syntax tree for which `is` holds. */
function nodes(value: unknown, is: (node: Node) => boolean): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + nodes(each, is), 0);
  if (typeof value !== "object" || value === null) return 0;
  const own = is(value as Node) ? 1 : 0;
  return own + Object.values(value).reduce((sum: number, each) => sum + nodes(each, is), 0);
}

const isSyncGenerator = (node: Node) =>
  (node.type === "FunctionDeclaration" || node.type === "FunctionExpression") &&
  node["generator"] === true &&
  node["async"] === false;

const isNewWeakMap = (node: Node) =>
  node.type === "NewExpression" && (node["callee"] as Node | undefined)?.["name"] === "WeakMap";

/** The most files that lie flat in one folder. `analyses` is a list of files of one form. */
function fullestRoom(paths: readonly string[]): number {
  const rooms = Map.groupBy(
    paths.filter((path) => !path.startsWith("analyses/")),
    (path) => dirname(path),
  );
  return Math.max(...[...rooms.values()].map(({ length }) => length));
}

/** Files the linter's settings let have longer functions. */
function longFunctionFiles(): number {
  const { overrides = [] } = JSON.parse(readFileSync(".oxlintrc.json", "utf8")) as {
    readonly overrides?: readonly {
      readonly files: readonly string[];
      readonly rules: Readonly<Record<string, unknown>>;
    }[];
  };
  return overrides.flatMap(({ files: named, rules }) => (rules["max-lines-per-function"] === "off" ? named : []))
    .length;
}

/** All counts with their bounds, of the checkout in the current folder. */
export function houseCounts(): readonly Count[] {
  const paths = sources.flatMap(files);
  const code = paths.map((path) => {
    const text = readFileSync(path, "utf8");
    return { path, text: withoutComments({ path, text }) };
  });
  // Making the tree of a file takes most of the time, and few files have one of the nodes that are counted.
  const trees = code
    .filter(({ text }) => /function\s*\*|\byield\b|\bWeakMap\b/.test(text))
    .map(({ path, text }) => ({ path, tree: parseSync(path, text).program }));
  const sum = (is: (node: Node) => boolean, of = trees) => of.reduce((total, { tree }) => total + nodes(tree, is), 0);
  return [
    {
      name: "lines of code",
      value: code.reduce((total, { path, text }) => total + (later.test(path) ? 0 : codeLines(text)), 0),
      bound: Object.values(grown).reduce((sum, lines) => sum + lines, linesOfCode),
    },
    { name: "files", value: paths.filter((path) => !later.test(path)).length, bound: 1000 },
    {
      name: "generators that are not asynchronous, outside strategies and asks",
      value: sum(
        isSyncGenerator,
        trees.filter(({ path }) => !generating.test(path)),
      ),
      bound: 40,
    },
    { name: "`new WeakMap`", value: sum(isNewWeakMap), bound: 20 },
    { name: "entries of source/engine", value: readdirSync("source/engine").length, bound: 32 },
    { name: "files in the fullest room", value: fullestRoom(paths), bound: 25 },
    { name: "files whose functions may have more than 60 lines", value: longFunctionFiles(), bound: 8 },
    ...[...sources, "test"].flatMap((folder) => wordCounts(folder, files(folder))),
    ...titleCounts(files("test")),
  ];
}

if (import.meta.main) {
  const counts = houseCounts();
  for (const { name, value, bound } of counts)
    process.stdout.write(
      `${value > bound ? "over" : "    "}  ${String(value).padStart(7)} of ${String(bound).padEnd(7)} ${name}\n`,
    );
  process.exitCode = counts.some(({ value, bound }) => value > bound) ? 1 : 0;
}
