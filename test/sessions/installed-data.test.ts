/** The notebooks of the papers with installed data: more data never runs less than none. */
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filledInTexts } from "../../source/engine/session/fields/given-fields.ts";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import type { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import { generatePlanningArena } from "../../suites/planningarena/data/generator/generate.ts";
import { suites } from "../../suites/index.ts";
import { travelplanner } from "../../suites/travelplanner/index.ts";
import { temporarySessions } from "../engine/workbench/temporary-session.ts";
import { describePublished, shared } from "../shared.ts";

const sessions = temporarySessions();
const quiet = () => {};

/** Opens a paper's notebook with at most two tasks per run. */
const openNotebook = (name: string, data: Readonly<Record<string, string>>) => {
  const text = readFileSync(join(packageFolder(), "sessions", name, "session.md"), "utf8");
  const limited = text.replace("defaults:\n", "defaults:\n  limit: 2\n").replaceAll("?rate=0.3", "?rate=0");
  return sessions.open(limited, { suites, settings: { data } });
};

async function played(workbench: SessionWorkbench): Promise<void> {
  for (const { id, kind } of workbench.cells()) if (kind === "run") await workbench.run(id);
  await workbench.settled();
  workbench.refresh();
  for (const { id, kind, name } of workbench.cells()) {
    const state = workbench.state(id);
    if (state.kind !== "run" && state.kind !== "analysis") continue;
    expect(state.problems, `${kind} ${name}`).toEqual([]);
    if (state.kind === "analysis") expect([state.missing, state.figures.length > 0], name).toEqual([undefined, true]);
    else
      for (const { label, status, counts, total } of state.runs)
        expect([status, counts.failed, total], `${name}: ${label}`).toEqual(["done", 0, 2]);
  }
}

const notes = (workbench: SessionWorkbench) =>
  workbench.cells().flatMap(({ id }) => {
    const state = workbench.state(id);
    return state.kind === "run" ? filledInTexts(state.filledIn ?? []) : [];
  });

const runs = (workbench: SessionWorkbench) =>
  workbench.cells().flatMap(({ id }) => {
    const state = workbench.state(id);
    return state.kind === "run" ? state.runs : [];
  });

/** A user's folder with the shared data of TravelPlanner, as `data add` builds it. */
async function builtTrips(): Promise<string> {
  const folder = join(sessions.folder, "trips");
  mkdirSync(folder);
  await travelplanner.build!(shared("data", "travelplanner"), folder, quiet, new AbortController().signal);
  return folder;
}

describePublished("a paper's notebook with all published data", () => {
  test("executes the sample's tasks next to PlanningArena's ten published tasks, and prints the command that adds more", async () => {
    const workbench = await openNotebook("planningarena-paper", { planningarena: shared("data", "planningarena") });
    await played(workbench);
    expect(notes(workbench)).toContainEqual(
      expect.stringMatching(/^data: sample, as the installed data have no generated tasks: .*planwright generate/),
    );
    const ids = runs(workbench).map(({ run }) => run);
    const alone = await openNotebook("planningarena-paper", {});
    expect(runs(alone).map(({ run }) => run)).toEqual(ids);
  });

  test("executes generated tasks next to PlanningArena's published tasks", async () => {
    const folder = join(sessions.folder, "arena");
    cpSync(shared("data", "planningarena"), folder, { recursive: true });
    const { signal } = new AbortController();
    await generatePlanningArena({ count: 200, seed: 1, out: join(folder, "generated"), report: quiet, signal });
    const workbench = await openNotebook("planningarena-paper", { planningarena: folder });
    await played(workbench);
    expect(notes(workbench).filter((note) => note.includes("sample"))).toEqual([]);
  });

  test("executes TravelPlanner's training requests if validation lacks the information, and prints the command that adds it", async () => {
    const workbench = await openNotebook("travelplanner-paper", { travelplanner: await builtTrips() });
    await played(workbench);
    expect(notes(workbench)).toContainEqual(
      expect.stringMatching(
        /^split: train, as the installed validation requests lack .*validation.csv.*data add travel/,
      ),
    );
    const splits = new Map(runs(workbench).map(({ label, spec }) => [label, [spec.split, spec.data]]));
    expect(splits.get("greedy")).toEqual(["validation", "published"]);
    expect(splits.get("cot")).toEqual(["train", "published"]);
    const modes = runs(workbench).filter(({ spec }) => spec.strategy === "react");
    expect(modes.map(({ spec }) => [spec.options["mode"], spec.split])).toEqual([
      ["two-stage", "train"],
      ["sole-planning", "train"],
    ]);
  });

  test.each(["appbench", "ultratool"])("executes the published tasks of %s", async (name) => {
    const workbench = await openNotebook(`${name}-paper`, { [name]: shared("data", name) });
    await played(workbench);
    expect(new Set(runs(workbench).map(({ spec }) => spec.data))).toEqual(new Set(["published"]));
  });
});

describePublished("Tool-Planner's notebook", () => {
  // Running all of it takes minutes; `npm run bench paper-notebooks` does.
  test("uses the published tasks of both its benchmarks in every run", async () => {
    const data = { toolbench: shared("data", "toolbench"), apibench: shared("data", "apibench") };
    const workbench = await openNotebook("tool-planner-paper", data);
    const planned = runs(workbench);
    expect(planned.length).toBeGreaterThan(20);
    expect(new Set(planned.map(({ spec }) => spec.data))).toEqual(new Set(["published"]));
    expect(new Set(planned.map(({ spec }) => spec.suite))).toEqual(new Set(["apibench", "toolbench"]));
    expect(notes(workbench).filter((note) => note.includes("sample"))).toEqual([]);
  });
});

test.each([
  ["a split named by another cell", "split: examples", "examples"],
  ["the default split", "", "generated"],
])("a data folder without tasks of %s leads to runs of the sample", async (_, line, split) => {
  const text = `\`\`\`run main\nsuite: planningarena\nmodel: builtin/oracle\nresponder: builtin/responder\n${line}\n`;
  const empty = { suites, settings: { data: { planningarena: sessions.folder } } };
  const workbench = await sessions.open(`${text}\`\`\`\n`, empty);
  expect(runs(workbench).map(({ spec }) => [spec.data, spec.split])).toEqual([["sample", split]]);
  const named = await sessions.open(`${text}data: published\n\`\`\`\n`, empty);
  expect(runs(named).map(({ spec }) => spec.data)).toEqual(["published"]);
  expect(notes(named)).toEqual([]);
});
