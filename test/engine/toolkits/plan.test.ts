/** Toolkits as a prompt lists them, read again by built-in models. */
import { expect, test } from "vitest";
import { listedIn, listing } from "../../../source/engine/toolkits/plan.ts";

const toolkits = [1, 2, 12, 2000].map((id) => ({ id, description: `Kit ${id}`, tools: [] }));

test("the toolkits a prompt lists are those read out of it, and no others", () => {
  const shown = [toolkits[3]!, toolkits[1]!];
  const prompt = `${listing(shown)}\n\nRequest: which of Toolkit 12 or [Toolkit 7, is it?`;
  expect(listedIn(prompt, toolkits)).toEqual([toolkits[1], toolkits[3]]);
  expect(listedIn("no list", toolkits)).toEqual([]);
});
