/** A run that differs from a saved run only in its judge reuses its answers and sends requests only to the judge. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { takenAnswer } from "../../../source/engine/run/taken-answer.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { refuses, says, scriptedServer, type Answer, type ScriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

const { sessions, suite } = tinySessions();

const lab = (url: string) => ({ name: "lab", baseUrl: url, concurrency: 1, idleTimeout: 5, identify: false });
const cell = (settings: string, name = "main") => `\`\`\`run ${name}\nsuite: tiny\n${settings}\n\`\`\`\n`;
const open = (text: string, { url }: ScriptedServer) =>
  sessions.open(text, { suites: [suite], settings: { endpoints: [lab(url)] } });
/** The planner replies `0`, which is right for the first task; the judge scores everything at half. */
const planner: Answer = (response, seen) => says(seen.body["model"] === "planner" ? "0" : "0.5")(response, seen);
const asked = ({ seen }: ScriptedServer, model: string) => seen.filter(({ body }) => body["model"] === model).length;
const run = async (workbench: SessionWorkbench, name = "main") => {
  await workbench.run(cellNamed(workbench, name));
  return runsOf(workbench, name)[0]!;
};

describe("a judge that is added to a finished run", () => {
  test("receives requests for all saved answers, which count in the run but not as spent", async () => {
    await using server = await scriptedServer(planner);
    const workbench = await open(cell("model: lab/planner"), server);
    const before = await run(workbench);
    const rows = workbench.rows(before.run);
    workbench.edit(cellNamed(workbench, "main"), "suite: tiny\nmodel: lab/planner\njudge: lab/judge\n");
    const after = await run(workbench);

    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 12]);
    expect(before).toMatchObject({ calls: 12, counts: { right: 1, wrong: 11 } });
    expect(before.taken).toBeUndefined();
    expect(after).toMatchObject({ status: "done", calls: 12, counts: { right: 0, wrong: 12 } });
    const judged = workbench.rows(after.run);
    for (const [index, row] of judged.entries()) {
      const own = rows[index]!.counted;
      expect(row.score?.value).toBe(0.5);
      expect(row.spent).toMatchObject({ calls: 1, tokens: { input: 7, output: 3 } });
      expect(row.counted).toMatchObject({ calls: own.calls + 1, tokens: { input: 14, output: 6 } });
    }
    const { entries, answer } = (await workbench.trajectory({ run: after.run, task: "t3" }))!;
    expect(answer).toBe("0");
    expect(entries.map((entry) => (entry.kind === "turn" ? [entry.role, entry.text] : entry.kind))).toEqual([
      "note",
      ["model", "0"],
      "answer",
      ["judge", "0.5"],
    ]);
  });

  test("causes a note in the cell and in figures that names the run of the answers", async () => {
    await using server = await scriptedServer(planner);
    const analysis = "```analysis groups\npane: difficulty\nof: [second]\n```\n";
    const cells = `${cell("model: lab/planner", "first")}\n${cell("model: lab/planner\njudge: lab/judge", "second")}\n`;
    const workbench = await open(`${cells}${analysis}`, server);
    const { run: first } = await run(workbench, "first");
    const second = await run(workbench, "second");
    const said = `12 answers reused from run ${first} (no judge), not requested again`;
    expect(second.taken).toEqual([{ source: { run: first, judge: undefined }, answers: 12 }]);
    expect(second.warnings).toContain(said);
    expect(analysisOf(workbench, "groups").warnings).toContain(said);
  });

  test("can be replaced and removed, and no request is sent twice", async () => {
    await using server = await scriptedServer(planner);
    const text = ["judge: lab/judge", "judge: lab/other", ""].map((judge, index) =>
      cell(`model: lab/planner\n${judge}`, `cell${index}`),
    );
    const workbench = await open(text.join("\n"), server);
    const [one, two, none] = [
      await run(workbench, "cell0"),
      await run(workbench, "cell1"),
      await run(workbench, "cell2"),
    ];
    expect(["planner", "judge", "other"].map((model) => asked(server, model))).toEqual([12, 12, 12]);
    const source = { run: one.run, judge: "lab/judge" };
    expect([two.taken, none.taken]).toEqual([[{ source, answers: 12 }], [{ source, answers: 12 }]]);
    expect(none).toMatchObject({ calls: 0, counts: { right: 1, wrong: 11 } });
  });

  test("gets no saved answers if another setting also differs", async () => {
    await using server = await scriptedServer(planner);
    const workbench = await open(
      `${cell("model: lab/planner")}\n${cell("model: lab/planner\njudge: lab/judge\ntrial: 2", "other")}\n`,
      server,
    );
    await run(workbench);
    expect((await run(workbench, "other")).taken).toBeUndefined();
    expect(asked(server, "planner")).toBe(24);
  });

  test("judges the saved answers, whereas the model receives requests for the missing answers", async () => {
    let refused = 0;
    await using server = await scriptedServer((response, seen) => {
      const fails = seen.body["model"] === "planner" && refused++ < 1;
      (fails ? refuses(400, { error: { message: "no" } }) : planner)(response, seen);
    });
    const workbench = await open(
      `${cell("model: lab/planner")}\n${cell("model: lab/planner\njudge: lab/judge", "b")}\n`,
      server,
    );
    expect((await run(workbench)).counts).toMatchObject({ failed: 1, right: 0, wrong: 11 });
    const judged = await run(workbench, "b");
    expect(judged).toMatchObject({ status: "done", counts: { wrong: 12 }, taken: [{ answers: 11 }] });
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([13, 12]);
  });

  test("requires only its own endpoint", async () => {
    await using server = await scriptedServer(planner);
    const first = await open(cell("model: lab/planner"), server);
    await run(first);
    await first.close();
    const again = await sessions.open(cell("model: lab/planner\njudge: builtin/oracle"), {
      suites: [suite],
      settings: { endpoints: [] },
    });
    expect(await run(again)).toMatchObject({ status: "done", counts: { wrong: 12 } });
    expect(asked(server, "planner")).toBe(12);
  });

  test("is subject to the run's limits like the model, and the answers that it judges count towards these limits", async () => {
    await using server = await scriptedServer(planner);
    const limited = (steps: number) => `model: lab/planner\nbudget: {run: {steps: ${steps}}}\n`;
    const workbench = await open(cell(limited(5)), server);
    await run(workbench);
    workbench.edit(cellNamed(workbench, "main"), `suite: tiny\n${limited(8)}judge: lab/judge\n`);
    const judged = await run(workbench);
    expect(judged).toMatchObject({ calls: 3, message: "The run reached its limit of 8 steps" });
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([5, 3]);
    expect(judged.taken).toMatchObject([{ answers: 3 }]);
  });

  test("is asked again after it failed, without the model, and is also asked about a task that is executed again", async () => {
    let refused = 0;
    await using server = await scriptedServer((response, seen) => {
      const fails = seen.body["model"] === "judge" && refused++ < 1;
      (fails ? refuses(400, { error: { message: "no" } }) : planner)(response, seen);
    });
    const workbench = await open(cell("model: lab/planner\njudge: lab/judge"), server);
    const first = await run(workbench);
    expect(first.counts).toMatchObject({ wrong: 11, failed: 1 });
    const resumed = await run(workbench);
    expect(resumed).toMatchObject({ status: "done", counts: { wrong: 12, failed: 0 } });
    expect(resumed.taken).toBeUndefined();
    for (const { task, counted } of workbench.rows(first.run)) {
      expect(counted.calls).toBe(2);
      expect((await workbench.trajectory({ run: first.run, task }))!.answer).toBe("0");
    }
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 13]);
    await workbench.run(cellNamed(workbench, "main"), [{ run: first.run, task: "t5" }]);
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([13, 14]);
  });

  test("has a forecast of its own requests only, which names the run whose answers are reused", async () => {
    await using server = await scriptedServer(planner);
    const workbench = await open(cell("model: lab/planner"), server);
    const { run: saved } = await run(workbench);
    const forecast = await workbench.forecast("suite: tiny\nmodel: gone/planner\njudge: builtin/oracle\n");
    // Another model makes another run, which does not exist here.
    expect(forecast.problems).toHaveLength(1);
    const judged = await workbench.forecast("suite: tiny\nmodel: lab/planner\njudge: builtin/oracle\n");
    expect(judged).toMatchObject({ tasks: 12, calls: 0, problems: [] });
    expect(judged.warnings).toContain(`12 answers reused from run ${saved} (no judge), not requested again`);
    rmSync(join(sessions.path, "runs", saved), { recursive: true });
    const fresh = await workbench.forecast("suite: tiny\nmodel: lab/planner\njudge: builtin/oracle\n");
    expect(fresh.warnings.join()).not.toContain("taken from");
  });
});

