/** A small in-memory workbench for tests of the screens: documents change like real ones, and a test sets the runs. */
import { bareSpec } from "../bare-spec.ts";
import { suiteNamed } from "../../source/engine/session/file-suite.ts";
import type { Analysis } from "../../source/engine/analysis.ts";
import type { Row } from "../../source/engine/types.ts";
import type { TypedText } from "../../source/engine/session/document/typed-text.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type {
  CellState,
  Forecast,
  RunState,
  SessionCell,
  StrayRun,
  Workbench,
} from "../../source/engine/workbench/workbench.ts";
import { bars, grid, lines, table } from "./sample-figures.ts";
import { sampleSuite } from "./sample-suite.ts";

export type DoubleWorkbench = Workbench & {
  /** The requests it received, in order: `run prompting`, `pause prompting`. */
  readonly asked: string[];
  /** The typed text that the screen saved last. */
  kept(): TypedText | undefined;
  /** Sets the runs of a cell and notifies the screens. */
  setRuns(cell: string, runs: readonly RunState[]): void;
  setState(cell: string, state: CellState): void;
  /** Runs that belong to no cell. */
  setStrayRuns(strays: readonly StrayRun[]): void;
  /** Acts like another program that takes over the session. */
  loseFolder(why: string): void;
  setForecast(forecast: Partial<Forecast>): void;
  setRows(run: string, rows: readonly Row[]): void;
  /** Makes every later look at a cell throw, like a bug in the program. */
  breakDown(message: string): void;
};

type Options = { readonly cells?: readonly SessionCell[]; readonly readOnly?: string; readonly typed?: TypedText };

export const welcome: readonly SessionCell[] = [
  {
    id: "c1",
    kind: "note",
    name: "",
    source:
      "# Does seeing every API at once help?\n\nAppBench asks for **one plan** over many apps. *Hierarchical* prompting picks the apps first.\n\n- `hierarchical`: two calls\n- `flat`: one call",
  },
  {
    id: "c2",
    kind: "run",
    name: "prompting",
    source:
      "suite: appbench\nsplit: mm\nmodel: builtin/slips\nprompting: [hierarchical, flat] # the question\nlimit: 50",
  },
  { id: "c3", kind: "analysis", name: "heat", source: "pane: scale\nof: [prompting]\nmetric: argument-em" },
];

export function runState(change: Partial<RunState> = {}): RunState {
  return {
    run: "run-1",
    scoring: "scoring-1",
    label: "hierarchical",
    spec: {
      suite: "appbench",
      split: "mm",
      data: "sample",
      filter: {},
      limit: 50,
      strategy: "direct",
      shots: 0,
      options: { prompting: "hierarchical" },
      model: "builtin/slips",
      temperature: 0,
      seed: 1,
      trial: 0,
      budget: {},
      suiteRevision: 1,
      strategyRevision: 1,
    },
    status: "ready",
    preparing: undefined,
    message: undefined,
    total: 50,
    counts: { waiting: 50, running: 0, right: 0, wrong: 0, unscored: 0, failed: 0, stopped: 0 },
    calls: 0,
    retries: 0,
    tokens: { input: 0, output: 0, estimated: false },
    cost: undefined,
    seconds: 0,
    rate: undefined,
    speed: undefined,
    left: undefined,
    concurrency: 4,
    warnings: [],
    beside: undefined,
    readsAnswerKey: true,
    ...change,
  };
}

export const running: Partial<RunState> = {
  status: "running",
  counts: { waiting: 20, running: 4, right: 18, wrong: 6, unscored: 1, failed: 1, stopped: 0 },
  calls: 52,
  retries: 3,
  tokens: { input: 123_456, output: 7_890, estimated: true },
  cost: 0.42,
  seconds: 75,
  rate: 21.4,
  speed: 105.2,
  left: 67,
  score: {
    name: "success",
    title: "Success",
    unit: "percent",
    better: "higher",
    value: 0.75,
    n: 24,
    low: 0.52,
    high: 0.86,
  },
};

const scale: Analysis = {
  name: "scale",
  title: "Scale",
  question: "Where in the dependency graph does it break?",
  choices: () => ({ metric: ["argument-em", "success"] }),
  compute: () => [grid, table],
};

/** The state of a cell that a test does not set. */
function usualState({ kind }: SessionCell): CellState {
  if (kind === "run") return { kind, problems: [], runs: [runState()] };
  if (kind === "front-matter") return { kind, problems: [] };
  return kind === "analysis" ? analysisState() : { kind: "note", problems: [] };
}

