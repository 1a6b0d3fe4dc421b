import { expect, it } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { openScreen } from "../open-screen.tsx";

it("an empty notebook says how to begin", async () => {
  const screen = await openScreen({ workbench: openDouble({ cells: [] }) });
  expect(screen.text()).toMatch(/This notebook is empty\.[\s\S]*n {2}sets up an experiment[\s\S]*b {2}adds a note/);
  await screen.press("n");
  expect(screen.text()).toContain("A new experiment");
  await screen.close();
});

it("what is typed ahead ends in the cell that so many presses lead to", async () => {
  const long = Array.from({ length: 60 }, (_, index) => `- point ${index}`).join("\n");
  const cells = ["first", long, "third"].map((source, at) => ({
    id: `c${at}`,
    kind: "note" as const,
    name: "",
    source,
  }));
  const screen = await openScreen({ workbench: openDouble({ cells }) });
  await screen.press("jjiHere: ");
  expect(screen.text()).toMatch(/▌ Here: .*third/);
  await screen.close();
});
