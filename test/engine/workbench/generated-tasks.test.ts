import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { openSettings } from "../../../source/engine/settings/settings.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";

let folder: string;
let loaded: SessionWorkbench;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "planwright-generated-"));
  const session = new SessionFolder(join(folder, "session"));
  session.write(
    "```run main\nsuite: planningarena\nsplit: generated\nmodel: builtin/oracle\nresponder: builtin/responder\n```\n",
  );
  const settings = await openSettings(join(folder, "settings"));
  loaded = new SessionWorkbench({ folder: session, suites: [appbench, planningarena], analyses: [], settings });
});
afterEach(async () => {
  await loaded.close();
  rmSync(folder, { recursive: true });
});

const signal = new AbortController().signal;
const run = () => {
  loaded.refresh();
  const state = loaded.state(loaded.cells()[0]!.id);
  if (state.kind !== "run") throw new Error("not a run cell");
  return state.runs[0]!;
};

describe("tasks generated in the notebook", () => {
  test("become the suite's installed data set, which the run uses", async () => {
    expect(run().spec.data).toBe("sample");
    const reported: string[] = [];
    await loaded.makeTasks("planningarena", { count: 12, seed: 3, report: (line) => reported.push(line), signal });
    expect(reported.join("\n")).toContain("12 tasks");
    expect(run().spec.data).toBe("published");
    await loaded.run(loaded.cells()[0]!.id);
    expect(run()).toMatchObject({ status: "done", total: 12, counts: { right: 12 } });
  });

  test("belong to another run if they are generated with another seed, and get none of the earlier scores", async () => {
    await loaded.makeTasks("planningarena", { count: 12, seed: 3, report: () => {}, signal });
    await loaded.run(loaded.cells()[0]!.id);
    const first = run();
    await loaded.makeTasks("planningarena", { count: 12, seed: 4, report: () => {}, signal });
    const second = run();
    expect(second.run).not.toBe(first.run);
    expect(second.status).toBe("ready");
    await loaded.makeTasks("planningarena", { count: 12, seed: 3, report: () => {}, signal });
    expect(run()).toMatchObject({ run: first.run, status: "done" });
  });

  test("cannot be made for a suite without a generator, which the notebook reports", async () => {
    await expect(loaded.makeTasks("appbench", { count: 1, seed: 0, report: () => {}, signal })).rejects.toThrow(
      "cannot generate tasks",
    );
  });
});
