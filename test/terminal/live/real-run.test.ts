import { expect, test } from "vitest";
import { TemporarySessions, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";
import type { DoubleWorkbench } from "../double-workbench.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { until } from "../../until.ts";

const sessions = temporarySessions();

const text =
  "```run main\nsuite: appbench\nsplit: ss\ndata: sample\nmodel: builtin/slips?rate=1&pace=20\n```\n\n```analysis groups\npane: difficulty\nof: [main]\nby: category\n```\n";

/** The test uses the real workbench through the interface that every workbench has. */
const show = async (workbench: Awaited<ReturnType<TemporarySessions["open"]>>) =>
  openScreen({ workbench: workbench as unknown as DoubleWorkbench });

function firstWrong(workbench: Awaited<ReturnType<TemporarySessions["open"]>>) {
  const [state] = runsOf(workbench, "main");
  return { run: state!.run, wrong: workbench.board(state!.run).findIndex((task) => task.state === "wrong") };
}

test("a run can be watched while it streams, followed in one task to its score, and read after a restart", async () => {
  const workbench = await sessions.open(text);
  const first = await show(workbench);
  await first.press("r", "L");
  await until(() => expect(first.text()).toContain("in flight; oldest"));
  await until(() => expect(first.text()).toContain("streaming"));
  await first.press("g", enter);
  expect(first.text()).toContain("[2 Steps]");
  await until(() => expect(first.text()).toMatch(/ss-000 .* (right|wrong)/));
  expect(first.text()).toContain("[2 Steps]");
  await first.press(escape);
  await until(() => expect(first.text()).toContain("done"));
  const { run, wrong } = firstWrong(workbench);
  expect(workbench.rows(run)).toHaveLength(7);
  await first.press("g", "l".repeat(wrong), enter, "1");
  await until(() => expect(first.text()).toContain("Reference: 1 step"));
  await first.press("n");
  expect(first.lines().some((line) => /^▌ [~+−]/.test(line))).toBe(true);
  await first.close();
  await workbench.close();

  const again = await show(await sessions.open());
  await again.press("L", "g", "l".repeat(wrong), enter, "2");
  await until(() => expect(again.text()).toContain("── Model"));
  expect(again.text()).toMatch(/✗ .* wrong/);
  await again.press("3");
  expect(again.text()).toContain("Errors (Enter");
  await again.close();
});
