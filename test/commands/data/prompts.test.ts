import { expect, it } from "vitest";
import { typed } from "../typed.ts";

it("planwright prompts prints the prompts of a strategy as templates", async () => {
  const { status, out } = await typed("prompts", "appbench", "cot", "--stage", "plan");
  expect(status).toBe(0);
  expect(out).toContain(
    "plan (model; system message; cot)\nslots: {{today}} {{apis}} {{reasoning}}\n\n    You carry out",
  );
  expect(out).toContain("plan.user (model; user message; cot)\nslots: {{instruction}}\n");
  expect(out).toContain("plan.reasoning (model; part of a message; cot)\n");
  expect(out).not.toContain("apps (");
});

it("planwright prompts prints JSON in each language", async () => {
  const { out } = await typed("prompts", "ultratool", "--stage", "planning", "--json");
  const listed = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];
  expect(listed.map(({ name, language }) => `${String(name)} ${String(language)}`)).toEqual([
    "planning.system en",
    "planning en",
    "planning.system zh",
    "planning zh",
    "planning.reasoning en",
    "planning.reasoning zh",
  ]);
  expect(listed[1]).toMatchObject({
    stage: "planning",
    role: "model",
    message: "user",
    strategies: ["direct", "cot", "agent"],
    slots: ["object", "reasoning", "example", "task"],
  });
});

it("planwright prompts suggests the nearest name for a misspelt one", async () => {
  expect((await typed("prompts", "appbnch")).err).toContain("Expected a benchmark such as `appbench`, got `appbnch`");
  expect((await typed("prompts", "appbench", "cott")).err).toContain("such as `cot`, got `cott`");
  expect((await typed("prompts", "appbench", "--stage", "plam")).err).toContain("such as `plan`, got `plam`");
});
