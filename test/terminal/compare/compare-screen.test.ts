import { describe, expect, it } from "vitest";
import { runState } from "../double-workbench.ts";
import { enter, openScreen } from "../open-screen.tsx";
import { row, runningWorkbench } from "../sample-trajectory.ts";

describe("comparing two runs", () => {
  it("waits for rows that are still being read, and asks for none of them before", async () => {
    let areHere = false;
    const asked: string[] = [];
    const workbench = Object.assign(runningWorkbench(), {
      hasRows: () => areHere,
      rows(run: string) {
        asked.push(run);
        return [{ ...row("sm-000"), run }];
      },
    });
    workbench.setRuns("c2", [runState({ label: "one" }), runState({ run: "run-2", label: "other" })]);
    const screen = await openScreen({ workbench, columns: 100, rows: 30 });
    await screen.press(":", "compare two", enter);
    expect(screen.text()).toContain("Comparing both runs ...");
    expect(asked).toEqual([]);
    areHere = true;
    await screen.press("f");
    expect(screen.text()).not.toContain("Comparing both runs ...");
    expect(asked).toEqual(expect.arrayContaining(["run-1", "run-2"]));
    await screen.close();
  });
});
