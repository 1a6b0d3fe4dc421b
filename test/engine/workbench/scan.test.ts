/** Scans of saved trajectories: annotated logs, three ways to ask who failed at which step, and rubrics. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { suites } from "../../../suites/index.ts";
import { temporaryFolder, typed } from "../../commands/typed.ts";
import { type Answer, says, scriptedServer } from "../models/scripted-server.ts";
import { annotated, writeLogs } from "./annotated-logs.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();
const at = temporaryFolder();

/** Opens a session with the logs and one more cell. */
async function open(cell: string, answer: Answer) {
  writeLogs(at("logs"));
  const said = await typed("import", "who-and-when", at("logs"), "--into", sessions.path);
  expect(said).toMatchObject({ status: 0 });
  const server = await scriptedServer(answer);
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false };
  const workbench = await sessions.open(undefined, { suites, settings: { endpoints: [lab] } });
  workbench.insert("run", workbench.cells().at(-1)!.id, `${cell}\nmodel: lab/m\n`, "asked");
  workbench.insert("analysis", workbench.cells().at(-1)!.id, "pane: attribution\nof: asked\n", "who");
  workbench.save();
  return { server, workbench };
}

const promptOf = ({ body }: Parameters<Answer>[1]) =>
  (body["messages"] as readonly { readonly content: string }[]).map(({ content }) => content).join("\n");
const logOf = (prompt: string) => Number(/Question of log (\d+)/.exec(prompt)![1]);

/** Right about the step of logs 1 to 7 and the agent of logs 1 to 8 if the right answer is shown, otherwise about none. */
const predicted = (log: number) => ({
  step: log <= 7 ? annotated(log).step : 0,
  agent: log <= 8 ? annotated(log).agent : "nobody",
});

describe("annotated logs in a session", () => {
  it("are imported as one run per set, and annotations become codes at their step", async () => {
    const { server, workbench } = await open("scan: {of: hand-crafted, method: all-at-once}", says(""));
    await using _ = server;
    expect(runsOf(workbench, "hand-crafted")[0]).toMatchObject({ status: "done", counts: { unscored: 10 } });
    expect(runsOf(workbench, "algorithm-generated")[0]).toMatchObject({ counts: { unscored: 3 } });
    const [run] = runsOf(workbench, "hand-crafted");
    const { codes, labelled } = workbench.codes.codebook.runs.get(run!.run)!.get("4")!;
    expect(codes.map(({ kind, by, remark }) => [kind, by, remark])).toEqual([
      ["mistake_agent", "who-and-when", "Coder"],
      ["mistake_step", "who-and-when", "Reason 4"],
    ]);
    expect(codes[1]!.place).toMatchObject({
      section: "steps",
      step: 4,
      quote: "Step 4 of log 4 says the wrong thing.",
    });
    expect(labelled).toHaveLength(1);
    const { entries } = (await workbench.trajectory({ run: run!.run, task: "4" }))!;
    expect(entries[4]).toMatchObject({ kind: "turn", model: "Coder", text: "Step 4 of log 4 says the wrong thing." });
    // Importing them again adds nothing.
    const before = readFileSync(join(sessions.path, "codes", "who-and-when.jsonl"), "utf8");
    await workbench.close();
    await typed("import", "who-and-when", at("logs"), "--into", sessions.path);
    expect(readFileSync(join(sessions.path, "codes", "who-and-when.jsonl"), "utf8")).toBe(before);
  });
});

