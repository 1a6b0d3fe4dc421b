/** Notes of figures about their tasks: no two notes of one figure may contradict each other, in any analysis. */
import { beforeAll, describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { type Figure, restsOnFew } from "../../source/engine/figure.ts";
import { titlesOf } from "../../source/engine/workbench/figures/analysis-state.ts";
import type { Row } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { figuresOf, runsOf } from "./every-figure.ts";

/** The statements of a figure in words. */
const saidBy = (figure: Figure): readonly string[] =>
  [figure.title, ...figure.notes].flatMap((text) => text.split(/; |, (?=\d)/));
const kinds = {
  failed: { pattern: /(\d+) failed/, of: ({ state }: Row) => state === "failed" },
  unscored: {
    pattern: /(\d+) (?:could not be|unscored|not scored)/,
    of: ({ score }: Row) => score !== undefined && score.value === undefined,
  },
  running: { pattern: /(\d+) (?:still )?running/, of: ({ state }: Row) => state === "running" },
  scored: { pattern: /(\d+) scored/, of: ({ score }: Row) => score?.value !== undefined },
};

describe.each(suites.filter(({ ofFile }) => ofFile === undefined).map((suite) => [suite.name, suite] as const))(
  "figures of %s with some unscored tasks",
  (_, suite) => {
    let runs: readonly RunRows[];
    let figures: ReturnType<typeof figuresOf>;
    beforeAll(async () => {
      runs = await runsOf(suite);
      figures = figuresOf(runs);
    });

    test("are labelled with words, not with names from the program", () => {
      // Names that people also write: of a way to score, and of a strategy.
      const own = ["official-analysis", ...suite.strategies.map((strategy) => strategy.name)];
      for (const analysis of analyses.filter(({ missing }) => missing?.(runs) === undefined)) {
        const titles = titlesOf(analysis, runs);
        const lists = Object.values(analysis.lists?.(runs) ?? {}).map(({ values }) => values);
        for (const value of [...Object.values(analysis.choices(runs)), ...lists].flat())
          if (/[a-z][-_.][a-z]|[a-z][A-Z]/.test(value) && !own.includes(value))
            expect(titles[value] ?? value, `${analysis.name}: ${value}`).not.toBe(value);
      }
    });

    test("use the singular if only one task is unscored", () => {
      const few = [1, 4].flatMap((count) => figuresOf(runs.map((run) => ({ ...run, rows: run.rows.slice(-count) }))));
      for (const { name, figure } of few)
        for (const text of [figure.title, ...figure.notes])
          expect(text, name).not.toMatch(/(?<![\d.,:/-])1 (?:more )?(?!is\b|was\b|differs\b)[A-Za-z]+s\b/);
    });

    test("explain the sign for few tasks if a cell of a map has that sign", () => {
      for (const { name, figure } of figures) {
        if (figure.kind !== "grid") continue;
        const where = `${name}: ${figure.title}`;
        const isMarked = figure.cells.some((row) => row.some((cell) => cell?.faint === true && !restsOnFew(cell)));
        expect(
          figure.notes.filter((note) => note.startsWith("~ marks")),
          where,
        ).toHaveLength(isMarked ? 1 : 0);
        expect(figure.notes.join("\n"), where).not.toMatch(/faint/i);
      }
    });

    test("omit warnings about a run, because the cell of the run already shows those warnings", () => {
      const warned = runs.map((run) => ({ ...run, warnings: ["Said by the cell"] }));
      const notes = figuresOf(warned).flatMap(({ figure }) => figure.notes);
      expect(notes.filter((note) => note.includes("Said by the cell"))).toEqual([]);
    });

    test("describe a run in the same words everywhere", () => {
      expect(figures.length).toBeGreaterThan(8);
      for (const { name, figure } of figures) {
        const where = `${name}: ${figure.title}`;
        const counts = new Map<string, Set<string>>();
        for (const text of saidBy(figure)) {
          for (const [kind, { pattern, of }] of Object.entries(kinds)) {
            const most = Math.max(...runs.map(({ rows }) => rows.filter(of).length));
            expect(Number(pattern.exec(text)?.[1] ?? 0), `${where}: ${kind}: ${text}`).toBeLessThanOrEqual(most);
          }
          const phrase = text.replaceAll(/\d[\d,.]*/g, "#");
          counts.set(phrase, (counts.get(phrase) ?? new Set()).add(text));
        }
        for (const [phrase, texts] of counts) expect([...texts], `${where}: ${phrase}`).toHaveLength(1);
        const all = figure.notes.join("\n");
        for (const { label } of runs)
          for (const kind of ["failed", "could not be scored"]) {
            const said = all.split("\n").filter((note) => note.startsWith(`${label}: `) && note.includes(kind));
            const ways = new Set(said.map((note) => note.slice(note.lastIndexOf("; "))));
            expect(ways.size, `${where}: ${said.join(" | ")}`).toBeLessThanOrEqual(1);
          }
      }
    });
  },
);