function analysisState(figures = [grid, table, bars, lines]): CellState {
  return {
    kind: "analysis",
    problems: [],
    missing: undefined,
    analysis: scale,
    runs: ["run-1"],
    choices: { metric: ["argument-em", "success"], mode: ["official", "paper"] },
    lists: {},
    listed: {},
    chosen: { metric: "argument-em", mode: "official" },
    figures,
    warnings: ["builtin/slips reads the answer key", "sample data"],
  };
}

export function openDouble({ cells: first = welcome, readOnly, typed }: Options = {}): DoubleWorkbench {
  let cells: readonly SessionCell[] = first;
  let saved = cells;
  let unwritable = readOnly;
  const past: (readonly SessionCell[])[] = [];
  const future: (readonly SessionCell[])[] = [];
  const states = new Map<string, CellState>();
  /** A state is the same object until something changes, because a screen draws such a cell once. */
  const usual = new WeakMap<object, CellState>();
  const listeners = new Set<() => void>();
  const asked: string[] = [];
  const rowsOf = new Map<string, readonly Row[]>();
  let version = 0;
  let broken: string | undefined;
  let held: TypedText | undefined;
  let next = 100;
  let strays: readonly StrayRun[] = [];
  let forecast: Partial<Forecast> = {};
  const suite: Suite = sampleSuite;

  const changed = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const put = (after: readonly SessionCell[]) => {
    past.push(cells);
    future.length = 0;
    cells = after;
    changed();
  };
  const go = (from: (readonly SessionCell[])[], to: (readonly SessionCell[])[]) => {
    const there = from.pop();
    if (there === undefined) return false;
    to.push(cells);
    cells = there;
    changed();
    return true;
  };
  const setState = (cell: string, state: CellState) => {
    states.set(cell, state);
    changed();
  };

  const workbench: DoubleWorkbench = {
    title: "Does seeing every API at once help?",
    folder: "/tmp/session",
    get readOnly() {
      return unwritable;
    },
    unsteerable: undefined,
    strayRuns: {
      list: () => strays,
      keep(run, after) {
        asked.push(`keep ${run}`);
        return workbench.insert("run", after, "");
      },
      async bring(run, from, after) {
        asked.push(`bring ${run} from ${from}`);
        return workbench.insert("run", after, "");
      },
      async remove(run) {
        asked.push(`remove ${run}`);
        strays = strays.filter((stray) => stray.run !== run);
      },
    },
    setStrayRuns(to) {
      strays = to;
    },
    loseFolder(why) {
      unwritable = why;
      changed();
    },
    typed,
    get dirty() {
      return cells !== saved;
    },
    suites: [suite],
    analyses: [scale],
    settingsTrouble: () => undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    prepare() {},
    cells: () => cells,
    state(id) {
      if (broken !== undefined) throw new Error(broken);
      const known = states.get(id);
      if (known !== undefined) return known;
      const cell = cells.find((each) => each.id === id);
      if (cell === undefined) return { kind: "note", problems: [] };
      const state = usual.get(cell) ?? usualState(cell);
      usual.set(cell, state);
      return state;
    },
    together: (changes) => changes(),
    insert(kind, after, source, name = "") {
      const id = `c${next++}`;
      put(cells.toSpliced(cells.findIndex((cell) => cell.id === after) + 1, 0, { id, kind, name, source }));
      return id;
    },
    edit: (id, source) => put(cells.map((cell) => (cell.id === id ? { ...cell, source } : cell))),
    keepTyped(kept) {
      held = kept;
    },
    kept: () => held,
    rename: (id, name) => put(cells.map((cell) => (cell.id === id ? { ...cell, name } : cell))),
    remove: (id) => put(cells.filter((cell) => cell.id !== id)),
    move(id, by) {
      const index = cells.findIndex((cell) => cell.id === id);
      const to = index + by;
      if (index < 0 || to < 0 || to >= cells.length) return;
      put(cells.toSpliced(index, 1).toSpliced(to, 0, cells[index]!));
    },
    undo: () => go(past, future),
    redo: () => go(future, past),
    save() {
      asked.push("save");
      saved = cells;
      changed();
    },
    async run(cell) {
      asked.push(`run ${cell}`);
      return true;
    },
    pause: (cell) => void asked.push(`pause ${cell}`),
    resume: (cell) => void asked.push(`resume ${cell}`),
    stop: (cell, run) => void asked.push(run === undefined ? `stop ${cell}` : `stop ${cell} ${run}`),
    setConcurrency: (cell, width) => void asked.push(`width ${cell} ${width}`),
    async rescore(cell) {
      asked.push(`rescore ${cell}`);
    },
    async correctScore({ task }, value, reason) {
      asked.push(`correct score of ${task} ${value ?? "back"} ${reason}`);
      return undefined;
    },
    async correct({ task }, { kind }, corrected, reason) {
      asked.push(`correct ${task} ${kind} ${corrected ?? "back"} ${reason}`);
      return undefined;
    },
    keepOlder: (run, older, reason) => void asked.push(`keep ${older} as ${run} ${reason ?? "back"}`),
    async makeTasks(suite, { count, seed }) {
      asked.push(`make ${count} tasks of ${suite}, seed ${seed}`);
      return "made";
    },
    codes: {
      person: "anna",
      file: "/tmp/session/codes/anna.jsonl",
      codebook: { kinds: [], runs: new Map() },
      problems: [],
    },
    tag(refs, { kind }) {
      asked.push(`tag ${refs.map(({ task }) => task).join(" ")} ${kind}`);
      return { did: "tagged", tasks: refs.length };
    },
    label: ({ task }) => void asked.push(`label ${task}`),
    untag: () => false,
    step: () => false,
    release: () => false,
    fork({ task }, request, change) {
      asked.push(`fork ${task} ${request} ${change.model ?? change.strategy ?? change.message}`);
      return "c2";
    },
    board: () => [],
    rows: (run) => rowsOf.get(run) ?? [],
    folderOf: (run) => run,
    hasRows: () => true,
    trajectory: () => Promise.resolve(undefined),
    live: () => undefined,
    taskView: () => Promise.resolve(undefined),
    exportRuns(cells, format, { only, name } = {}) {
      asked.push(`export ${cells.join(" ")} ${format} as ${name} ${only?.task ?? ""}`.trim());
      return Promise.resolve([`exports/${format}`]);
    },
    whyEmpty: () => undefined,
    choose: (cell, name, value) => void asked.push(`choose ${cell} ${name}=${value}`),
    async forecast(source) {
      asked.push(`forecast ${source}`);
      const empty = {
        runs: 2,
        tasks: 100,
        calls: 150,
        input: 1_234_567,
        output: 45_678,
        cost: 1.23,
        problems: [],
        warnings: [],
      };
      return { ...empty, ...forecast };
    },
    async firstRequest(source) {
      asked.push(`first request ${source}`);
      const [role, stage, model] = ["model", "plan", "local/qwen3"] as const;
      const messages = [
        { role: "system", content: `You plan with these APIs:${"\nbook(hotel)".repeat(40)}` },
        { role: "user", content: "Book a room." },
      ] as const;
      const spec = bareSpec("appbench", { split: "mm" });
      return { task: "mm-1", spec, prompt: { type: "prompt", request: 0, role, stage, model, messages } };
    },
    async export(cell, format) {
      asked.push(`export ${cell} ${format}`);
      return [`exports/${cell}.${format}`];
    },
    programs: { unallowed: () => [], allow: () => {}, toolNames: () => [], processNames: () => [] },
    endpoints: [],
    modelNames: () => ["builtin/oracle", "builtin/slips", "local/qwen3"],
    dataOf: () => ["sample", "published"],
    facetsOf: (name) => suiteNamed(name, [suite])?.facets ?? [],
    questionFiles: () => [],
    close: () => Promise.resolve(),
    asked,
    setState,
    setRuns: (cell, runs) => setState(cell, { kind: "run", problems: [], runs }),
    setRows(run, rows) {
      rowsOf.set(run, rows);
      changed();
    },
    breakDown(message) {
      broken = message;
      changed();
    },
    setForecast(change) {
      forecast = change;
    },
  };
  return bound(workbench);
}

/** The real workbench is a class, whose methods lose it when detached. The double's methods do so too, so that tests notice. */
function bound(workbench: DoubleWorkbench): DoubleWorkbench {
  return new Proxy(workbench, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || name === "subscribe") return value;
      return function (this: unknown, ...given: unknown[]): unknown {
        if (this !== receiver) throw new Error(`Expected \`${String(name)}\` to be called on the workbench`);
        return Reflect.apply(value, target, given);
      };
    },
  });
}
