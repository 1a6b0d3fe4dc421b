/**
 * A perfect answer that is wrapped or cut never counts as an answer that was read and is wrong. The table in
 * `documentation/differences.md` is written by `WRITE_DRESSED=1 npx vitest run test/suites/dressed.test.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MissingFile } from "../../source/engine/text/json-lines.ts";
import { toys, toyTools } from "../../source/kit/toy-tools.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../source/engine/loaded-suite.ts";
import type { Task } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { bareSpec } from "../bare-spec.ts";
import { cut, dressedRow, dresses } from "./dressed.ts";

/** Options that change the required form of a reply. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  travelplanner: { mode: "two-stage" },
  appbench: { prompting: "flat" },
  toolbench: { toolkits: "on" },
  apibench: { toolkits: "on" },
};

/**
 * Suites whose splits differ in their tasks alone: prompts, required form and reading are the same. After the first split, they
 * are tested only with the named wrappings.
 */
const alike: ReadonlySet<string> = new Set(["toolbench", "apibench", "travelplanner"]);

/** Suites without a form cannot distinguish a wrapping from a mistake. */
const formed = suites.filter(({ form }) => form !== undefined);

const named = ["fence", "intro", "outro", "both", "bold", "bullets", "numbers", "ticks", "crlf", "answer", cut];
/** The result of each named wrapping, by suite and strategy: `=` is the plain answer's score. */
const table = new Map<string, Map<string, Set<string>>>();

function note(line: string, dress: string, ended: string): void {
  const cells = table.get(line) ?? new Map<string, Set<string>>();
  table.set(line, cells.set(dress, (cells.get(dress) ?? new Set()).add(ended)));
}

describe.each(formed.map((suite) => [suite.name, suite] as const))("wrapped perfect answers in %s", (name, suite) => {
  // Unwrapping does not depend on options, so other options are tested only with the named wrappings.
  const variants = [{}, ...(others[name] === undefined ? [] : [others[name]])];
  const cases = askingStrategies(suite).flatMap((strategy) =>
    variants.map((options) => [`${strategy.name} ${JSON.stringify(options)}`, strategy, options] as const),
  );
  test.each(cases)(
    "are read, or reported as unread, but never scored as wrong with %s",
    async (_, strategy, chosen) => {
      const variant = Object.values(chosen).map((value) => ` (${value})`);
      const line = `${name} ${strategy.name}${variant.join("")}`;
      const loaded = await suite.open({ folder: sampleOf(suite), data: "sample", toolSources: toyTools });
      const standard = [...suite.options, ...(strategy.options ?? [])].map((one) => [one.name, one.default]);
      const options = { ...Object.fromEntries(standard), ...chosen };
      const tools = suite.takesTools === true ? { toolServers: { [toys]: "toys" } } : {};
      const wrong: string[] = [];
      const seen = new Set<string>();
      let looked = 0;
      // Answers to the test split of TravelPlanner have no score.
      for (const { name: split } of suite.splits.filter((one) => one.name !== "test")) {
        const spec = bareSpec(name, {
          split,
          options,
          strategy: strategy.name,
          maxTokens: 20,
          judge: "b/oracle",
          ...tools,
        });
        const task = (await tasksOf(loaded, split)).find((each) => loaded.lacking?.(each, spec) === undefined);
        if (task === undefined) continue;
        looked += 1;
        // The split of all tasks begins with the first task of another split.
        if (split === "all" && seen.has(task.id)) continue;
        seen.add(task.id);
        const asked = { suite, loaded, strategy, spec };
        const plain = await dressedRow(asked, task, "plain");
        if (plain.cause?.cause !== "read") wrong.push(`${split} ${task.id}: ${JSON.stringify(plain.cause)}`);
        const isFirst = Object.keys(chosen).length === 0 && (looked === 1 || !alike.has(name));
        for (const dress of isFirst ? [...Object.keys(dresses), cut] : named) {
          const { score, cause } = await dressedRow(asked, task, dress);
          const isPlain = cause?.cause === "read" && score?.value === plain.score?.value;
          if (named.includes(dress)) note(line, dress, isPlain ? "=" : (cause?.cause ?? "none"));
          if (cause === undefined || (cause.cause === "read" && score?.value !== plain.score?.value))
            wrong.push(`${split} ${task.id}, ${dress}: ${score?.value} instead of ${plain.score?.value}`);
        }
      }
      loaded.close?.();
      expect(wrong).toEqual([]);
      expect(looked).toBeGreaterThan(0);
    },
  );
});

/** The sample does not contain all splits of PlanBench. */
async function tasksOf(loaded: LoadedSuite, split: string): Promise<readonly Task[]> {
  try {
    return await loaded.tasks(split);
  } catch (error) {
    if (error instanceof MissingFile) return [];
    throw error;
  }
}

test("the table of wrapped answers in the documentation has every suite, strategy and wrapping", () => {
  const lines = [...table].map(
    ([line, cells]) =>
      `| ${line} | ${named.map((dress) => [...cells.get(dress)!].toSorted().join(", ")).join(" | ")} |`,
  );
  const written = [`| strategy | ${named.join(" | ")} |`, `|---|${named.map(() => "---|").join("")}`, ...lines].join(
    "\n",
  );
  const path = join(import.meta.dirname, "../../documentation/differences.md");
  const [before = "", kept = "", after = ""] = readFileSync(path, "utf8").split(/<!-- dressed -->\n|\n<!-- end -->/);
  expect(before).toContain("## AppBench");
  if (process.env["WRITE_DRESSED"] === "1")
    writeFileSync(path, `${before}<!-- dressed -->\n${written}\n<!-- end -->${after}`);
  else expect(kept).toBe(written);
});
