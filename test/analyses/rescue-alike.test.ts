/** A rescue whose repeats cannot differ states less than one with as many independent continuations. */
import { expect, it } from "vitest";
import { rescue } from "../../analyses/rescue.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { madeRun, madeSpec } from "./made-run.ts";

/** Five continuations of each of three requests of one task: only those of the first succeeded. */
function figures(spec: object): readonly TableFigure[] {
  const rows = [0, 1, 2].flatMap((at) =>
    Array.from({ length: 5 }, () => ({
      task: `t@${at}`,
      facets: { "fork.request": at + 1, "fork.requests": 3, "fork.settings": "changed" },
      right: Number(at === 0),
    })),
  );
  const own = { ...madeSpec, model: "lab/model", temperature: 0, ...spec, forks: { of: "0123456789abcdef" } };
  return rescue.compute!([madeRun("rescued", rows, { spec: own as never })], {}) as readonly TableFigure[];
}

it("repeats that cannot differ count as one continuation, and the figure says so", () => {
  const [differing, alike] = [figures({ temperature: 0.7 }), figures({})];
  const last = (of: readonly TableFigure[]) =>
    of
      .at(-1)!
      .rows[0]!.map(({ text }) => text)
      .find((text) => text.startsWith("none of"));
  expect(last(differing)).toMatch(/^none of 10, up to 45 %$/);
  expect(last(alike)).toMatch(/^none of 10, up to 95 %$/);
  expect(alike[0]!.notes.join()).toContain("cannot differ");
  expect(differing[0]!.notes.join()).not.toContain("cannot differ");
});
