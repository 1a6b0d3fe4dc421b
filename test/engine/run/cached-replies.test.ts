/** `cache: on`: an earlier request is not sent again, and a cached reply is always distinguishable from a new one. */
import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../../../source/engine/run/ask.ts";
import { emptySettings, type Endpoint } from "../../../source/engine/settings/settings.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { Row } from "../../../source/engine/types.ts";
import { delta, event, says, scriptedServer, stream, type ScriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";
import { tinySuite } from "../workbench/tiny-suite.ts";

const sessions = temporarySessions();

const cell = (fields: string) => `\`\`\`run main\nsuite: tiny\nmodel: lab/m\nlimit: 1\n${fields}\`\`\`\n`;

/** Asks the same question twice and answers with both replies. */
const askingTwice: Strategy<"stages"> = {
  name: "twice",
  title: "Twice",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    const messages = [{ role: "user" as const, content: context.task.question }];
    const first = yield* ask(context, { role: "model", stage: "plan", messages });
    const second = yield* ask(context, { role: "model", stage: "plan", messages });
    yield { type: "answer", answer: [first.text, second.text] };
  },
};

async function open(server: ScriptedServer, text: string, endpoint: Partial<Endpoint> = {}, twice = false) {
  const prices = { "*": { input: 1_000_000, output: 1_000_000 } };
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false, prices };
  const { suite } = tinySuite();
  const suites = [twice ? Object.assign(suite, { strategies: [askingTwice] }) : suite];
  return sessions.open(text, { settings: { ...emptySettings, endpoints: [{ ...lab, ...endpoint }] }, suites });
}

/** Runs the cell in a separate program, and closes the session. */
async function execute(...given: Parameters<typeof open>): Promise<{ row: Row; workbench: SessionWorkbench }> {
  const workbench = await open(...given);
  await workbench.run(cellNamed(workbench, "main"));
  const row = workbench.rows(runsOf(workbench, "main")[0]!.run)[0]!;
  await workbench.close();
  return { row, workbench };
}

const forgetRuns = () => rmSync(join(sessions.path, "runs"), { recursive: true });
const replies = join("settings", "replies");

