/** Every suite and strategy publishes its prompt texts, and a run's own text replaces each. */
import { describe, expect, test } from "vitest";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import { filled, promptsOf, slotsOf, stageOfPrompt } from "../../../source/engine/settings/prompt-template.ts";
import { runBuiltin } from "../../../source/kit/builtin-run.ts";
import { toyTools } from "../../../source/kit/toy-tools.ts";
import { suites } from "../../../suites/index.ts";
import { askingStrategies } from "../../asking-strategies.ts";
import { bareSpec } from "../../bare-spec.ts";

describe("filling the slots of a template", () => {
  test("replaces each slot once, and no slots in the inserted text", () => {
    expect(filled("{{a}} {{ b }} {{a}} {{c}} {x}", { a: "{{b}}", b: "2" })).toBe("{{b}} 2 {{b}} {{c}} {x}");
  });

  test("treats slots with names of properties of every object as other slots", () => {
    expect(filled("{{constructor}} {{__proto__}}", {})).toBe("{{constructor}} {{__proto__}}");
  });

  test("takes linear time for a text full of braces", () => {
    const text = "{{ ".repeat(100_000);
    expect(filled(text, {})).toBe(text);
  });
});

test("the slots of a template are listed with the line of their first use", () => {
  expect([...slotsOf("one\n{{a}} {{b}}\n\n{{a}} {{c}}")]).toEqual([
    ["a", 2],
    ["b", 2],
    ["c", 4],
  ]);
});

const asking = suites.flatMap((suite) => askingStrategies(suite).map((strategy) => [suite, strategy] as const));

describe.each(asking.map(([suite, strategy]) => [`${suite.name} ${strategy.name}`, suite, strategy] as const))(
  "the prompts of %s",
  (_, suite, strategy) => {
    test("are published for every request, and a run can replace each of them", async () => {
      const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
      const options = Object.fromEntries(suite.options.map(({ name, default: value }) => [name, value]));
      const split = suite.splits.find(({ name }) => name !== "test")!.name;
      const published = promptsOf(suite, strategy, { ...options, split });
      const prompts = Object.fromEntries(
        published.flatMap(({ name, message }) => (message === undefined ? [] : [[name, `own text of ${name}`]])),
      );
      const spec = bareSpec(suite.name, {
        split,
        options,
        strategy: strategy.name,
        prompts,
        toolServers: { toys: "" },
        budget: { task: { steps: 4 } },
      });
      const [task] = await loaded.tasks(split);
      const sent = new Map<string, string>();
      const watched: typeof strategy = {
        ...strategy,
        async *run(context) {
          for await (const step of strategy.run(context)) {
            if (step.type === "prompt") sent.set(step.stage, step.messages.map(({ content }) => content).join("\n"));
            yield step;
          }
        },
      };
      // A model that relies on the usual words may fail; its requests until then are checked.
      await runBuiltin({ loaded, strategy: watched, spec, model: "oracle" }, task!).catch(() => undefined);
      expect(sent.size).toBeGreaterThan(0);
      for (const [stage, text] of sent) {
        expect(published.map(stageOfPrompt)).toContain(stage);
        expect(text).toContain(`own text of ${stage}`);
      }
      loaded.close?.();
    });
  },
);
