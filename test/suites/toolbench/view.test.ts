import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";

const callOf = (name: string) => ({ id: "c", name, text: "{}", arguments: {} });

it("the view of a query shows the calls of the run, and marks expected calls as missing only if the run never made them", async () => {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const [task] = await loaded.tasks("all");
  const titles = loaded.describe!(task!, undefined).reference.map(({ title }) => title);
  const all = loaded.describe!(task!, "It is 7.", [...titles, "Finish"].map(callOf));
  expect(all.plan.map(({ title }) => title)).toEqual([...titles, "Answer"]);
  expect(all.matches).toEqual(titles.map((_, index) => [index, index]));
  expect([...all.plan, ...all.reference].every(({ uncompared }) => uncompared)).toBe(true);
  const none = loaded.describe!(task!, "It is 7.", []);
  expect(none.reference.some(({ uncompared }) => uncompared)).toBe(false);
});