describe("the cache of replies", () => {
  test("is off unless the cell enables it: nothing is stored and every request is sent", async () => {
    await using server = await scriptedServer(says("1"));
    await execute(server, cell(""));
    forgetRuns();
    await execute(server, cell("cache: off\n"));
    expect(server.seen).toHaveLength(2);
    expect(readdirSync(join(sessions.folder, "settings"))).not.toContain("replies");
  });

  test("answers an earlier request, even of another run, and the row counts the request but no spending", async () => {
    await using server = await scriptedServer(
      stream(
        delta({ reasoning_content: "It is " }),
        delta({ reasoning_content: "one." }),
        delta({ content: "o" }),
        delta({ content: "ne" }),
        delta({}, "stop"),
        event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }),
      ),
    );
    const asked = await execute(server, cell("cache: on\n"));
    forgetRuns();
    // The budget is part of the run's id, but of no request.
    const { row, workbench } = await execute(server, cell("cache: on\nbudget: {task: {steps: 9}}\n"));
    expect(server.seen).toHaveLength(1);
    expect(row.run).not.toBe(asked.row.run);
    expect(row.counted).toMatchObject({ calls: 1, tokens: asked.row.counted.tokens, cost: 10 });
    expect(row.spent).toMatchObject({ calls: 0, tokens: { input: 0, output: 0 }, cost: 0 });
    expect(publicRow(row).counts["reply:cached"]).toBe(1);
    expect(publicRow(asked.row).counts).not.toHaveProperty("reply:cached");

    const again = await open(server, cell("cache: on\nbudget: {task: {steps: 9}}\n"));
    const [run] = runsOf(again, "main");
    expect(run!.warnings).toContain("1 of 1 reply taken from the cache; figures omit the seconds of their tasks");
    const trajectory = await again.trajectory({ run: row.run, task: row.task });
    expect(trajectory?.entries[0]).toMatchObject({ text: "one", thinking: "It is one.", saved: "cache" });
    expect(workbench.bugs).toBe(0);
  });

  test("answers the second of two identical requests with the second reply", async () => {
    await using server = await scriptedServer(says("1"), says("2"));
    const answer = async () => {
      const workbench = await open(server, cell("cache: on\n"), {}, true);
      await workbench.run(cellNamed(workbench, "main"));
      const { run } = runsOf(workbench, "main")[0]!;
      const trajectory = await workbench.trajectory({ run, task: workbench.rows(run)[0]!.task });
      await workbench.close();
      forgetRuns();
      return trajectory!.answer;
    };
    expect(await answer()).toEqual(["1", "2"]);
    expect(await answer()).toEqual(["1", "2"]);
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ["another trial", "trial: 2\n", {}],
    ["another body", "temperature: 1\n", {}],
    ["another field of the body", "request: {lab_field: 1}\n", {}],
    ["another address", "", { query: { "api-version": "2" } }],
    ["another task", "filter: {parity: odd}\n", {}],
  ])("is not used for %s", async (_, fields, endpoint) => {
    await using server = await scriptedServer(says("1"));
    await execute(server, cell("cache: on\n"));
    forgetRuns();
    await execute(server, cell(`cache: on\n${fields}`), endpoint);
    expect(server.seen).toHaveLength(2);
  });

  test("is not used for a damaged file, and a file that cannot be written is reported", async () => {
    await using server = await scriptedServer(says("1"));
    await execute(server, cell("cache: on\n"));
    forgetRuns();
    const folder = join(sessions.folder, replies);
    const [part] = readdirSync(folder);
    const [name] = readdirSync(join(folder, part!));
    const file = join(folder, part!, name!);
    const whole = readFileSync(file, "utf8");
    for (const damaged of ["", whole.slice(0, -9), '[{"type":"text","text":"1"}]', "{}"]) {
      writeFileSync(file, damaged);
      const { row } = await execute(server, cell("cache: on\n"));
      expect(publicRow(row).counts).not.toHaveProperty("reply:cached");
      expect(readFileSync(file, "utf8")).toBe(whole);
      forgetRuns();
    }
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "no folder");
    const { row } = await execute(server, cell("cache: on\n"));
    expect(publicRow(row)).toMatchObject({ state: "scored", counts: { "not-cached": 1 } });
  });

  test("excludes the seconds of cached tasks from figures", async () => {
    await using server = await scriptedServer(says("1"));
    await execute(server, cell("cache: on\n"));
    forgetRuns();
    const text = `${cell("cache: on\n")}\n\`\`\`analysis cost\npane: efficiency\nof: [main]\n\`\`\`\n`;
    const workbench = await open(server, text);
    await workbench.run(cellNamed(workbench, "main"));
    const { figures, warnings } = analysisOf(workbench, "cost");
    expect(figures.map(({ title }) => title)).toContain("Seconds per task");
    const bars = figures.find(({ kind }) => kind === "bars");
    expect(bars?.kind === "bars" && bars.bars[0]!.cell).toEqual({ text: "-", n: 0 });
    expect(warnings.some((warning) => warning.includes("taken from the cache"))).toBe(true);
  });
});

test("`cache` is not part of a run's id, and has the same value for a whole cell", async () => {
  await using server = await scriptedServer(says("1"));
  const plain = runsOf(await open(server, cell("")), "main")[0]!.run;
  expect(runsOf(await open(server, cell("cache: on\n")), "main")[0]!.run).toBe(plain);
  const workbench = await open(server, cell("cache: [off, on]\n"));
  expect(workbench.state(cellNamed(workbench, "main"))).toMatchObject({
    problems: [{ message: 'Expected `cache` to be one value, got `["off","on"]`' }],
  });
});
