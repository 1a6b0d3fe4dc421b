import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { appbench } from "../../../suites/appbench/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";
import { until } from "../../until.ts";
import { enter, escape, openScreen, openScreenOf } from "../open-screen.tsx";

const sessions = temporarySessions();
const cell = "suite: appbench\nsplit: mm\ndata: sample\nmodel: builtin/oracle\nlimit: 1\n";
const plan = appbench.prompts!.find(({ name }) => name === "plan")!;

/** An editor that inserts a sentence before the text. */
const editor = (sentence: string) =>
  `${process.execPath} -e "const fs=require('fs');const f=process.argv[1];fs.writeFileSync(f,'${sentence} '+fs.readFileSync(f,'utf8'))"`;

afterEach(() => vi.unstubAllEnvs());

describe("the key p in the form", () => {
  it("shows the messages of the first task with the number of tokens, without the template", async () => {
    const screen = await openScreen();
    await screen.press("j", "e", "p");
    expect(screen.text()).toContain("prompt  mm-1");
    // 505 and 12 characters, a fourth of them as tokens, plus 4 tokens per message.
    expect(screen.text()).toContain("plan, to local/qwen3: 2 messages, ≈ 138 tokens");
    expect(screen.text()).toMatch(/system {3}≈ 131 tokens\W+You plan with these APIs:\W+book\(hotel\)/);
    expect(screen.text()).not.toContain("{{apis}}");
    await screen.press(escape);
    expect(screen.text()).toContain("set up  run");
    await screen.close();
  });

  it("shows exactly what the run sends later, and sends nothing itself", async () => {
    const workbench = await sessions.open(`\`\`\`run main\n${cell}\`\`\`\n`);
    const { prompt } = await workbench.firstRequest(cell);
    const screen = await openScreenOf(workbench, { columns: 100, rows: 40 });
    await screen.press("e", "p");
    await until(() => expect(screen.text()).toContain("messages, ≈"));
    expect(screen.text()).toContain(prompt.messages[0]!.content.split("\n")[0]!.slice(0, 40));
    expect(runsOf(workbench, "main")[0]!.status).toBe("ready");
    await screen.close();
  });

  it("opens a view whose last line names the key that shows and hides templates", async () => {
    const screen = await openScreen({ columns: 80, rows: 24 });
    await screen.press("j", "e", "p");
    expect(screen.lines().at(-1)).toMatch(/^ P templates {3}Ctrl\+P commands {3}Esc back {3}\? help$/);
    await screen.press("P");
    expect(screen.text()).toContain("▸ plan   system message");
    expect(screen.lines().at(-1)).toContain(" e edit as a file   Tab next template   P templates");
    await screen.press("P");
    expect(screen.text()).not.toContain("system message");
    await screen.close();
  });

  it("explains why there is no request", async () => {
    const workbench = await sessions.open(`\`\`\`run main\n${cell}predictions: answers.jsonl\n\`\`\`\n`);
    const screen = await openScreenOf(workbench);
    await screen.press("e", "p");
    await until(() => expect(screen.text()).toContain("This experiment sends no request"));
    await screen.close();
  });
});

