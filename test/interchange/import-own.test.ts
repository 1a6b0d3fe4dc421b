import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PublicRow as Row } from "../../source/engine/log/rows/row-notes.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { toyTools } from "../engine/run/tool-servers/toy-tools.ts";
import { runsOf, withoutRun } from "./exported-session.ts";

const at = temporaryFolder();

/** Exports a run of the user's own questions, answered right, and returns the path. */
async function exportedQuestions(): Promise<string> {
  mkdirSync(at("s"));
  writeFileSync(at("s", "questions.csv"), "question,answer\nHow many?,2\n");
  const cell = "suite: own\nfrom: questions.csv\nmodel: builtin/oracle\n";
  writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  await typed("run", at("s"));
  await typed("export", at("s"), "--format", "inspect");
  return at(
    "s",
    "exports",
    readdirSync(at("s", "exports")).find((each) => each.endsWith(".eval"))!,
  );
}

describe("imported questions of the user's own", () => {
  test.each(["inspect", "atif"])(
    "are the same after an import from %s, with their answers and scores",
    async (format) => {
      mkdirSync(at("s"), { recursive: true });
      writeFileSync(at("s", "questions.csv"), "question,answer,topic\nHow many?,2,sums\nWhere?,Paris,places\n");
      const cell = 'suite: own\nfrom: questions.csv\ncheck: exact\nmodel: "builtin/slips?rate=0.5"\nstrategy: cot\n';
      writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
      expect((await typed("run", at("s"))).status).toBe(0);
      await typed("export", at("s"), "--format", format, "--rows", "jsonl");
      const [row] = readFileSync(at("s", "exports", "rows.jsonl"), "utf8").split("\n");
      expect(JSON.parse(row!)).toMatchObject({ reference: "2" });
      const [name] = readdirSync(at("s", "exports")).filter((each) => each.startsWith(`${format}-`));
      const said = await typed("import", format, at("s", "exports", name!), "--into", at("back"));
      expect(said).toMatchObject({ status: 0, err: "" });
      const told = ({ task, facets, score }: Row) => [task, facets, score?.value];
      const [before, after] = [await runsOf(at("s")), await runsOf(at("back"))];
      expect(before[0]!.rows.map(({ score }) => score?.value)).toContain(1);
      expect(after[0]!.rows.map(told)).toEqual(before[0]!.rows.map(told));
    },
  );

  test("belong to their file if the file is unchanged, so that imported runs can be compared", async () => {
    const path = await exportedQuestions();
    await typed("import", "inspect", path, "--into", at("s"));
    const [main, back] = await runsOf(at("s"));
    expect(back!.spec).toEqual(main!.spec);
    writeFileSync(at("s", "questions.csv"), "question,answer\nHow many?,3\n");
    await typed("import", "inspect", path, "--into", at("s"));
    const [, changed, kept] = await runsOf(at("s"));
    expect(changed!.rows.map(({ score }) => score?.value)).toEqual([0]);
    expect(kept!.spec).toMatchObject({ suite: expect.stringMatching(/^own\/predictions\/\w{8}-questions.jsonl$/) });
    expect(kept!.rows.map(({ score }) => score?.value)).toEqual([1]);
  });
});

test("imported questions have the model given by `--model`", async () => {
  const path = await exportedQuestions();
  await typed("import", "inspect", path, "--into", at("back"), "--model", "theirs/m");
  const [back] = await runsOf(at("back"));
  expect(back!.spec).toMatchObject({ model: "theirs/m" });
  expect(back!.rows.map(({ score }) => score?.value)).toEqual([1]);
});

test("imported runs ignore a notebook's defaults", async () => {
  const path = await exportedQuestions();
  const defaults =
    "defaults: {suite: appbench, data: published, temperature: 0.7, system: Be brief, repeats: 3, split: mm}";
  mkdirSync(at("back"));
  writeFileSync(at("back", "session.md"), `---\n${defaults}\n---\n`);
  expect(await typed("import", "inspect", path, "--into", at("back"))).toMatchObject({ status: 0 });
  const [[before], [after, ...more]] = [await runsOf(at("s")), await runsOf(at("back"))];
  expect(more).toEqual([]);
  expect({ ...after!.spec, suite: "", dataset: "" }).toEqual({ ...before!.spec, suite: "", dataset: "" });
});

