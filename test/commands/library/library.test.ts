import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { openSettings } from "../../../source/engine/settings/settings.ts";
import { runsBelow } from "../../../source/engine/workbench/library/listed-run.ts";
import { suites } from "../../../suites/index.ts";
import { temporaryFolder, typed } from "../typed.ts";

const folder = temporaryFolder();

type Row = Readonly<Record<string, unknown>>;

/** Two notebooks below one folder: AppBench with a perfect and a faulty model, and questions from a file in a deeper folder. */
beforeEach(async () => {
  notebook("plans", "```run plans\nsuite: appbench\nlimit: 6\nmodel: [builtin/oracle, builtin/slips?rate=0.6]\n```\n");
  notebook("deeper/sums", "```run sums\nsuite: own/sums.csv\nmodel: builtin/oracle\n```\n");
  writeFileSync(folder("deeper/sums/sums.csv"), "question,answer\n1 + 1,2\n2 + 2,4\n");
  await typed("run", folder("plans"));
  await typed("run", folder("deeper/sums"));
});

function notebook(name: string, text: string): void {
  mkdirSync(folder(name), { recursive: true });
  writeFileSync(folder(name, "session.md"), text);
}

/** The rows that the session itself exports, for comparison with the index. */
async function exported(name: string): Promise<readonly Row[]> {
  await typed("export", folder(name), "--rows", "jsonl");
  const lines = readFileSync(folder(name, "exports/rows.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

async function asked(sql: string): Promise<readonly Row[]> {
  const said = await typed("query", sql, "--dir", folder(), "--json");
  expect(said).toMatchObject({ status: 0, err: "" });
  return JSON.parse(said.out) as readonly Row[];
}

const scoreOf = (row: Row): unknown => (row["score"] as { readonly value?: number } | undefined)?.value;

describe("the runs in a list", () => {
  test("read their rows only once, and only if a score is requested", async () => {
    const settings = await openSettings(folder("settings"));
    const runs = await runsBelow(folder(), suites, settings);
    expect(runs.map(({ counts }) => counts.right + counts.wrong).toSorted()).toEqual([2, 6, 6]);
    const read = vi.spyOn(RowTable.prototype, "rows");
    expect(runs[0]!.score).toMatchObject({ value: 1, n: 2 });
    expect(runs[0]!.score).toMatchObject({ value: 1, n: 2 });
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe("planwright list", () => {
  test("prints all runs below a folder with the scores that the notebooks show", async () => {
    const printed = JSON.parse((await typed("run", folder("plans"), "--json")).out) as {
      readonly cells: readonly { readonly runs: readonly { readonly run: string; readonly score: unknown }[] }[];
    };
    const shown = printed.cells[0]!.runs;
    const listed = JSON.parse((await typed("list", folder(), "--json")).out) as readonly Row[];
    expect(listed.map((run) => run["notebook"])).toEqual(["deeper/sums", "plans", "plans"]);
    const plans = listed.filter((run) => run["notebook"] === "plans");
    expect(plans.map((run) => run["run"]).toSorted()).toEqual(shown.map(({ run }) => run).toSorted());
    const rows = await exported("plans");
    for (const run of plans) {
      const right = rows.filter((row) => row["run"] === run["run"] && row["verdict"] === "right").length;
      expect(run).toMatchObject({
        suite: "appbench",
        total: 6,
        counts: { right, wrong: 6 - right },
        score: { value: right / 6 },
      });
    }
  });

  test("prints the differing settings first, and filters by words regardless of case", async () => {
    const all = await typed("list", folder());
    expect(all.status).toBe(0);
    expect(all.out).toMatch(
      /^deeper\/sums\n {2}run .*\n {2}\w+ +own\/sums.csv +builtin\/oracle \(reads the answer key\)/,
    );
    const slips = await typed("list", folder(), "--filter", "SLIPS appbench");
    expect(slips.out.split("\n").filter((line) => line.includes("appbench"))).toHaveLength(1);
    expect((await typed("list", folder(), "--filter", "no such model")).out).toBe("No run matches the filter\n");
  });

  test("shows the names of values, and the beginning of a text that has no name", async () => {
    writeFileSync(folder("plans/careful.md"), "Plan with the greatest care.\n\n{{apis}}\n");
    const careful = "prompts: {standard: {}, careful: {plan: careful.md}}\n";
    const terse = "system: Answer as briefly as you can, and never apologize for anything\n";
    notebook(
      "plans",
      `---\nalias: {perfect: builtin/oracle}\n---\n\`\`\`run a\nsuite: appbench\nlimit: 1\nmodel: {sure: builtin/slips}\n${careful}\`\`\`\n` +
        `\`\`\`run b\nsuite: appbench\nlimit: 1\nmodel: builtin/oracle\n${terse}prompts: {plan: careful.md}\n\`\`\`\n`,
    );
    await typed("run", folder("plans"));
    const { out } = await typed("list", folder("plans"));
    expect(out).toMatch(/sure \(builtin\/slips\) \(reads the answer key\) +prompts: careful, /);
    expect(out).toMatch(/perfect \(builtin\/oracle\) \(reads the answer key\) +system: "Answer as briefly as you…", p/);
    expect(out.match(/perfect/g)).toHaveLength(2);
    expect(out).not.toContain("care.");
    expect(out).not.toContain("apologize");
    const listed = JSON.parse((await typed("list", folder("plans"), "--json")).out) as readonly Row[];
    expect(listed.filter(({ names }) => (names as Row)["prompts"] === "careful")).toHaveLength(1);
    const found = await typed("list", folder("plans"), "--filter", "careful");
    expect(found.out.match(/sure/g)).toHaveLength(1);
  });

  test("reads a log that is still being written or is damaged, and rejects a missing folder", async () => {
    mkdirSync(folder("empty"));
    expect((await typed("list", folder("empty"))).out).toBe(`No notebooks found below ${folder("empty")}\n`);
    const [run] = readdirSync(folder("plans/runs"));
    appendFileSync(folder("plans/runs", run!, "events.jsonl"), '{"type":"sco');
    rmSync(folder("plans/session.md"));
    const listed = JSON.parse((await typed("list", folder(), "--json")).out) as readonly Row[];
    expect(listed.filter(({ notebook: name }) => name === "plans")).toHaveLength(2);
    expect(await typed("list", folder("none"))).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected a folder at"),
    });
  });

  test("does not follow links to other folders", async () => {
    symlinkSync(folder("deeper"), folder("plans-link"));
    const listed = JSON.parse((await typed("list", folder(), "--json")).out) as readonly Row[];
    expect(listed).toHaveLength(3);
  });
});

describe("planwright index and query", () => {
  test("print the same numbers as the exports of the sessions", async () => {
    expect((await typed("index", folder())).out).toContain("3 runs written (14 rows), 0 unchanged");
    const rows = [...(await exported("plans")), ...(await exported("deeper/sums"))];
    const byRun = await asked(
      "SELECT run, suite, count(*) n, avg(score) score, sum(inputTokens) tokens FROM rows GROUP BY ALL",
    );
    expect(byRun).toHaveLength(3);
    for (const each of byRun) {
      const own = rows.filter((row) => row["run"] === each["run"]);
      const [first] = own;
      expect(each["suite"]).toBe((first!["settings"] as Row)["suite"]);
      expect(each["n"]).toBe(own.length);
      expect(each["score"]).toBeCloseTo(own.reduce((sum, row) => sum + Number(scoreOf(row)), 0) / own.length, 12);
      const tokens = own.map((row) => (row["counted"] as { readonly tokens: { readonly input: number } }).tokens.input);
      expect(each["tokens"]).toBe(tokens.reduce((sum, count) => sum + count, 0));
    }
    const flips = await asked(
      "SELECT a.task FROM rows a JOIN rows b USING (task) WHERE a.verdict = 'right' AND b.verdict = 'wrong' AND a.model = 'builtin/oracle' ORDER BY ALL",
    );
    const wrong = rows.filter((row) => row["verdict"] === "wrong").map((row) => row["task"]);
    expect(flips.map((row) => row["task"])).toEqual(wrong.toSorted());
  });

  test("write only new or changed runs, and remove deleted runs", async () => {
    await typed("index", folder());
    expect((await typed("index", folder())).out).toContain("0 runs written (0 rows), 3 unchanged");
    notebook("deeper/sums", "```run sums\nsuite: own/sums.csv\nmodel: [builtin/oracle, builtin/slips]\n```\n");
    await typed("run", folder("deeper/sums"));
    expect((await typed("index", folder())).out).toContain("1 run written (2 rows), 3 unchanged");
    rmSync(folder("plans"), { recursive: true });
    await typed("index", folder());
    expect(await asked("SELECT DISTINCT suite FROM rows")).toEqual([{ suite: "own/sums.csv" }]);
  });

  test("continue an interrupted index, and replace an index file of another program", async () => {
    await typed("index", folder());
    writeFileSync(
      folder(".planwright/index.json"),
      '{"format":1,"files":{"rows/suite=a/run=../../../../plans/session.md":"x"}}',
    );
    expect((await typed("index", folder())).out).toContain("3 runs written");
    expect(existsSync(folder("plans/session.md"))).toBe(true);
  });

  test.each([
    ["SELECT * FROM read_text('/etc/passwd')", "disabled by configuration"],
    ["SELECT * FROM '/etc/passwd'", "does not exist"],
    ["SELECT 1; SELECT 2", "Expected one SELECT, got 2 statements"],
    ["SET memory_limit = '64GB'", "Expected a SELECT, got another statement"],
    ["INSTALL httpfs", "Expected a SELECT, got another statement"],
    ["COPY rows TO 'stolen.parquet'", "disabled by configuration"],
    ["CREATE TABLE mine AS SELECT 1", "Expected a SELECT, got another statement"],
    ["SELECT nothing_like_it FROM rows", 'Referenced column "nothing_like_it" not found'],
  ])("reject %s", async (sql, why) => {
    await typed("index", folder());
    expect(await typed("query", sql, "--dir", folder())).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining(why),
    });
  });

  test("never let a query change the index", async () => {
    await typed("index", folder());
    const sql = `COPY (SELECT 1) TO '${join(folder(), ".planwright/rows/mine.parquet")}'`;
    expect(await typed("query", sql, "--dir", folder())).toMatchObject({ status: 2 });
    expect(existsSync(folder(".planwright/rows/mine.parquet"))).toBe(false);
  });

  test("print the command that makes a missing index", async () => {
    expect(await typed("query", "SELECT 1", "--dir", folder())).toMatchObject({
      status: 2,
      err: expect.stringContaining(`There is no index in ${folder()}: \`planwright index ${folder()}\` creates it`),
    });
  });

  test("print signs in place of control characters", async () => {
    writeFileSync(folder("deeper/sums/sums.csv"), 'question,answer\n"\u001b[31mred",2\n');
    await typed("run", folder("deeper/sums"));
    await typed("index", folder());
    const said = await typed("query", "SELECT question FROM rows WHERE suite = 'own/sums.csv'", "--dir", folder());
    expect(said.out).not.toContain("\u001b");
    expect(said.out).toContain("red");
  });
});

describe("a cell with `pane: sql`", () => {
  const cell = (query: string) => `# Everything\n\n\`\`\`analysis all\npane: sql\n${query}\n\`\`\`\n`;
  type Told = {
    readonly cells: readonly {
      readonly missing?: string;
      readonly figures?: readonly unknown[];
      readonly problems: readonly { readonly message: string }[];
    }[];
  };
  async function told(query: string) {
    notebook("all", cell(query));
    const { out } = await typed("run", folder("all"), "--json");
    return (JSON.parse(out) as Told).cells.at(-1)!;
  }

  test("gets its result from the index of the folder that contains the notebook, like `planwright query`", async () => {
    const query =
      "SELECT model, count(*) AS tasks, avg(score) AS score FROM rows WHERE suite = 'appbench' GROUP BY ALL ORDER BY ALL";
    await typed("index", folder());
    const { figures } = await told(`query: "${query}"`);
    const rows = await asked(query);
    expect(rows.length).toBe(2);
    const [{ columns, rows: shown }] = figures as [
      { columns: { title: string }[]; rows: { text: string; value?: number }[][] },
    ];
    expect(columns.map(({ title }) => title)).toEqual(["model", "tasks", "score"]);
    expect(
      shown.map(([model, tasks, score]) => ({ model: model!.text, tasks: tasks!.value, score: score!.value })),
    ).toEqual(rows);
  });

  test("prints the command that makes an index if there is none", async () => {
    const { problems } = await told("query: SELECT 1 AS one");
    expect(problems).toEqual([]);
    notebook("all", cell("query: SELECT 1 AS one"));
    expect((await typed("run", folder("all"))).out.replaceAll(/\s+/g, " ")).toContain(`planwright index ${folder()}`);
  });

  test.each([
    ["query: DROP VIEW rows", "Expected a SELECT"],
    ["query: SELECT 1; SELECT 2", "Expected one SELECT"],
    ["query: SELECT * FROM read_text('/etc/hostname')", "disabled"],
    ["query: SELECT nothing FROM rows", "nothing"],
    ["measures: success", "and nothing else, got `measures`"],
  ])("rejects %s", async (query, why) => {
    await typed("index", folder());
    expect((await told(query)).problems.map(({ message }) => message).join()).toContain(why);
  });
});
