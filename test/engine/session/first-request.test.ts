import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appbench } from "../../../suites/appbench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";

const sessions = temporarySessions();

describe("the first request of an experiment", () => {
  const cell = "suite: appbench\nsplit: mm\ndata: sample\nmodel: builtin/oracle\nlimit: 2\nsystem: Be brief.\n";

  it("equals the request that the run sends, byte by byte", async () => {
    const workbench = await sessions.open(`\`\`\`run main\n${cell}\`\`\`\n`);
    const { task, prompt } = await workbench.firstRequest(cell);
    expect(runsOf(workbench, "main")[0]!.status).toBe("ready");
    await workbench.run(cellNamed(workbench, "main"));
    const { run } = runsOf(workbench, "main")[0]!;
    const trajectory = await workbench.trajectory({ run, task });
    const sent = trajectory!.entries.find(({ kind }) => kind === "turn");
    expect(prompt.messages[0]!.content).toMatch(/^Be brief\./);
    expect(sent).toMatchObject({ messages: prompt.messages, stage: prompt.stage, role: "model", request: 0 });
  });

  it("contains the text of a prompt file in the notebook's folder", async () => {
    const workbench = await sessions.open("");
    writeFileSync(join(sessions.path, "careful.md"), "Think of {{apps}}\n");
    const { prompt } = await workbench.firstRequest(`${cell}prompts: {apps: careful.md}\n`);
    expect(prompt.messages.map(({ content }) => content).join("\n")).toContain("Think of ");
  });

  it("contains the tools of the environment, which is opened to list them", async () => {
    const workbench = await sessions.open("", { suites: [toolbench] });
    const source = "suite: toolbench\ndata: sample\nstrategy: react\nmodel: builtin/oracle\nlimit: 1\n";
    const { prompt } = await workbench.firstRequest(source);
    expect(prompt).toMatchObject({ stage: "step", request: 0 });
    expect(prompt.tools!.length).toBeGreaterThan(0);
  });

  it("is rejected for an invalid cell, and for a run that sends no request", async () => {
    const workbench = await sessions.open("", { suites: [appbench] });
    await expect(workbench.firstRequest("suite: nothing\n")).rejects.toThrow("Expected");
    await expect(workbench.firstRequest(`${cell}predictions: answers.jsonl\n`)).rejects.toThrow(
      "This experiment sends no request",
    );
  });
});