describe("the part of an attempt that a new judge reuses", () => {
  let seq = 0;
  const event = (more: object) => ({ seq: seq++, at: seq * 10, task: "t", ...more }) as unknown as TaskEvent;
  const prompt = (request: number, role: string, more = {}) =>
    event({ type: "prompt", request, role, model: "m", stage: "plan", messages: [], ...more });
  const finish = (request: number) => event({ type: "finish", request, reason: "stop" });
  const result = () => event({ type: "result", callId: "c", name: "tool", result: { ok: true } });

  test("contains everything before the judge's request, including how long replies and tools took", () => {
    const attempt = [
      event({ type: "started", facets: {}, question: "" }),
      prompt(0, "model"),
      event({ type: "text", request: 0, text: "void" }),
      event({ type: "retry", request: 0, attempt: 1, status: 500, error: "", wait: 0 }),
      event({ type: "text", request: 0, text: "good" }),
      finish(0),
      result(),
      event({ type: "answer", answer: "good" }),
      prompt(1, "judge"),
      finish(1),
      event({ type: "failed", failure: { kind: "budget", message: "used up" } }),
    ];
    const taken = takenAnswer([event({ type: "started" }), prompt(0, "model"), ...attempt], {
      run: "0123456789abcdef",
      judge: "lab/judge",
    });
    expect(taken).toEqual({
      requests: 1,
      failure: { kind: "budget", message: "used up" },
      steps: [
        {
          type: "note",
          kind: "answer-from:0123456789abcdef lab/judge",
          text: "The answer comes from run 0123456789abcdef (judge lab/judge)",
        },
        { type: "prompt", request: 0, role: "model", model: "m", stage: "plan", messages: [], saved: 40 },
        { type: "text", request: 0, text: "good" },
        { type: "finish", request: 0, reason: "stop" },
        { type: "result", callId: "c", name: "tool", result: { ok: true }, saved: 10 },
        { type: "answer", answer: "good" },
      ],
    });
  });

  test("keeps the name of the run that gave the answer, without the judge's failure", () => {
    const source = event({ type: "note", kind: "answer-from:aaaa none", text: "The answer comes from run aaaa" });
    const failed = event({ type: "failed", failure: { kind: "judge", message: "no" } });
    const attempt = [event({ type: "started" }), source, prompt(0, "model", { saved: 7 }), finish(0), failed];
    const { steps, failure } = takenAnswer(attempt, { run: "bbbb", judge: undefined });
    expect(steps.map((step) => (step.type === "note" ? step.kind : step.type))).toEqual([
      "answer-from:aaaa none",
      "prompt",
      "finish",
    ]);
    expect(steps[1]).toMatchObject({ saved: 7 });
    expect(failure).toBeUndefined();
  });
});

