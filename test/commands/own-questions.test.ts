import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

const questions =
  'question,answer,topic\nWhat is 3 + 4?,7,sums\n"What is 1,200 + 34?","1,234",sums\nCapital of Spain?,12,places\n';

function session(cell: string, file: string | undefined = questions): string {
  mkdirSync(at("s"), { recursive: true });
  if (file !== undefined) writeFileSync(at("s", "questions.csv"), file);
  writeFileSync(
    at("s", "session.md"),
    `# Mine\n\n\`\`\`run main\n${cell}\n\`\`\`\n\n\`\`\`analysis by\nanalysis: difficulty\nby: topic\n\`\`\`\n`,
  );
  return at("s");
}

type Printed = {
  readonly cells: readonly {
    readonly problems: readonly { readonly message: string }[];
    readonly runs?: readonly {
      readonly spec: { readonly suite: string; readonly data: string; readonly dataset: string };
      readonly rows: readonly { readonly task: string; readonly score: { readonly value: number } }[];
    }[];
    readonly figures?: readonly { readonly rows: readonly (readonly { readonly text: string }[])[] }[];
  }[];
};

async function run(folder: string): Promise<Printed["cells"]> {
  return (JSON.parse((await typed("run", folder, "--json")).out) as Printed).cells;
}

describe("ten of the user's own questions, without code", () => {
  test("get right answers from the oracle and mistakes at the requested rate, and have the file's columns as facets", async () => {
    const folder = session(
      'suite: own\nfrom: questions.csv\ncheck: number\nmodel: [builtin/oracle, "builtin/slips?rate=1"]',
    );
    const [, cell, figure] = await run(folder);
    const [oracle, slips] = cell!.runs!;
    expect(oracle!.rows.map(({ score }) => score.value)).toEqual([1, 1, 1]);
    expect(slips!.rows.map(({ score }) => score.value)).toEqual([0, 0, 0]);
    expect(oracle!.spec).toMatchObject({ suite: "own/questions.csv", data: "own" });
    const texts = figure!.figures![0]!.rows.map((row) => row.map(({ text }) => text));
    expect(texts.map(([, topic]) => topic)).toEqual(["places", "sums", "all", "places", "sums", "all"]);
    const { out } = await typed("run", folder);
    expect(out).toContain("your own questions");
    const mark = /\* (\[\d\]) Your own data/.exec(out)![1]!;
    for (const title of ["Accuracy by topic (own)", "Accuracy by run and topic"])
      expect(out.split("\n").find((line) => line.startsWith(title))).toContain(mark);
    expect(out).not.toMatch(/published|[Ss]ample tasks/);
  });

  test("belong to another run after the file changes; the previous content belongs to the previous run", async () => {
    const folder = session("suite: own\nfrom: questions.csv\ncheck: number\nmodel: builtin/oracle");
    const [, before] = await run(folder);
    writeFileSync(at("s", "questions.csv"), `${questions}Two?,2,sums\n`);
    const [, changed] = await run(folder);
    writeFileSync(at("s", "questions.csv"), questions);
    const [, after] = await run(folder);
    expect(changed!.runs![0]!.rows).toHaveLength(4);
    expect(changed!.runs![0]!.spec.dataset).not.toBe(before!.runs![0]!.spec.dataset);
    expect(after!.runs).toEqual(before!.runs);
  });

  test("are judged by the rubric; a run without a judge reports that it will have no score", async () => {
    const cell = "suite: own\nfrom: questions.csv\ncheck: judge\nrubric: Any number will do.\nmodel: builtin/oracle";
    const { out } = await typed("run", session(cell));
    expect(out).toContain("`check: judge` needs `judge: ENDPOINT/MODEL`");
    const [, judged] = await run(session(`${cell}\njudge: builtin/oracle`));
    expect(judged!.runs![0]!.rows.map(({ score }) => score.value)).toEqual([1, 1, 1]);
    const ids = judged!.runs![0] as unknown as { readonly run: string; readonly scoring: string };
    const log = readFileSync(at("s", "runs", `${ids.run}.${ids.scoring}`, "events.jsonl"), "utf8");
    expect(log).toContain("Any number will do.");
    const wrong = `${cell.replace("builtin/oracle", '"builtin/slips?rate=1"')}\njudge: builtin/oracle`;
    const [, fooled] = await run(session(wrong));
    expect(fooled!.runs![0]!.rows.map(({ score }) => score.value)).toEqual([0, 0, 0]);
  });

  test("have no score if the check cannot use the answer key, and no request is sent if no question can be scored", async () => {
    const cell = "suite: own\nfrom: questions.csv\ncheck: number\nmodel: builtin/oracle";
    const [, some] = await run(session(cell, "question,answer\nHow many?,7\nWhere?,Paris\n"));
    expect(some!.runs![0]!.rows.map(({ score }) => score.value)).toEqual([1, undefined]);
    const why = "Expected the answer of question `2` to contain a number for `check: number`, got `Paris`";
    expect(some!.runs![0]!.rows[1]!.score).toMatchObject({ labels: { answer: why } });
    const [, none] = await run(session(cell, "question,answer\nWhere?,Paris\n"));
    expect(none!.runs![0]).toMatchObject({ rows: [], message: why.replace("`2`", "`1`") });
  });

  test("report a misspelt field together with the missing field", async () => {
    const [, main] = await run(session("suite: own\nform: questions.csv\nmodel: builtin/oracle"));
    expect(main!.problems.map(({ message }) => message)).toEqual([
      "Expected `from` to be a file in the folder of the session, got nothing",
      "Expected the fields of a run, got `form`",
    ]);
  });

  test.each([
    ["suite: own\nmodel: builtin/oracle", "Expected `from` to be a file in the folder of the session, got nothing"],
    ["suite: own\nfrom: none.csv\nmodel: builtin/oracle", "Expected a file of questions at"],
    ["suite: own\nfrom: folder.csv\nmodel: builtin/oracle", "found no file"],
    [
      "suite: own\nfrom: ../../etc/passwd\nmodel: builtin/oracle",
      "Expected a path inside the folder of the session, got `../../etc/passwd`",
    ],
    ["suite: own\nfrom: linked.csv\nmodel: builtin/oracle", "is a link that leads out of"],
    [
      "suite: own\nfrom: questions.csv\ndata: published\nmodel: builtin/oracle",
      'Expected `data` to be one of own, got `"published"`',
    ],
    [
      "suite: appbench\nfrom: questions.csv\nmodel: builtin/oracle",
      "Expected no `from` for `appbench`, whose tasks are included",
    ],
    [
      "suite: appbench\ndata: own\nmodel: builtin/oracle",
      'Expected `data` to be one of sample, published, got `"own"`',
    ],
  ])("are rejected with %j: %s", async (cell, message) => {
    const folder = session(cell);
    writeFileSync(at("secret.csv"), questions);
    symlinkSync(at("secret.csv"), at("s", "linked.csv"));
    mkdirSync(at("s", "folder.csv"));
    const [, { problems }] = (await run(folder)) as [unknown, Printed["cells"][number]];
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  });
});
