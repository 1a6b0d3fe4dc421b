import { expect, it } from "vitest";
import { openDouble, runState } from "../double-workbench.ts";
import { ctrl, enter, openScreen } from "../open-screen.tsx";

const again = [ctrl("p"), "Re-score", enter];

it("scoring again is not reported as done if it was stopped, or if it left previous scores", async () => {
  const workbench = openDouble();
  const done = runState({ label: "flat", status: "done" });
  workbench.setRuns("c2", [done]);
  const message = "3 tasks keep their old score";
  let first = true;
  workbench.rescore = async (cell) => {
    if (!first) workbench.setRuns(cell, [{ ...done, message }]);
    first = false;
  };
  const screen = await openScreen({ workbench });
  await screen.press("j", ...again);
  await screen.still();
  expect(screen.text()).toContain("Re-scored");
  await screen.press(...again);
  await screen.still();
  const text = screen.text();
  await screen.close();
  expect(text).not.toContain("Re-scored");
  expect(text).toContain(`flat: ${message}`);
});
