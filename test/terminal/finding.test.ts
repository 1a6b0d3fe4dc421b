import { expect, it } from "vitest";
import { enter, escape, openScreen } from "./open-screen.tsx";
import { runningWorkbench } from "./sample-trajectory.ts";

it("a search finds words in the cells, in a figure and in help, and continues with / and Enter", async () => {
  const screen = await openScreen();
  await screen.press("/", "metric", enter);
  expect(screen.text()).toContain("▸ analysis heat");
  await screen.press("/", "hierarchical ⇄ flat", enter);
  expect(screen.text()).toContain("▸ run prompting");
  expect(screen.text()).toMatch(/^▸.*hierarchical ⇄ flat/m);
  await screen.press("/", enter);
  expect(screen.text()).toMatch(/^▸.*hierarchical ⇄ flat/m);
  await screen.press("/", "no such words", enter);
  expect(screen.text()).toContain("Not found here: no such words");
  await screen.press("G", "o", "/", "sequential 2", enter);
  expect(screen.lines().at(-3)).toContain("parallel 1, sequential 2: ");
  await screen.press("/", enter);
  expect(screen.lines().at(-3)).toContain("parallel 2, sequential 2: ");
  await screen.press(escape, "?", "/", "concurrency", enter);
  expect(screen.text()).toMatch(/^▌.*Increase concurrency/m);
  await screen.press("n");
  expect(screen.text()).toMatch(/^▌.*Decrease concurrency/m);
  await screen.press("N");
  expect(screen.text()).toMatch(/^▌.*Increase concurrency/m);
  await screen.close();
});

it("a search finds words omitted from a run cell's heading, in a watched task, and in a field of the form", async () => {
  const screen = await openScreen({ workbench: runningWorkbench() });
  await screen.press("/", "the question", enter);
  expect(screen.text()).toMatch(/^▸.*run prompting/m);
  await screen.press("/", enter);
  // It continued, once around.
  expect(screen.text()).toMatch(/^▸.*run prompting/m);
  await screen.press("/", "suite: appbench", enter);
  expect(screen.text()).toMatch(/^▸.*run prompting/m);
  await screen.press("L", "/", "rent a bike", enter);
  expect(screen.text()).toMatch(/\[!\]/);
  await screen.press(escape, "e", "/", "temperature", enter);
  expect(screen.text()).toMatch(/▸ Temperature/);
  await screen.close();
});

it("a search marks the column of help that contains the words if there are several", async () => {
  const screen = await openScreen({ columns: 200, rows: 60 });
  await screen.press("?", "/", "Tag the marked tasks", enter);
  expect(screen.text()).toMatch(/^│.{60,}▌.*Tag the marked tasks/m);
  await screen.close();
});
