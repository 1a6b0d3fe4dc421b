/** Another person's project, which has nothing but the packed program and a compiler. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as kit from "../../source/kit.ts";
import { builtProgram } from "../built-program.ts";
import { onceStrategy, sums } from "../extension/program.ts";

const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
let project = "";

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "planwright-consumer-"));
  const dist = dirname(builtProgram());
  execFileSync(process.execPath, ["build/declarations.ts"]);
  const installed = join(project, "node_modules", "planwright");
  mkdirSync(installed, { recursive: true });
  cpSync("package.json", join(installed, "package.json"));
  cpSync(dist, join(installed, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  cpSync("suites/appbench/sample", join(installed, "suites/appbench/sample"), { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(() => rmSync(project, { recursive: true }));

/** Compiles these files strictly, with the declarations of the package, and returns the messages. */
function compiled(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const compilerOptions = {
    // Older than the language level of the program itself.
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" }).stdout;
}

const analysis = `import type { Analysis } from "planwright";

export const tokens: Analysis = {
  name: "tokens",
  title: "Tokens",
  question: "How many tokens does a task take?",
  choices: () => ({}),
  compute: (runs) => [
    {
      kind: "bars",
      title: "Tokens a task",
      unit: "tokens",
      notes: [],
      bars: runs.map(({ label, rows }) => ({ label, cell: { text: String(rows.length), value: rows.length } })),
    },
  ],
};
`;
const definition = `import { define, simpleSuite } from "planwright";
import { once } from "./once.ts";
import { tokens } from "./tokens.ts";

const calculator = { open: async () => ({ tools: [], call: async () => ({ ok: true, observation: "2", status: "ok" }) }) };
export default define({
  suites: [${sums}],
  strategies: { appbench: [once] },
  analyses: [tokens],
  environments: { calculator },
});
`;

describe("the types of the package", () => {
  test("are complete, and accept a suite, a strategy, an analysis and an environment", () => {
    expect(compiled({ "once.ts": onceStrategy, "tokens.ts": analysis, "mine.ts": definition })).toBe("");
  });

  test("accept the files that `init` writes", () => {
    const examples = ["suite.ts", "strategy.ts", "analysis.ts"].map(
      (name) => [name, readFileSync(join("documentation", "examples", name), "utf8")] as const,
    );
    expect(compiled(Object.fromEntries(examples))).toBe("");
  });

  // Compiled together, because reading the declarations takes longest.
  const misspelt = [
    ["a part of a definition", "define({ suits: [] })"],
    [
      "a field of a simple suite",
      'simpleSuite({ name: "s", tasks: [], promt: () => "", prompt: () => "", score: () => true })',
    ],
    [
      "a field of its tasks",
      'simpleSuite({ name: "s", tasks: [{ id: "a", question: "", anwser: "" }], prompt: () => "", score: () => true })',
    ],
    [
      "a task's field in a function",
      'simpleSuite({ name: "s", tasks: [{ id: "a", question: "", answer: "" }], prompt: (task) => task.quesiton, score: () => true })',
    ],
    ["a protocol", '({}) as Strategy<"stage">'],
    [
      "a field of a strategy",
      '({ name: "a", title: "", need: "stages", revision: 1, roles: [], async *run() {} }) satisfies Strategy',
    ],
    [
      "a kind of figure",
      '({ name: "a", title: "", question: "", choices: () => ({}), compute: () => [{ kind: "bar", title: "", notes: [] }] }) satisfies Analysis',
    ],
    ["a field of a row", "(row: Row) => row.qestion"],
    ["an option of open", 'open("s", { wiht: [] })'],
  ].map(([what, code], index) => [what!, `misspelt-${index}.ts`, code!] as const);
  let said = "";
  beforeAll(() => {
    const text = `import { define, open, simpleSuite, type Analysis, type Row, type Strategy } from "planwright";\nexport const x = [define, open, simpleSuite] as const;\nexport type T = [Analysis, Row, Strategy];\n`;
    said = compiled(Object.fromEntries(misspelt.map(([, file, code]) => [file, `${text}export const y = ${code};\n`])));
  });

  test.each(misspelt)("reject a misspelling of %s", (_, file) => {
    expect(said).toContain(`${file}(4,`);
  });
});

test("the package exports fewer than fifty names", () => {
  const types = readFileSync("source/kit.ts", "utf8").matchAll(/^export type \{([^}]*)\}/gm);
  const names = [...types].flatMap(([, list]) =>
    list!
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
  expect(Object.keys(kit).toSorted()).toEqual([
    "Problem",
    "act",
    "ask",
    "checkSuite",
    "conversation",
    "cot",
    "define",
    "direct",
    "meanMeasure",
    "open",
    "pivot",
    "promptMessages",
    "ratioMeasure",
    "react",
    "simpleSuite",
    "stagedOutput",
  ]);
  expect(Object.keys(kit).length + names.length).toBeLessThanOrEqual(49);
});

describe("a user's program that uses the package", () => {
  const session = (cells: string) => {
    mkdirSync(join(project, "session"), { recursive: true });
    writeFileSync(join(project, "session", "session.md"), cells);
  };
  /** Reads the JSON that a program prints. */
  function printed(code: string): unknown {
    writeFileSync(join(project, "program.ts"), code);
    const { stdout, stderr, status } = spawnSync(process.execPath, ["program.ts"], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(project, "settings") },
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  test("opens a session, runs a cell with its events, and reads rows and figures", () => {
    session(
      "# Mine\n\n```run main\nsuite: sums\nstrategy: [direct, cot]\nmodel: builtin/oracle\n```\n\n```analysis by\nanalysis: difficulty\nof: [main]\n```\n",
    );
    writeFileSync(
      join(project, "sums.ts"),
      `import { define, simpleSuite } from "planwright";\nexport default define({ suites: [${sums}] });\n`,
    );
    const code = `import { open, Problem } from "planwright";
const session = await open("session", { with: ["sums.ts"] });
const types = new Set();
const runs = await session.run("main", { onEvent: ({ type }) => types.add(type) });
const rows = session.rows("main");
const [figure] = await session.figures("by");
const refused = await session.run("mian").catch((error) => error instanceof Problem && error.message);
await session.close();
console.log(JSON.stringify({
  cells: session.cells().map(({ kind, name }) => kind + " " + name),
  runs: runs.map(({ label, status }) => [label, status]),
  rows: rows.map(({ task, score }) => [task, score?.value]),
  types: [...types].filter((type) => ["run-started", "started", "prompt", "scored", "run-ended"].includes(type)).sort(),
  figure: figure?.title,
  refused,
}));
`;
    expect(printed(code)).toEqual({
      cells: ["note ", "run main", "analysis by"],
      runs: [
        ["direct", "done"],
        ["cot", "done"],
      ],
      rows: [
        ["a", 1],
        ["b", 1],
        ["a", 1],
        ["b", 1],
      ],
      types: ["prompt", "run-ended", "run-started", "scored", "started"],
      figure: "Score by digits (own)",
      refused: "Expected a run cell of this session (main), got `mian`",
    });
  });

  test("stops a run by a signal, and executes the remaining tasks the next time", () => {
    session("# Mine\n\n```run main\nsuite: appbench\ndata: sample\nmodel: builtin/oracle\n```\n");
    const code = `import { open } from "planwright";
const session = await open("session");
const stopping = new AbortController();
const [stopped] = await session.run("main", { signal: stopping.signal, onEvent: ({ type }) => type === "scored" && stopping.abort() });
const [done] = await session.run("main");
await session.close();
console.log(JSON.stringify([stopped?.status, done?.status, done?.counts.right === done?.total]));
`;
    expect(printed(code)).toEqual(["partial", "done", true]);
  });

  test("checks its own suite", () => {
    const code = `import { checkSuite, simpleSuite } from "planwright";
const task = { id: "a", question: "1 + 1", answer: "2" };
const right = simpleSuite({ name: "right", tasks: [task], prompt: () => "", score: (task, reply) => reply === task.answer });
const wrong = simpleSuite({ name: "wrong", tasks: [task], prompt: () => "", score: (task, reply) => reply === "3" });
console.log(JSON.stringify([await checkSuite(right), await checkSuite(wrong)]));
`;
    expect(printed(code)).toEqual([
      [],
      [
        "The perfect reply to task `a` does not count as right with `direct`",
        "Perfect replies score 0 in `score` with `direct`, not 1",
        "The perfect reply to task `a` does not count as right with `cot`",
        "Perfect replies score 0 in `score` with `cot`, not 1",
      ],
    ]);
  });
});
