import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notebook, onceStrategy, sums, userFolder } from "./program.ts";

const user = userFolder("served");
const mine = `import { define, simpleSuite } from "planwright";\nexport default define({ suites: [${sums}] });\n`;
const once = `import { define } from "planwright";\nimport { once } from "./once.ts";\nexport default define({ strategies: { appbench: [once] } });\n`;

describe("a file named by --with", () => {
  test("adds a suite, which the strategies direct and cot can run and the oracle answers", () => {
    const file = user.write("mine.ts", mine);
    user.write(
      "session/session.md",
      notebook('suite: sums\nstrategy: [direct, cot]\nmodel: [builtin/oracle, "builtin/slips?rate=1"]'),
    );
    const runs = user.runs("--with", file);
    expect(runs.map(({ status, counts }) => [status, counts.right, counts.wrong])).toEqual([
      ["done", 2, 0],
      ["done", 0, 2],
      ["done", 2, 0],
      ["done", 0, 2],
    ]);
    expect(new Set(runs.map(({ spec }) => spec.data))).toEqual(new Set(["own"]));
    const [{ spec }] = runs as [(typeof runs)[number]];
    expect(spec.code).toEqual({ suite: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(spec.dataset).toMatch(/^[0-9a-f]{16}$/);
  });

  test("has results in the analyses difficulty, errors and compare", () => {
    const file = user.write("mine.ts", mine);
    const cells = ["difficulty", "errors", "compare"].map(
      (name) => `\n\`\`\`analysis ${name}\nanalysis: ${name}\n\`\`\`\n`,
    );
    const models = 'suite: sums\nmodel: [builtin/oracle, "builtin/slips?wrong=1"]';
    user.write("session/session.md", notebook(models, cells.join("")));
    const { out } = user.planwright("run", "session", "--with", file);
    expect(out).toContain("Score by digits (own)");
    expect(out).toMatch(/slips\?wrong=1 │.*100\.00 %/);
    // Tasks by name, with their questions.
    expect(out).toMatch(/^ +b +100\.00 +0\.00 +11 \+ 11$/m);
  });

  test("adds a strategy to an existing suite, and runs of built-in strategies keep their ids", () => {
    user.write("once.ts", onceStrategy);
    const file = user.write("strategies.ts", once);
    user.write(
      "session/session.md",
      notebook("suite: appbench\ndata: sample\nstrategy: direct\nmodel: builtin/oracle\nlimit: 2"),
    );
    const [before] = user.runs();
    user.write(
      "session/session.md",
      notebook("suite: appbench\ndata: sample\nstrategy: [direct, once]\nmodel: builtin/oracle\nlimit: 2"),
    );
    const [direct, own] = user.runs(`--with=${file}`);
    expect(direct).toMatchObject({ run: before!.run, spec: expect.not.objectContaining({ code: expect.anything() }) });
    expect(own).toMatchObject({ label: "once", counts: { right: 2 } });
    expect(own!.spec.code).toEqual({ strategy: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  test("adds a strategy to the suite of another file, in either order, and to questions in a file", () => {
    const suite = user.write("mine.ts", mine);
    user.write("once.ts", onceStrategy);
    const strategies = user.write("strategies.ts", once.replace("appbench: [once]", "sums: [once], own: [once]"));
    user.write("session/session.md", notebook("suite: sums\nstrategy: once\nmodel: builtin/oracle"));
    const [run] = user.runs("--with", strategies, "--with", suite);
    expect(Object.keys(run!.spec.code!)).toEqual(["suite", "strategy"]);
    user.write("session/questions.csv", "question,answer\n1 + 1?,2\n");
    user.write(
      "session/session.md",
      notebook("suite: own\nfrom: questions.csv\nstrategy: once\nmodel: builtin/oracle"),
    );
    expect(user.runs("--with", strategies, "--with", suite)).toMatchObject([{ status: "done", counts: { right: 1 } }]);
  });

  test("adds an analysis, with the notes that every figure has", () => {
    const analysis = `import { define, type Analysis, type RunRows } from "planwright";
const tokens: Analysis = {
  name: "tokens",
  title: "Tokens",
  question: "How many tokens does a task take?",
  choices: () => ({}),
  compute: (runs: readonly RunRows[]) => [
    { kind: "bars", title: "Tokens a task", unit: "tokens", notes: [], bars: runs.map(({ label, rows }) => ({ label, cell: { text: String(rows.length), value: rows.length } })) },
  ],
};
export default define({ analyses: [tokens] });
`;
    const file = user.write("tokens.ts", analysis);
    const cell = "suite: appbench\ndata: sample\nstrategy: direct\nmodel: builtin/oracle\nlimit: 2";
    user.write("session/session.md", notebook(cell, "\n```analysis t\nanalysis: tokens\n```\n"));
    const { out, status } = user.planwright("run", "session", "--with", file);
    expect(out).toContain("Tokens a task");
    expect(status).toBe(0);
    // Analyses affect no result: the run is the same as without them.
    const [withIt] = user.runs("--with", file);
    expect(withIt!.spec.code).toBeUndefined();
  });

  test("can be named in the user's settings, by a path relative to the settings", () => {
    user.write("mine.ts", mine);
    user.write("settings/settings.json", JSON.stringify({ with: ["../mine.ts"] }));
    user.write("session/session.md", notebook("suite: sums\nmodel: builtin/oracle"));
    expect(user.runs()).toMatchObject([{ status: "done" }]);
    expect(user.planwright("data", "list").out).toContain("sums: sums\n  tasks are included");
  });

  test("is never loaded only because a session contains it", () => {
    user.write("session/planwright.ts", 'import { writeFileSync } from "node:fs";\nwriteFileSync("loaded", "");\n');
    for (const name of [
      "mine.ts",
      "define.mts",
      "suites/index.ts",
      "node_modules/planwright/index.js",
      "planwright.config.ts",
    ])
      user.write(`session/${name}`, readFileSync(user.at("session", "planwright.ts"), "utf8"));
    user.write("session/settings.json", JSON.stringify({ with: ["mine.ts"] }));
    user.write("session/package.json", JSON.stringify({ main: "mine.ts", planwright: { with: ["mine.ts"] } }));
    const cell = "suite: appbench\ndata: sample\nstrategy: direct\nmodel: builtin/oracle\nlimit: 1";
    user.write("session/session.md", `---\nwith: [mine.ts]\n---\n${notebook(`${cell}\nwith: mine.ts`)}`);
    const { out } = user.planwright("run", "session", "--json");
    expect(out).toContain("Expected one of the fields");
    expect(() => readFileSync(user.at("loaded"))).toThrow("ENOENT");
    user.write("session/session.md", notebook(cell));
    expect(user.runs()).toMatchObject([{ status: "done" }]);
    expect(() => readFileSync(user.at("loaded"))).toThrow("ENOENT");
  });

  test("can be TypeScript below node_modules, and import such a package", () => {
    const example =
      'import { define, simpleSuite } from "planwright";\nimport { reversed } from "./reversed.ts";\nconst name: string = "backwards";\n';
    const suite =
      'simpleSuite({ name, tasks: [{ id: "a", question: "abc", answer: "cba" }], prompt: (task) => task.question, score: (task, reply) => reversed(task.question) === reply })';
    const reversed = 'export const reversed = (text: string): string => [...text].reverse().join("");\n';
    user.write(
      "node_modules/planwright-backwards/package.json",
      JSON.stringify({ name: "planwright-backwards", exports: "./index.ts" }),
    );
    user.write("node_modules/planwright-backwards/reversed.ts", reversed);
    const file = user.write(
      "node_modules/planwright-backwards/index.ts",
      `${example}export default define({ suites: [${suite}] });\n`,
    );
    user.write("session/session.md", notebook("suite: backwards\nmodel: builtin/oracle"));
    expect(user.runs("--with", file)).toMatchObject([{ status: "done", counts: { right: 1 } }]);
    const other = user.write("mine.mts", 'export { default } from "planwright-backwards";\n');
    expect(user.runs("--with", other)).toMatchObject([{ counts: { right: 1 } }]);
  });

  test("shares the classes of the running program, so that its errors are recognised", () => {
    const failing = onceStrategy
      .replace("import { ask, type Strategy }", "import { ask, Problem, type Strategy }")
      .replace("    const answers", '    throw new Problem("tool", "The tool is away");\n    const answers');
    user.write("once.ts", failing);
    const file = user.write("strategies.ts", once);
    user.write(
      "session/session.md",
      notebook("suite: appbench\ndata: sample\nstrategy: once\nmodel: builtin/oracle\nlimit: 1"),
    );
    const { out } = user.planwright("run", "session", "--with", file);
    expect(out).toContain("(tool): The tool is away");
  });

  test("is reported with the line if its strategy, score or analysis fails", () => {
    const broken = [
      'import { define, simpleSuite, type Strategy } from "planwright";',
      "const none: { gone?: { x: number } } = {};",
      'const once: Strategy<"stages"> = {',
      '  name: "once", title: "Once", needs: "stages", revision: 1, roles: ["model"],',
      "  async *run() {",
      "    none.gone!.x;",
      "  },",
      "};",
      'const sums = simpleSuite({ name: "sums", tasks: [{ id: "a", question: "1", answer: "1" }], prompt: () => "",',
      "  score: () => none.gone!.x });",
      'const analysis = { name: "mine", title: "", question: "", choices: () => ({}),',
      "  compute: () => none.gone!.x };",
      "export default define({ suites: [sums], strategies: { appbench: [once] }, analyses: [analysis as never] });",
    ];
    const file = user.write("broken.ts", broken.join("\n"));
    user.write(
      "session/session.md",
      `${notebook("suite: appbench\ndata: sample\nstrategy: once\nmodel: builtin/oracle\nlimit: 1")}
\`\`\`run sums\nsuite: sums\nmodel: builtin/oracle\n\`\`\`\n\n\`\`\`analysis\nanalysis: mine\n\`\`\`\n`,
    );
    const { out } = user.planwright("run", "session", "--with", file);
    const why = "Cannot read properties of undefined (reading 'x')";
    for (const said of [
      `Failure (bug): TypeError: ${why} (broken.ts:6)`,
      `Failure (bug): TypeError: ${why} (broken.ts:10)`,
      `The analysis \`mine\` failed on these rows: ${why} (broken.ts:12)`,
    ])
      expect(out).toContain(said);
  });
});

describe("the hash of a file of code", () => {
  const cell = "suite: appbench\ndata: sample\nstrategy: once\nmodel: builtin/oracle\nlimit: 1";
  const id = (...args: string[]) => user.runs(...args)[0]!.run;

  test("covers only the files that it imports by path, even if an import is added later", () => {
    const file = user.write("strategies.ts", once);
    user.write("once.ts", onceStrategy);
    user.write("session/session.md", notebook(cell));
    const first = id("--with", file);
    // Types are not executed.
    user.write(
      "once.ts",
      onceStrategy
        .replace("lead: string", 'lead: string | "é"')
        .replace(
          "\n\n",
          '\nimport type { Row } from "planwright";\n\ninterface Own {\n  row: Row;\n\n  own?: Own;\n}\n\n',
        )
        .replace("const answers", "const unused = (undefined as unknown as Own);\n    const answers"),
    );
    const typed = id("--with", file);
    user.write(
      "once.ts",
      onceStrategy
        .replace("lead: string", "lead")
        .replace("const answers", "const unused = (undefined);\n    const answers"),
    );
    expect(id("--with", file)).toBe(typed);
    expect(typed).not.toBe(first);
    user.write("once.ts", onceStrategy);
    user.write("beside.ts", "export const other = 1;\n");
    expect(id("--with", file)).toBe(first);
    user.write("once.ts", onceStrategy.replace('lead: string = ""', 'lead: string = " "'));
    const second = id("--with", file);
    expect(second).not.toBe(first);
    user.write("once.ts", onceStrategy.replace("const answers", 'await import("./beside.ts");\n    const answers'));
    const third = id("--with", file);
    user.write("beside.ts", "export const other = 2;\n");
    expect(new Set([first, second, third, id("--with", file)]).size).toBe(4);
    user.write("once.ts", onceStrategy);
    expect(id("--with", file)).toBe(first);
  });

  test("requires literal import paths, and a computed path is rejected", () => {
    const file = user.write("strategies.ts", once);
    user.write("beside.ts", "export const other = 1;\n");
    user.write(
      "once.ts",
      onceStrategy.replace("const answers", 'await import("./" + "beside.ts");\n    const answers'),
    );
    user.write("session/session.md", notebook(cell));
    const { out } = user.planwright("run", "session", "--with", file);
    expect(out).toContain("Expected a literal path in each import");
  });
});

describe("the error message about a file of code", () => {
  test.each([
    ["const x: = 1;", 1, "Unexpected token"],
    ["const a = 1;\nenum B { C }\nexport default {};", 2, "TypeScript enum is not supported"],
    ["const a = {;", 1, "Unexpected token"],
    ['import { defin } from "planwright";\nexport default {};', 1, "does not provide an export named 'defin'"],
    ['\nimport { x } from "./nowhere.ts";\nexport default {};', 2, "Cannot find module"],
    ['\n\nimport x from "no-such-package";\nexport default x;', 3, "Cannot find package 'no-such-package'"],
    ['const a = 1;\nthrow new Error("boom");', 2, "boom"],
    ["export const a = 1;", 1, "Expected `export default define({ ... })`, got nothing"],
    [
      'import { define } from "planwright";\n\nexport default define({\n  suits: [],\n});',
      4,
      "Expected `suites` in a definition, got `suits`",
    ],
    [
      'export default {\n  analyses: [\n    { name: "a b" },\n  ],\n};',
      3,
      "Expected `analyses[0].name` to be a name, got `a b`",
    ],
    [
      'export default {\n  analyses: [\n    { name: "mine",\n title: 3 },\n  ],\n};',
      3,
      "Expected `analyses[0].title` to be a string, got `3`",
    ],
    ["export default {\n  strategies: { nowhere: [] },\n};", 2, "Expected strategies for one of the suites appbench"],
    [
      'const s = {\n  name: "direct",\n  title: "", needs: "stages", revision: 1, roles: [], run() {} };\nexport default { strategies: { appbench: [s] } };',
      2,
      "Expected the strategy to have a unique name, got `direct`, which `appbench` has already",
    ],
    [
      'const s = {\n  name: "talk",\n  title: "", needs: "dialogue", revision: 1, roles: [], run() {} };\nexport default { strategies: { appbench: [s] } };',
      2,
      "Expected `needs` of strategy `talk` to be a protocol of `appbench` (stages), got `dialogue`",
    ],
    [
      'import { define, simpleSuite } from "planwright";\nconst twice = [{ id: "a", question: "", answer: "" }, { id: "a", question: "", answer: "" }];\nexport default define({ suites: [\n  simpleSuite({ name: "s", tasks: twice, prompt: () => "", score: () => 1 })] });',
      4,
      "Expected unique task ids in `s`, got `a` twice",
    ],
    [
      'import { define, simpleSuite } from "planwright";\nexport default define({ suites: [simpleSuite({\n  name: "sums", tasks: async () => [], prompt: () => "", score: () => 1 })] });',
      3,
      "Could not load the tasks of `sums`: Expected `sums` to have tasks, got none",
    ],
  ])("contains file and line: %j", (text, line, message) => {
    const file = user.write("mine.ts", text);
    const { out, err, status } = user.planwright("data", "list", "--with", file);
    expect([out, status]).toEqual(["", 2]);
    expect(err).toContain(`planwright: ${file}:${line}: `);
    expect(err).toContain(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("contains file and line for JavaScript, although Node reports no line", () => {
    user.write("beside.mjs", "export const a = 1;\n\nlet x = (;\n");
    const file = user.write("mine.mjs", 'import { a } from "./beside.mjs";\nexport default { a };\n');
    const { err } = user.planwright("data", "list", "--with", file);
    expect(err).toMatch(`planwright: ${user.at("beside.mjs")}:3: Unexpected token`);
  });

  test("reports a missing file, a file that is not a module, and a flag without a file", () => {
    const nowhere = user.planwright("data", "list", "--with", "nowhere.ts");
    expect(nowhere.err).toBe(`planwright: Expected a file for \`--with\` at ${user.at("nowhere.ts")}, found none\n`);
    mkdirSync(user.at("folder.ts"));
    expect(user.planwright("data", "list", "--with", "folder.ts").status).toBe(2);
    writeFileSync(user.at("table.csv"), "");
    expect(user.planwright("data", "list", "--with", "table.csv").err).toContain("Expected a .ts, .mts or .mjs file");
    expect(user.planwright("data", "list", "--with").err).toContain("Expected a file after `--with`, got none");
  });
});