describe("an attributor with a known share of right predictions", () => {
  const scripted: Answer = (response, seen) => {
    const prompt = promptOf(seen);
    const { agent, step } = predicted(logOf(prompt));
    const isShown = prompt.includes("Its right answer: answer");
    const [, of] = /Is step (\d+), the last/.exec(prompt) ?? [];
    const [, from, to] = /upper half \(steps (\d+) to (\d+)\)/.exec(prompt) ?? [];
    const reply =
      of !== undefined
        ? `1. ${Number(of) === step ? "Yes" : "No"}\n2. Reason`
        : from !== undefined
          ? `${step >= Number(from) && step <= Number(to) ? "Upper" : "Lower"} half`
          : isShown
            ? `Agent Name: ${agent}\nStep Number: ${step}\nReason for Mistake: so`
            : "I cannot say.";
    says(reply)(response, seen);
  };
  const methods = "[all-at-once, step-by-step, binary-search, hybrid]";

  it("has the known accuracies with each method, and no accuracy without a prediction", async () => {
    const { server, workbench } = await open(
      `scan: {of: hand-crafted, method: ${methods}, answer: [on, off]}`,
      scripted,
    );
    await using _ = server;
    await workbench.run(cellNamed(workbench, "asked"));
    await workbench.settled();
    const [table, , pairs] = analysisOf(workbench, "who").figures as readonly TableFigure[];
    const column = (title: string) => table!.columns.findIndex((each) => each.title === title);
    const lines = table!.rows
      .slice(0, 8)
      .map((row) => [row[0]!.text, row[2]!.text, row[column("Agent %")]!.text, row[column("Step %")]!.text]);
    // A predicted step names its speaker: 7 of 10 agents, plus logs 8, 9 and 10, whose step 0 is the human's.
    expect(lines).toEqual([
      ["all-at-once · answer on", "10", "80.00", "70.00"],
      ["all-at-once · answer off", "10", "0.00", "0.00"],
      ["step-by-step · answer on", "10", "80.00", "70.00"],
      ["step-by-step · answer off", "10", "80.00", "70.00"],
      ["binary-search · answer on", "10", "80.00", "70.00"],
      ["binary-search · answer off", "10", "80.00", "70.00"],
      ["hybrid · answer on", "10", "80.00", "70.00"],
      ["hybrid · answer off", "10", "0.00", "0.00"],
    ]);
    expect(table!.title).toBe("Who failed at which step: Hand-Crafted");
    expect(table!.notes).toContain(
      "all-at-once · answer off is not above the floor: at 95 % it is no better than a constant answer",
    );
    expect(pairs!.rows).toHaveLength(28);
    expect(server.seen.length).toBe(2 * (10 + stepsAsked + halvings + 10) + ownStepsAsked);
  });
  /** Step by step asks up to the predicted step; halving asks until one step is left. */
  const stepsAsked = Array.from({ length: 10 }, (_, log) => predicted(log + 1).step + 1).reduce((a, b) => a + b);
  /** The hybrid asks about all steps of the agent that it named, if it named one. */
  const ownStepsAsked = Array.from({ length: 10 }, (_, at) => {
    const { agent, step } = predicted(at + 1);
    const own = Array.from({ length: 6 + at }, (__, index) => index).filter(
      (index) => annotated(index).agent === agent,
    );
    return own.includes(step) ? own.indexOf(step) + 1 : own.length;
  }).reduce((a, b) => a + b);
  const halvings = Array.from({ length: 10 }, (_, log) => halved(6 + log, predicted(log + 1).step)).reduce(
    (a, b) => a + b,
  );
});

/** Requests until one of `steps` is left. */
function halved(steps: number, step: number): number {
  let [from, to, asked] = [0, steps - 1, 0];
  for (; from < to; asked++) {
    const middle = from + Math.floor((to - from) / 2);
    if (step <= middle) to = middle;
    else from = middle + 1;
  }
  return asked;
}

