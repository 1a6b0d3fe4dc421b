/** What figures say of the tasks they rest on: no two notes of one figure may disagree, whatever the analysis. */
import { describe, expect, test } from "vitest";
import type { Figure } from "../../source/engine/figure.ts";
import type { Row } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { figuresOf, runsOf } from "./every-figure.ts";

/** What a figure says in words, a statement each. */
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
  "figures of %s, some tasks of which have no score",
  (_, suite) => {
    test("leave what a run warns of to the cell, which says it once", async () => {
      const warned = (await runsOf(suite)).map((run) => ({ ...run, warnings: ["Said by the cell"] }));
      const notes = figuresOf(warned).flatMap(({ figure }) => figure.notes);
      expect(notes.filter((note) => note.includes("Said by the cell"))).toEqual([]);
    });

    test("say the same of them wherever they say it", async () => {
      const runs = await runsOf(suite);
      const figures = figuresOf(runs);
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
