import { expect, it } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { openScreen } from "../open-screen.tsx";

it("an empty notebook suggests the first steps", async () => {
  const screen = await openScreen({ workbench: openDouble({ cells: [] }) });
  expect(screen.text()).toMatch(/This notebook is empty\.[\s\S]*n {2}sets up an experiment[\s\S]*b {2}adds a note/);
  await screen.press("n");
  expect(screen.text()).toContain("set up  new experiment");
  await screen.close();
});

it("a notebook with only a title shows the hint until a cell follows the title", async () => {
  const titled = (source: string) => openDouble({ cells: [{ id: "c1", kind: "note", name: "", source }] });
  const screen = await openScreen({ workbench: titled("# Mine\n") });
  expect(screen.text()).toMatch(/Mine[\s\S]*No experiment here yet\.[\s\S]*n {2}sets up an experiment/);
  await screen.press("i");
  expect(screen.text()).not.toContain("No experiment here yet");
  await screen.close();
  const written = await openScreen({ workbench: titled("# Mine\n\nWhat I want to know\n") });
  expect(written.text()).not.toContain("No experiment here yet");
  await written.close();
});

it("text that is typed before the screen is drawn is inserted into the cell that the keys select", async () => {
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
