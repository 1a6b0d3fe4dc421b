import { describe, expect, it } from "vitest";
import { enter, escape, openScreen } from "./open-screen.tsx";
import { openDouble, runState, running, welcome } from "./double-workbench.ts";
import { until } from "../until.ts";

/** Ink's way of drawing a frame that does not fit: it clears and redraws everything, which flickers. */
const fullClear = "\x1b[2J\x1b[3J\x1b[H";

describe("a notebook in a terminal window", () => {
  it("is complete at every size, and is never larger than the window", async () => {
    const screen = await openScreen();
    screen.workbench.setRuns("c2", [runState(running)]);
    await screen.press("G", enter);
    for (const [columns, rows] of [
      [200, 60],
      [80, 24],
      [120, 30],
      [41, 10],
      [30, 8],
      [80, 24],
    ] as const) {
      screen.stdout.resize(columns, rows);
      await screen.still();
      const lines = screen.lines();
      expect(lines).toHaveLength(rows);
      if (columns >= 40) expect(lines[0]).toContain("figure  analysis");
      else expect(lines[0]).toContain("Too small");
      expect(lines.at(-1)!.trim() === "" && columns >= 40).toBe(false);
    }
    const before = screen.stdout.written.length;
    await screen.press("j", "l", "\t", "\t", escape, "k", "j", "?", "j", escape, "n", escape);
    expect(screen.stdout.written.slice(before)).not.toContain(fullClear);
    await screen.close();
  });

  it("is redrawn rarely while a run is active, and never if nothing changes", async () => {
    const screen = await openScreen();
    screen.workbench.setRuns("c2", [runState(running)]);
    await screen.pass(200);
    const before = screen.stdout.written.length;
    await screen.pass(600);
    const spinning = screen.stdout.written.length - before;
    expect(spinning).toBeGreaterThan(0);
    expect(spinning).toBeLessThan(6 * 600);
    screen.workbench.setRuns("c2", [runState({ status: "done" })]);
    await screen.pass(200);
    const still = screen.stdout.written.length;
    await screen.pass(300);
    expect(screen.stdout.written.length).toBe(still);
    await screen.close();
  });

  it("can be moved through with thousands of cells", async () => {
    const cells = Array.from({ length: 2_000 }, (_, index) => ({ ...welcome[index % 2]!, id: `x${index}` }));
    const screen = await openScreen({ workbench: openDouble({ cells }) });
    await screen.press("j".repeat(41));
    await until(() => expect(screen.text()).toContain("▌ run prompting"));
    await screen.press("G");
    await until(() => expect(screen.text()).toContain("▌"));
    await screen.close();
  });
});
