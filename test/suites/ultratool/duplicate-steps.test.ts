import { expect, it } from "vitest";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { scoreAwareness, scoreSelection } from "../../../suites/ultratool/score/awareness.ts";
import { createdTools } from "../../../suites/ultratool/score/creation.ts";
import { planMistakes } from "../../../suites/ultratool/score/steps.ts";
import { scoreUsage } from "../../../suites/ultratool/score/usage.ts";

const read = (value: unknown) => parseJsonAsPython(JSON.stringify(value));
const step = "1.1 Look up";

it("UltraTool counts the first of two entries for a step, whatever the words of the step", () => {
  const flags = read([
    { step: "1.1 Look", tool: 0 },
    { step, tool: 1 },
  ]);
  expect(scoreAwareness(flags, [{ step, tool: "0" } as never]).correct).toBe(1);
  expect(scoreAwareness(flags, [{ step, tool: "1" } as never]).correct).toBe(0);
  const names = read([
    { step: "1.1 Look", tool: "find" },
    { step, tool: "seek" },
  ]);
  expect(scoreSelection(names, [{ step, tool: "find" }]).correct).toBe(1);
  expect(scoreSelection(names, [{ step, tool: "seek" }]).correct).toBe(0);
  expect(createdTools(names, [{ step, tool: {} }])).toEqual([{ step: "1.1 Look", tool: "find" }]);
  const calls = read([
    { step: "1.1 Look", param: { town: "Rome" } },
    { step, param: { town: "Oslo" } },
  ]);
  expect(scoreUsage(calls, [{ step, tool: "find", param: { town: "Rome" } }])[0]!.score).toBe(1);
});

it("UltraTool skips entries that lack the scored part", () => {
  const flags = read([
    { step, tool: "perhaps" },
    { step, tool: 1 },
  ]);
  expect(scoreAwareness(flags, [{ step, tool: "1" } as never]).correct).toBe(1);
  expect(scoreSelection(read([{ step }, { step, tool: "find" }]), [{ step, tool: "find" }]).correct).toBe(1);
  expect(createdTools(read([{ step }, { step, tool: "find" }]), [{ step, tool: {} }])[0]!.tool).toBe("find");
  const calls = read([
    { step, tool: "find" },
    { step, param: { town: "Rome" } },
  ]);
  expect(scoreUsage(calls, [{ step, tool: "find", param: { town: "Rome" } }])[0]!.score).toBe(1);
});

it("a number that a plan uses twice is reported at its second position", () => {
  expect(planMistakes("1. Go\n1.1 Look\n1.1 Look again\n2. Stop")).toEqual([
    { kind: "duplicate-number", step: 2, got: "1.1 Look again" },
  ]);
});