describe("the key P", () => {
  it("shows templates with their slots next to the request from 120 columns on, otherwise above the request", async () => {
    for (const [columns, pattern] of [
      [120, /▸ plan {3}system message +plan, to local/],
      [80, /▸ plan {3}system message(?! +plan, to local)/],
    ] as const) {
      const screen = await openScreen({ columns, rows: 40 });
      await screen.press("j", "e", "P");
      expect(screen.text()).toMatch(pattern);
      expect(screen.text()).toContain("{{apis}}");
      expect(screen.text()).toContain("plan, to local/qwen3: 2 messages");
      await screen.press("\t");
      expect(screen.text()).toMatch(/▸ plan\.user/);
      await screen.close();
    }
  });

  it("makes a file of the notebook with e, and the cell then contains its name", async () => {
    vi.stubEnv("VISUAL", editor("Be careful."));
    const workbench = await sessions.open(`\`\`\`run main\n${cell}\`\`\`\n`);
    writeFileSync(join(sessions.path, "apps.md"), "A file of the user's.\n");
    const screen = await openScreenOf(workbench, { columns: 140, rows: 40 });
    await screen.press("e", "P");
    await until(() => expect(screen.text()).toContain("messages, ≈"));
    expect(screen.text()).toMatch(/▸ apps {3}/);
    await screen.press("e");
    const file = join(sessions.path, "apps-2.md");
    await until(() => expect(readFileSync(file, "utf8")).toMatch(/^Be careful\./));
    const template = appbench.prompts!.find(({ name }) => name === "apps")!;
    expect(readFileSync(file, "utf8")).toBe(`Be careful. ${template.text}\n`);
    expect(readFileSync(join(sessions.path, "apps.md"), "utf8")).toBe("A file of the user's.\n");
    await until(() => expect(screen.text()).toContain("apps-2.md"));
    await screen.press("s");
    expect(workbench.cells()[0]!.source).toBe(`${cell}prompts: {apps: apps-2.md}\n`);
    expect(runsOf(workbench, "main")[0]!.spec.prompts).toEqual({ apps: `Be careful. ${template.text}` });
    await screen.close();
  });

  it("adds the prompt file to the run's cell if it is pressed on a request of a saved task", async () => {
    vi.stubEnv("VISUAL", editor("Be careful."));
    const workbench = await sessions.open(`\`\`\`run main\n${cell}\`\`\`\n`);
    await workbench.run(cellNamed(workbench, "main"));
    const screen = await openScreenOf(workbench, { columns: 140, rows: 50 });
    await screen.press("o", enter, "2");
    await until(() => expect(screen.text()).toContain("2 Steps"));
    await screen.press("G", "P");
    await until(() => expect(screen.text()).toContain("messages, ≈"));
    expect(screen.text()).toMatch(/▸ plan {3}/);
    await screen.press("e");
    await until(() => expect(readFileSync(join(sessions.path, "plan.md"), "utf8")).toMatch(/^Be careful\./));
    expect(workbench.cells()[0]!.source).toContain("prompts: {plan: plan.md}");
    const own = { plan: `Be careful. ${plan.text}` };
    await until(() => expect(runsOf(workbench, "main")[0]!.spec.prompts).toEqual(own));
    await screen.close();
  });

  it("opens the file that the cell already contains, and creates no other", async () => {
    vi.stubEnv("VISUAL", editor("Twice."));
    const named = `${cell}prompts: {apps: careful.md}\n`;
    const workbench = await sessions.open(`\`\`\`run main\n${named}\`\`\`\n`);
    writeFileSync(join(sessions.path, "careful.md"), "Choose among {{apps}}\n");
    const screen = await openScreenOf(workbench, { columns: 140, rows: 40 });
    await screen.press("e", "P");
    await until(() => expect(screen.text()).toMatch(/▸ apps {3}system message, own prompt: careful\.md/));
    expect(screen.text()).toContain("Choose among {{apps}}");
    await screen.press("e");
    const file = () => readFileSync(join(sessions.path, "careful.md"), "utf8");
    await until(() => expect(file()).toBe("Twice. Choose among {{apps}}\n"));
    expect(workbench.cells()[0]!.source).toBe(named);
    expect(readdirSync(sessions.path).filter((name) => name.endsWith(".md"))).toEqual(["careful.md", "session.md"]);
    await screen.close();
  });

  it("writes nothing for a cell that compares several prompts", async () => {
    const several = `${cell}prompts: {standard: {}, careful: {plan: "Be careful. {{apis}}"}}\n`;
    const workbench = await sessions.open(`\`\`\`run main\n${several}\`\`\`\n`);
    const screen = await openScreenOf(workbench, { columns: 140, rows: 40 });
    await screen.press("e", "P");
    await until(() => expect(screen.text()).toContain("messages, ≈"));
    await screen.press("e");
    expect(screen.text()).toContain("This cell has no single prompt to replace");
    expect(readdirSync(sessions.path).filter((name) => name.endsWith(".md"))).toEqual(["session.md"]);
    await screen.close();
  });
});
