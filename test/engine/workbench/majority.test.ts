/** Several judges of one answer: all are asked, each verdict is saved, and the majority decides. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeAgreement } from "../../../analyses/judge-agreement.ts";
import { overview } from "../../../analyses/overview.ts";
import { own } from "../../../suites/own/index.ts";
import { type Answer, says, scriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

/** The verdicts of judges a, b and c on each question: right, wrong, or unreadable. */
const verdicts: Readonly<Record<string, string>> = { Q1: "RRW", Q2: "WWR", Q3: "RW?", Q4: "???" };
const words = { R: "Verdict: right", W: "Verdict: wrong", "?": "Hard to say" } as const;

const replies: Answer = (response, seen) => {
  const model = String(seen.body["model"]);
  if (model === "m") return says("It is 7.")(response, seen);
  const question = /Q\d/.exec(JSON.stringify(seen.body["messages"]))![0];
  const said = verdicts[question]!["abc".indexOf(model)] as keyof typeof words;
  return says(words[said])(response, seen);
};

const run = (judge: string) =>
  `\`\`\`run main\nsuite: own\nfrom: questions.csv\ncheck: judge\nmodel: lab/m\njudge: ${judge}\n\`\`\`\n`;
const pane = "```analysis people\npane: judge-agreement\npeople: labels.csv:people\n```\n";
const rates = "```analysis main-result\npane: overview\n```\n";

async function open(judge: string) {
  const server = await scriptedServer(replies);
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false };
  const workbench = await sessions.open(`# Mine\n\n${run(judge)}\n${pane}\n${rates}`, {
    suites: [own],
    analyses: [judgeAgreement, overview],
    settings: { endpoints: [lab] },
  });
  const questions = Object.keys(verdicts).map((question) => `${question} What is 3 + 4?,7`);
  writeFileSync(join(sessions.path, "questions.csv"), `question,answer\n${questions.join("\n")}\n`);
  writeFileSync(join(sessions.path, "labels.csv"), "task,people\n1,success\n2,success\n3,failure\n4,success\n");
  workbench.codes.look();
  workbench.refresh();
  await workbench.run(cellNamed(workbench, "main"));
  const asked = (model: string) => server.seen.filter(({ body }) => body["model"] === model).length;
  return { server, workbench, asked, runs: runsOf(workbench, "main") };
}

const majority = "{majority: [lab/a, lab/b, lab/c]}";

describe("a majority of judges", () => {
  it("asks all judges, keeps each verdict, and gives no score for a tie", async () => {
    const { server, workbench, asked, runs } = await open(majority);
    await using _ = server;
    expect(runs).toHaveLength(1);
    // An unreadable verdict is requested once more.
    expect(["m", "a", "b", "c"].map(asked)).toEqual([4, 5, 5, 6]);
    const rows = workbench.rows(runs[0]!.run);
    const kept = { "verdict lab/a": "success", "verdict lab/b": "success", "verdict lab/c": "failure" };
    expect(rows.map(({ state, score }) => [state, score?.value])).toEqual([
      ["scored", 1],
      ["scored", 0],
      ["scored", undefined],
      ["failed", undefined],
    ]);
    expect(rows[0]!.score!.labels).toEqual(kept);
    expect(rows[2]!.score!.labels).toEqual({
      "verdict lab/a": "success",
      "verdict lab/b": "failure",
      "verdict lab/c": "none",
    });
    expect(rows[3]!.failure).toMatchObject({ kind: "judge" });
  });

  it("is compared with people's labels judge by judge", async () => {
    const { server, workbench } = await open(majority);
    await using _ = server;
    await workbench.settled();
    const { figures, missing, problems } = analysisOf(workbench, "people");
    expect([missing, problems]).toEqual([undefined, []]);
    const [table] = figures as never as [{ rows: { text: string }[][]; notes: string[] }];
    expect(table.rows.map((row) => row.slice(0, 4).map(({ text }) => text))).toEqual([
      ["lab/a", "3", "1", "33.33"],
      ["lab/b", "3", "1", "66.67"],
      ["lab/c", "2", "2", "50.00"],
      ["majority of lab/a lab/b lab/c", "2", "2", "50.00"],
    ]);
    expect(analysisOf(workbench, "main-result").figures[0]!.notes.join("\n")).toContain(
      "judge majority of lab/a lab/b lab/c checked on 2",
    );
  });

  it("gives saved answers the same scores again, without requests", async () => {
    const { server, workbench, asked, runs } = await open(majority);
    await using _ = server;
    const before = workbench.rows(runs[0]!.run).map(({ score }) => score);
    const requests = asked("a");
    await workbench.rescore(cellNamed(workbench, "main"));
    expect(workbench.rows(runs[0]!.run).map(({ score }) => score)).toEqual(before);
    expect(asked("a")).toBe(requests);
  });

  it("makes one run, whereas a list of judges makes a grid of runs with the same answers", async () => {
    const { server, runs, asked } = await open(`[lab/a, ${majority}]`);
    await using _ = server;
    expect(runs.map(({ label }) => label)).toEqual(["lab/a", "majority of lab/a lab/b lab/c"]);
    expect(new Set(runs.map((each) => each.run)).size).toBe(2);
    expect(asked("m")).toBe(4);
  });

  it.each([
    ["{majority: lab/a}", "Expected `judge.majority` to be 2 to 15 different models"],
    ["{majority: [lab/a, lab/a]}", "Expected `judge.majority` to be 2 to 15 different models"],
    ["{majority: [lab/a, lab/b], model: lab/c}", "Expected `judge.model` to be absent together with `majority`"],
  ])("is rejected as %s", async (judge, message) => {
    const { server, workbench } = await open(judge);
    await using _ = server;
    const state = workbench.state(cellNamed(workbench, "main")) as {
      readonly problems: readonly { message: string }[];
    };
    expect(state.problems[0]!.message).toContain(message);
  });
});
