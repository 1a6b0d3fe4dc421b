import { expect, it } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { openScreen } from "../open-screen.tsx";

const stray = (run: string, prompting: string, needed?: string) => ({
  run,
  at: Date.UTC(2026, 10, 22),
  source: `suite: appbench\nprompting: ${prompting}\nmodel: builtin/oracle\n`,
  needed,
});

const presses = { first: "\r", second: "j\r" } as const;
type Place = keyof typeof presses;

async function open() {
  const workbench = openDouble();
  workbench.setStrayRuns([stray("one", "flat"), stray("other", "hierarchical", "Run f0 is a fork of this run")]);
  const screen = await openScreen({ workbench });
  /** `first` and `then`: positions in the lists of runs and of actions. */
  const choose = async (first: Place, then: Place) => {
    await screen.press(":");
    await screen.press("stray");
    await screen.press("\r");
    await screen.press(presses[first]);
    await screen.press(presses[then]);
  };
  return { workbench, screen, choose };
}

it("a notebook reports runs that belong to no cell when it is opened", async () => {
  const { screen } = await open();
  expect(screen.text()).toContain("2 runs on disk that no cell requests");
  await screen.close();
});

it("a run that belongs to no cell is removed only after a confirmation", async () => {
  const { workbench, screen, choose } = await open();
  await choose("first", "second");
  expect(screen.text()).toContain("Remove this run (prompting: flat) and its results from disk?");
  await screen.press("n");
  expect(workbench.asked).not.toContain("remove one");
  await choose("first", "second");
  await screen.press("y");
  expect(workbench.asked).toContain("remove one");
  await screen.close();
});

it("a run that belongs to no cell, but is needed, can be kept, and the screen explains why it cannot be removed", async () => {
  const { workbench, screen, choose } = await open();
  await choose("second", "second");
  expect(screen.text()).toContain("Run f0 is a fork of this run");
  expect(workbench.asked).not.toContain("remove other");
  await choose("second", "first");
  expect(workbench.asked).toContain("keep other");
  await screen.close();
});
