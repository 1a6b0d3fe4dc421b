import { describe, expect, it, onTestFinished } from "vitest";
import { openSettings, type SettingsStore } from "../../../source/engine/settings/settings.ts";
import { WorkersChoice } from "../../../source/engine/workbench/runs/workers-choice.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../../../source/engine/problem.ts";
import { until } from "../../until.ts";
import { openDouble } from "../double-workbench.ts";
import { down, enter, openScreen } from "../open-screen.tsx";

async function temporarySettings(): Promise<SettingsStore> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-workers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return openSettings(folder);
}

/** The form of the welcome notebook's run, on the line of the workers. */
async function openForm(settings: SettingsStore, workers: (url: string) => Promise<number>) {
  const workbench = openDouble();
  const choice = new WorkersChoice({
    folder: "session",
    settings,
    elsewhere: { url: undefined, workers },
    givenAway: () => [],
    takeUp: () => {},
    changed: () => workbench.setForecast({}),
  });
  const before = workbench.cells();
  const screen = await openScreen({ workbench: Object.assign(workbench, { workers: choice }), rows: 50 });
  // The last group is one up from the first field, and the field its last one.
  await screen.press("j", "e", "k", enter, "G");
  return { ...screen, choice, before };
}

const url = "redis://lab:6379";

describe("the field for workers in the form", () => {
  it("shows this machine, or the address of the workers' Redis, which is saved in settings but not in the cell", async () => {
    const settings = await temporarySettings();
    const screen = await openForm(settings, async () => 3);
    expect(screen.text()).toMatch(/▸ Executed by +\(this machine\)/);
    await screen.press(enter, "http://lab", enter);
    expect(screen.text()).toContain("Expected the address of a Redis server");
    await screen.press("\x7f".repeat(20), url, enter);
    await until(() => expect(screen.text()).toMatch(/▸ Executed by +3 workers at lab:6379/));
    expect(screen.text()).not.toContain("whole notebook");
    expect(JSON.parse(readFileSync(settings.path, "utf8")).workers).toEqual({ url, use: true });
    expect(screen.choice.used).toBe(true);

    await screen.press(enter, "this", enter);
    expect(screen.text()).toMatch(/▸ Executed by +\(this machine\)/);
    expect(settings.read().workers).toEqual({ url, use: false });
    // The saved address need not be typed again.
    await screen.press(enter, down, enter);
    expect(settings.read().workers).toEqual({ url, use: true });
    await screen.press("\x7f");
    expect(settings.read().workers).toEqual({ url, use: false });

    await screen.press("s");
    expect(screen.workbench.cells()).toEqual(screen.before);
    await screen.close();
  });

  it("reports if workers cannot be reached, and otherwise the number of workers", async () => {
    const settings = await temporarySettings();
    settings.change((before) => ({ ...before, workers: { url, use: true } }));
    const away = await openForm(settings, async () => {
      throw new Problem("tool", "Redis at lab:6379 cannot be used");
    });
    await until(() => expect(away.text()).toContain("workers at lab:6379, which cannot be reached"));
    await away.close();
    const alone = await openForm(settings, async () => 1);
    await until(() => expect(alone.text()).toMatch(/1 worker at lab:6379/));
    await alone.close();
  });
});