describe("a rubric of a scan", () => {
  const answer: Answer = (response, seen) => {
    const log = logOf(promptOf(seen));
    const found = [
      { label: "Guess", step: 9, quote: `Step ${log} of log ${log} says the wrong thing` },
      { label: "guess", step: 0, quote: "words that nobody wrote" },
      { label: "other", step: 1, quote: "Step 1" },
    ];
    says(log === 10 ? "Nothing of that kind" : `Here: ${JSON.stringify({ labels: log === 9 ? [] : found })}`)(
      response,
      seen,
    );
  };
  const cell =
    'scan: {of: hand-crafted, question: Is there a guess?, labels: {guess: "says without looking"}, quote: on}';

  it("adds codes of the model at the quoted step, and rejects a quote that the step does not contain", async () => {
    const { server, workbench } = await open(cell, answer);
    await using _ = server;
    await workbench.run(cellNamed(workbench, "asked"));
    const [run] = runsOf(workbench, "hand-crafted");
    const file = readdirSync(join(sessions.path, "codes")).find((name) => name.startsWith("model"))!;
    const lines = readFileSync(join(sessions.path, "codes", file), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    const read = lines.map(
      (line) => JSON.parse(line) as { type: string; by: string; task: string; kind: string; run: string },
    );
    expect(
      read.filter(({ type }) => type === "code").map(({ by, kind, task, run: of }) => [by, kind, task, of]),
    ).toEqual(Array.from({ length: 8 }, (__, log) => ["model:lab/m", "guess", String(log + 1), run!.run]));
    expect(read.filter(({ type }) => type === "labelled").map(({ task }) => task)).toHaveLength(9);
    const codes = workbench.codes.codebook.runs
      .get(run!.run)!
      .get("3")!
      .codes.filter(({ by }) => by === "model:lab/m");
    expect(codes[0]!.place).toMatchObject({ section: "steps", step: 3, block: "step 3 reply" });
    const rows = workbench.rows(runsOf(workbench, "asked")[0]!.run);
    expect(rows.map(({ score }) => score!.metrics["found"])).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, undefined]);
    expect(rows[0]!.score!.metrics).toMatchObject({ refused: 2, unread: 0 });
    // Saved: nothing is requested again.
    const before = server.seen.length;
    await workbench.run(cellNamed(workbench, "asked"));
    expect(server.seen.length).toBe(before);
  });

  const inducing = "scan: {of: hand-crafted, question: What goes wrong?, induce: true}";
  const named = ["Lucky guess", "lucky-guesses", "No look"];
  /** Names a kind for each log, merges the kinds by `merging`, and finally labels each log. */
  const induced =
    (merging: object): Answer =>
    (response, seen) => {
      const prompt = promptOf(seen);
      if (prompt.includes("<kinds>")) return says(JSON.stringify(merging))(response, seen);
      const log = logOf(prompt);
      const kinds = [
        { name: named[log % 3], meaning: "It answers | without looking." },
        { name: "a: b" },
        { name: "One to four words" },
      ];
      const labels = [{ label: "Lucky guess", step: 2, quote: `Step 2 of log ${log}` }];
      return says(JSON.stringify(prompt.includes("Allowed labels") ? { labels } : { kinds }))(response, seen);
    };
  const proposalIn = (workbench: Awaited<ReturnType<typeof open>>["workbench"]) =>
    workbench.cells().find(({ kind, name }) => kind === "kinds" && name === "asked")!;

  it("proposes kinds first with `induce: true`, and applies the kinds that people accepted", async () => {
    const { server, workbench } = await open(inducing, induced({ kinds: [] }));
    await using _ = server;
    await workbench.run(cellNamed(workbench, "asked"));
    expect(workbench.proposed).toEqual(["asked"]);
    const proposal = proposalIn(workbench);
    expect(proposal.source.trim().split("\n")).toEqual([
      "lucky-guesses: It answers | without looking. (proposed for 7)",
      "No look: It answers | without looking. (proposed for 3)",
    ]);
    workbench.edit(proposal.id, "Lucky guess: answers without looking\n");
    await workbench.run(cellNamed(workbench, "asked"));
    expect(server.seen).toHaveLength(21);
    expect(promptOf(server.seen.at(-1)!)).toContain("- Lucky guess: answers without looking");
    const [run] = runsOf(workbench, "hand-crafted");
    const found = [...workbench.codes.codebook.runs.get(run!.run)!.values()].flatMap(({ codes }) => codes);
    expect(found.filter(({ kind }) => kind === "Lucky guess")).toHaveLength(10);
    expect(workbench.proposed).toHaveLength(1);
  });

  it("asks the model to merge its proposed kinds in one more request, which is a run of the cell", async () => {
    const kinds = [{ name: "Unfounded answer", meaning: "It answers without evidence.", of: [2, 1] }];
    const { server, workbench } = await open(inducing, induced({ kinds }));
    await using _ = server;
    expect(runsOf(workbench, "asked")).toHaveLength(1);
    await workbench.run(cellNamed(workbench, "asked"));
    expect(server.seen).toHaveLength(11);
    expect(promptOf(server.seen.at(-1)!)).toContain(
      "<kinds>\n1. lucky-guesses: It answers | without looking. (proposed for 7)\n2. No look: It answers | without looking. (proposed for 3)\n</kinds>",
    );
    expect(proposalIn(workbench).source).toBe(
      "Unfounded answer: It answers without evidence. (proposed for 10; merged: No look, lucky-guesses)\n",
    );
    // Without its proposal, the cell has both runs and repeats no request.
    workbench.remove(proposalIn(workbench).id);
    expect(runsOf(workbench, "asked").map(({ status, spec, total }) => [status, spec.strategy, total])).toEqual([
      ["done", "open-codes", 10],
      ["done", "merged-kinds", 1],
    ]);
    await workbench.run(cellNamed(workbench, "asked"));
    expect(server.seen).toHaveLength(11);
    expect(proposalIn(workbench).source).toContain("Unfounded answer");
  });

  it("proposes kinds that are merged by their names if the model's reply cannot be read", async () => {
    const { server, workbench } = await open(inducing, induced(["no kinds"]));
    await using _ = server;
    await workbench.run(cellNamed(workbench, "asked"));
    expect(proposalIn(workbench).source.trim().split("\n")).toHaveLength(2);
  });

  it.each([
    ["scan: {of: hand-crafted, question: a, induce: true, labels: [b]}", "Expected `labels`, or `induce: true`"],
    ["scan: plans", "Expected `scan` to be a map"],
    [
      "scan: {of: plans, question: a, labels: [b]}",
      'Expected `scan.of` to name run cells of this notebook, got `"plans"`',
    ],
    ["scan: {of: hand-crafted, labels: [b]}", "Expected `scan.question` to be a question about each trajectory"],
    ["scan: {of: hand-crafted, question: a}", "Expected `scan.labels` to be names of kinds"],
    ["scan: {of: hand-crafted, method: all-at-once, quote: on}", "Expected `quote` only without `method`"],
    ["scan: {of: hand-crafted, method: merged-kinds}", "Expected `induce: true`, which sets the method `merged-kinds`"],
    ["scan: {of: hand-crafted, question: a, labels: [b]}\nsplit: kinds", "Expected no `split` with `scan`"],
    ["scan: {of: hand-crafted, quesion: a}", "did you mean `question`?"],
    ["scan: {of: hand-crafted, method: guess}", "Expected `strategy` to be one of rubric, open-codes, all-at-once"],
  ])("is rejected as %s", async (written, message) => {
    const { server, workbench } = await open(written, says(""));
    await using _ = server;
    const state = workbench.state(cellNamed(workbench, "asked")) as {
      readonly problems: readonly { message: string }[];
    };
    expect(state.problems[0]!.message).toContain(message);
  });
});