describe("a choice that leaves every task unscored", () => {
  const suites = [toolbench, ultratool];
  test.each([
    ["suite: ultratool\nsplit: en/planning", /No answer will be scored: plans need/],
    ["suite: ultratool\nsplit: zh/tool_creation", /No answer will be scored: created tools need/],
    ["suite: ultratool\nsplit: en/planning\njudge: builtin/oracle", undefined],
    ["suite: ultratool\nsplit: en/tool_usage", undefined],
    ["suite: toolbench\nstrategy: react", undefined],
  ])("causes a warning in the form and in the cell before the run: %s", async (settings, warning) => {
    const source = `${settings}\ndata: sample\nmodel: builtin/oracle\nlimit: 2\n`;
    const workbench = await sessions.open(`\`\`\`run main\n${source}\`\`\`\n`, { suites });
    const said = [runsOf(workbench, "main")[0]!.warnings, (await workbench.forecast(source)).warnings];
    for (const warnings of said) {
      if (warning === undefined) expect(warnings.join()).not.toMatch(/will be scored/);
      else expect(warnings.join()).toMatch(warning);
    }
    const { counts } = await run(workbench);
    expect(counts.unscored > 0).toBe(warning !== undefined);
  });

  test("is the default on ToolBench's published queries and on TravelPlanner's test split", () => {
    const published = bareSpec("toolbench", { data: "published" });
    expect(toolbench.unscored?.(published)).toContain("No task will be scored");
    expect(toolbench.unscored?.({ ...published, judge: "lab/judge" })).toBeUndefined();
    expect(travelplanner.unscored?.({ ...published, split: "test" })).toContain("No plan will be scored");
    expect(travelplanner.unscored?.({ ...published, split: "validation" })).toBeUndefined();
  });
});
