import { expect, it } from "vitest";
import { ctrl, enter, openScreenOf } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

it("the export keys write the runs of a cell, and a single trajectory, for other programs", async () => {
  const screen = await openScreenOf(runningWorkbench());
  await screen.press("j", ctrl("p"), "export runs", enter);
  expect(screen.text()).toContain("one document per task (ATIF), for Harbor and others");
  await screen.press(/(\d) {3}messages/.exec(screen.text())![1]!);
  await screen.still();
  expect(screen.text()).toContain("Written: exports/messages");
  await screen.press("o", enter);
  await screen.still();
  await screen.press(ctrl("p"), "export trajectory", enter);
  await screen.still();
  const asked = screen.workbench.asked.filter((each) => each.startsWith("export"));
  expect(asked).toEqual(["export c2 messages as prompting", "export c2 atif as prompting sm-000"]);
  await screen.close();
});