describe("imported tasks for tool servers, each with its own check", () => {
  const tasks = [
    { question: "Six?", answer: 6, check: "number", level: 1 },
    { question: "A colour?", answer: "red|blue", check: "one-of", level: "1" },
    { question: "Why?", check: "judge", rubric: "It names a reason", tools: ["toys"], level: "hard" },
    { question: "How?", check: "judge", answer: "Slowly" },
    { question: "Where?", answer: "Paris" },
    { question: "And then?", answer: "nothing", check: "none" },
  ];
  const formats: readonly (readonly [string, (row: Row) => object])[] = [
    ["inspect", withoutRun],
    ["atif", ({ task, question, facets, score, toolCalls }) => ({ task, question, facets, score, toolCalls })],
  ];

  test("are the same after an import from every format, with all scores, including the judge's, and without a request", async () => {
    // Without the file in which it records its processes, which would be part of its identity.
    const [node, program] = toyTools().server.command!;
    expect((await typed("tools", "add", "toys", "--", node!, program!)).status).toBe(0);
    mkdirSync(at("s"));
    writeFileSync(at("s", "tasks.jsonl"), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
    const cell = `suite: mcp\ntools: [toys]\nmodel: "builtin/slips?rate=0.5"\njudge: "builtin/slips?rate=0.5"\n`;
    writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}trial: [1, 2]\n\`\`\`\n`);
    expect((await typed("run", at("s"), "--allow", "toys")).status).toBe(0);
    for (const [format] of formats) await typed("export", at("s"), "--format", format);
    const before = await runsOf(at("s"));
    const values = before.flatMap(({ rows }) => rows.map(({ score }) => score?.value));
    expect(new Set(values)).toEqual(new Set([0, 1, undefined]));
    expect((await typed("tools", "remove", "toys")).status).toBe(0);
    const names = readdirSync(at("s", "exports")).filter((each) => !each.endsWith(".json"));
    for (const [format, told] of formats) {
      const back = at(`back-${format}`);
      for (const name of names.filter((each) => each.startsWith(`${format}-`)))
        expect(await typed("import", format, at("s", "exports", name), "--into", back)).toMatchObject({
          status: 0,
          err: "",
        });
      const after = await runsOf(back);
      expect(after).toHaveLength(before.length);
      for (const { run, rows } of before) {
        const same = after.find(({ label }) => label.includes(run))!;
        expect(same.rows.map(told)).toEqual(rows.map(told));
      }
    }
  });
});

describe("an imported run with a tool server", () => {
  test.each(["own", "mcp"])("keeps its rows if no tool server has the recorded name: suite %s", async (suite) => {
    // Without the file in which it records its processes, which would be part of its identity.
    const [node, program] = toyTools().server.command!;
    expect((await typed("tools", "add", "toys", "--", node!, program!)).status).toBe(0);
    mkdirSync(at("s"));
    writeFileSync(at("s", "tasks.jsonl"), '{"question":"Six?","answer":6}\n');
    const cell = `suite: ${suite}\nfrom: tasks.jsonl\ntools: [toys]\nstrategy: react\nmodel: builtin/oracle\n`;
    writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
    expect((await typed("run", at("s"), "--allow", "toys")).status).toBe(0);
    await typed("export", at("s"), "--format", "inspect");
    const name = readdirSync(at("s", "exports")).find((each) => each.endsWith(".eval"))!;
    const before = await runsOf(at("s"));
    expect((await typed("tools", "remove", "toys")).status).toBe(0);
    const said = await typed("import", "inspect", at("s", "exports", name), "--into", at("back"));
    expect(said).toMatchObject({ status: 0, err: "" });
    const after = await runsOf(at("back"));
    expect(after[0]!.rows.map(withoutRun)).toEqual(before[0]!.rows.map(withoutRun));
    expect(after[0]!.rows.map(({ score }) => score?.value)).toEqual([1]);
  });
});
