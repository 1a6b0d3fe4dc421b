import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { analyses } from "../../../../analyses/index.ts";
import { SessionFolder } from "../../../../source/engine/session/session-folder.ts";
import { openSettings } from "../../../../source/engine/settings/settings.ts";
import { SessionWorkbench } from "../../../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../../../source/engine/workbench/workbench.ts";
import { appbench } from "../../../../suites/appbench/index.ts";
import { until } from "../../../until.ts";

let folder: string;
const open: SessionWorkbench[] = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-shared-"))));
afterEach(async () => {
  for (const workbench of open.splice(0).toReversed()) await workbench.close();
  rmSync(folder, { recursive: true });
});

async function workbench(text?: string): Promise<SessionWorkbench> {
  const session = new SessionFolder(join(folder, "session"));
  if (text !== undefined) session.write(text);
  const settings = await openSettings(join(folder, "settings"));
  const made = new SessionWorkbench({ folder: session, suites: [appbench], analyses, settings });
  open.push(made);
  return made;
}

const text = (model: string) => `# Shared\n\n\`\`\`run main\nsuite: appbench\nsplit: all\nmodel: ${model}\n\`\`\`\n`;
const main = (of: SessionWorkbench) => of.cells().find(({ name }) => name === "main")!.id;

function runOf(of: SessionWorkbench): RunState {
  of.refresh();
  const state = of.state(main(of));
  if (state.kind !== "run") throw new Error("not a run cell");
  return state.runs[0]!;
}

describe("a session that another program has open", () => {
  test("shows the same counts, tasks and streaming replies in this program, until the run ends", async () => {
    const there = await workbench(text("builtin/oracle?pace=40"));
    const here = await workbench();
    expect(here.readOnly).toMatch(/^Another Planwright \(process \d+\) has this session open$/);
    expect(runOf(here).status).toBe("ready");
    const ended = there.run(main(there));
    await until(() => expect(runOf(here)).toMatchObject({ status: "running" }));
    const { run } = runOf(here);
    const task = await until(() => {
      const running = here.board(run).find(({ state }) => state === "running");
      expect(running).toBeDefined();
      return running!.task;
    });
    await until(() => {
      const followed =
        here.live({ run, task }) ?? here.rows(run).find((row) => row.task === task && row.state !== "running");
      expect(followed).toBeDefined();
    });
    there.stop(main(there));
    await ended;
    await until(() => expect(runOf(here).status).toBe("partial"));
    expect(runOf(here).counts).toEqual(runOf(there).counts);
    void there.run(main(there));
    there.setConcurrency(main(there), 32);
    await until(() => expect(runOf(here).concurrency).toBe(32));
  });

  test("can be controlled from this program: paused, resumed, given a higher concurrency, and stopped", async () => {
    const there = await workbench(text("builtin/oracle?pace=40"));
    const here = await workbench();
    void there.run(main(there));
    await until(() => expect(runOf(here).status).toBe("running"));
    await until(() => expect(here.unsteerable).toBeUndefined());
    here.pause(main(here));
    await until(() => expect(runOf(there).status).toBe("paused"));
    await until(() => expect(runOf(here).status).toBe("paused"));
    here.resume(main(here));
    await until(() => expect(runOf(there).status).toBe("running"));
    here.setConcurrency(main(here), 7);
    await until(() => expect(runOf(there).concurrency).toBe(7));
    here.stop(main(here));
    await until(() => expect(runOf(there).status).toBe("partial"));
    await until(() => expect(runOf(here).status).toBe("partial"));
  });

  test("is followed cell by cell if several cells contain tasks of one run", async () => {
    const few = "```run few\nsuite: appbench\nsplit: all\nmodel: builtin/oracle?pace=40\nlimit: 4\n```\n";
    const there = await workbench(`${text("builtin/oracle?pace=40")}\n${few}`);
    const here = await workbench();
    const fewOf = (of: SessionWorkbench) => {
      of.refresh();
      const state = of.state(of.cells().find(({ name }) => name === "few")!.id);
      if (state.kind !== "run") throw new Error("not a run cell");
      return state.runs[0]!;
    };
    const ended = there.run(there.cells().find(({ name }) => name === "few")!.id);
    await until(() => expect(fewOf(here)).toMatchObject({ status: "running", total: 4 }));
    expect(runOf(here)).toMatchObject({ run: fewOf(here).run });
    expect(runOf(here).status).not.toBe("running");
    void there.run(main(there));
    await until(() => expect(runOf(here).status).toBe("running"));
    there.setConcurrency(main(there), 32);
    await ended;
    await until(() => expect(fewOf(here)).toMatchObject({ status: "done", total: 4, counts: { right: 4 } }));
    await until(() => expect(runOf(here)).toMatchObject({ status: "running", concurrency: 32 }));
  });

  test("shows each version of the document that the other program saves", async () => {
    const there = await workbench(text("builtin/oracle"));
    const here = await workbench();
    there.insert("note", main(there), "Words.");
    there.save();
    await until(() => expect(here.cells().map(({ source }) => source)).toContain("Words."));
  });

  test("can be taken over once the other program has released it, and continues in this program", async () => {
    const there = await workbench(text("builtin/oracle?pace=5"));
    const here = await workbench();
    const ended = there.run(main(there));
    await until(() => expect(runOf(there).counts.right).toBeGreaterThan(0));
    await there.close();
    await ended;
    await until(() => expect(here.readOnly).toBeUndefined());
    expect(runOf(here).status).toBe("partial");
    here.setConcurrency(main(here), 32);
    await here.run(main(here));
    expect(runOf(here)).toMatchObject({ status: "done" });
    expect(runOf(here).counts.right).toBe(runOf(here).total);
  });
});
