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

it("planwright prompts prints the prompts sent to models that explain tools or derive tasks", async () => {
  const { out } = await typed("prompts", "toolbench", "--stage", "explain");
  expect(out).toContain("explain (clusters.explain; system message; tool-planner)\n");
  expect(out).toContain(
    "explain.user (clusters.explain; user message; react, reflexion, adaplanner, dfsdt, single-chain; toolkits: on)\nslots: {{name}} {{package}}",
  );
  // Questions of one's own group no tools by models.
  expect((await typed("prompts", "own", "tool-planner")).out).not.toContain("clusters.");
  const { out: evolving } = await typed("prompts", "planningarena", "evolve", "--json");
  const listed = JSON.parse(evolving) as readonly Readonly<Record<string, unknown>>[];
  expect(listed.map(({ name, role }) => [name, role])).toEqual([
    ["suggest", "model"],
    ["suggest.user", "model"],
    ["edit", "model"],
    ["edit.user", "model"],
    ["evaluate", "judge"],
    ["evaluate.user", "judge"],
  ]);
});

it("planwright prompts reports which requests the user's own program writes", async () => {
  const own = "your own program writes these requests, so they have no template";
  expect((await typed("prompts", "process")).out).toBe(`process: ${own}\n`);
  const { out } = await typed("prompts", "toolbench", "agent");
  expect(out).toContain("step (model; system message; agent)");
  expect(out.endsWith(`\nagent: ${own}; it is given the messages above that name it\n`)).toBe(true);
  const { out: json, err } = await typed("prompts", "process", "--json");
  expect([JSON.parse(json), err]).toEqual([[], `process: ${own}\n`]);
  expect((await typed("prompts", "appbench", "direct")).out).not.toContain(own);
});

it("planwright prompts suggests the nearest name for a misspelt one", async () => {
  expect((await typed("prompts", "appbnch")).err).toContain("Expected a benchmark such as `appbench`, got `appbnch`");
  expect((await typed("prompts", "appbench", "cott")).err).toContain("such as `cot`, got `cott`");
  expect((await typed("prompts", "appbench", "--stage", "plam")).err).toContain("such as `plan`, got `plam`");
});

it("prints the prompts of scans and attribution methods, whose suite a notebook makes", async () => {
  const { status, out } = await typed("prompts", "scan", "--json");
  expect(status).toBe(0);
  const listed = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];
  expect(listed.map(({ name, strategies }) => `${String(name)}: ${(strategies as string[]).join(" ")}`)).toEqual([
    "window: rubric",
    "window.user: rubric",
    "window.part: rubric",
    "window.quote: rubric",
    "kinds: open-codes",
    "kinds.user: open-codes",
    "all-at-once: all-at-once hybrid",
    "all-at-once.user: all-at-once hybrid",
    "all-at-once.answer: all-at-once hybrid",
    "step: step-by-step hybrid",
    "step.user: step-by-step hybrid",
    "step.answer: step-by-step hybrid",
    "half: binary-search",
    "half.user: binary-search",
    "half.answer: binary-search",
    "merge: merged-kinds",
    "merge.user: merged-kinds",
  ]);
  expect((await typed("prompts", "scan", "rubric", "--stage", "window.part", "--text")).out).toBe(
    " This is a part of it: label only what is in these steps.\n",
  );
  expect((await typed("prompts", "scan", "step-by-step", "--stage", "step")).out).toContain(
    "step.user (model; user message; step-by-step)\nslots: {{problem}} {{right}} {{steps}} {{step}}\n",
  );
});
