import { describe, expect, it } from "vitest";
import { agreement } from "../../analyses/agreement.ts";
import { errors } from "../../analyses/errors.ts";
import type { RunRows, Code, Codebook, CodeKind, Labelling, TaskCodes } from "../../source/engine/analysis.ts";
import type { GridFigure, TableFigure } from "../../source/engine/figure.ts";
import { rowsByCode } from "../../source/engine/session/codes/coded-rows.ts";
import { madeRun } from "./made-run.ts";

const tasks = Array.from({ length: 24 }, (_, index) => `t${index}`);
/** Which tasks each person gave each kind. */
const labels: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  anna: { misread: [0, 1, 2, 3, 4, 10, 11], format: [4, 5, 6, 12], late: [7] },
  bert: { misread: [0, 1, 2, 8, 10, 13], format: [4, 5, 9, 12, 14], late: [15] },
};
/** By `cohen_kappa_score` of scikit-learn 1.9.1, over all 24 tasks, present or absent. */
const kappaOfSklearn = { misread: 0.4736842105263158, format: 0.5909090909090909, late: -0.04347826086956519 };

const at = "2026-01-01T00:00:00.000Z";
const kinds: readonly CodeKind[] = [{ name: "misread" }, { name: "format" }, { name: "late", parent: "format" }];
const flat = kinds.map(({ name }) => ({ name }));

function codebook(
  { of = ["anna", "bert"], kinds: known = flat, more = {}, drawn = true } = {} as {
    readonly of?: readonly string[];
    readonly kinds?: readonly CodeKind[];
    readonly more?: Readonly<Record<string, TaskCodes>>;
    readonly drawn?: boolean;
  },
): Codebook {
  const byTask = tasks.map((task, index): [string, TaskCodes] => {
    const codes = of.flatMap((by) =>
      Object.entries(labels[by]!).flatMap(([kind, numbers]): Code[] =>
        numbers.includes(index) ? [{ id: `${by}${kind}${task}`, by, at, kind }] : [],
      ),
    );
    const labelled = of.map((by): Labelling => ({
      id: `${by}${task}`,
      by,
      at,
      ...(drawn && { sample: { seed: 1, n: 24, runs: ["r"] } }),
    }));
    return [task, more[task] ?? { codes, labelled }];
  });
  return { kinds: known, runs: new Map([["r", new Map(byTask)]]) };
}

function coded(codes: Codebook): RunRows {
  const run = madeRun(
    "r",
    tasks.map((task) => ({ task, right: 0 })),
  );
  return { ...run, rows: rowsByCode(run.rows, codes), codes };
}
const texts = ({ rows }: TableFigure) => rows.map((row) => row.map(({ text }) => text));

describe("the agreement of two people", () => {
  const [kappas, confusion] = agreement.compute([coded(codebook())], { one: "anna", other: "bert" }) as [
    TableFigure,
    GridFigure,
  ];

  it("has Cohen's kappa by kind, equal to scikit-learn's", () => {
    const found = Object.fromEntries(kappas.rows.slice(0, -1).map((row) => [row[0]!.text, row.at(-1)!.value]));
    for (const [kind, kappa] of Object.entries(kappaOfSklearn)) expect(found[kind]).toBeCloseTo(kappa, 14);
    expect(texts(kappas)).toEqual([
      ["misread", "7", "6", "4", "79.17", "0.474"],
      ["format", "4", "5", "3", "87.50", "0.591"],
      ["late", "1", "1", "0", "91.67", "-0.043"],
      ["n", "24", "24", "24", "", ""],
    ]);
    expect(kappas.notes).toContain("All of them were drawn at random");
  });

  it("opens the tasks on which the two differ", () => {
    expect(kappas.rows[0]!.at(-1)!.tasks!.map(({ task }) => task)).toEqual(["t3", "t4", "t8", "t11", "t13"]);
  });

  it("shows a confusion matrix that counts tasks by both people's kinds", () => {
    expect(confusion.x.ticks).toEqual(["misread", "format", "late", "none"]);
    expect(confusion.cells.map((row) => row.map((cell) => cell!.text))).toEqual([
      ["4", "0", "0", "3"],
      ["0", "3", "0", "1"],
      ["0", "0", "0", "1"],
      ["2", "2", "1", "8"],
    ]);
    expect(confusion.cells[0]![0]!.tasks!.map(({ task }) => task)).toEqual(["t0", "t1", "t2", "t10"]);
  });

  it("omits tasks that one person has not labelled", () => {
    const alone = { codes: [{ id: "x", by: "anna", at, kind: "misread" }], labelled: [] };
    const [figure] = agreement.compute([coded(codebook({ more: { t0: alone } }))], { one: "anna", other: "bert" }) as [
      TableFigure,
    ];
    expect(figure.rows.at(-1)![1]!.text).toBe("23");
    expect(figure.notes).toContain("Left out: 1 task labelled by only one of the two");
  });

  it("counts a task with a kind as labelled, and warns if tasks were chosen rather than drawn at random", () => {
    const run = coded(codebook({ drawn: false }));
    const [figure] = agreement.compute([run], { one: "anna", other: "bert" }) as [TableFigure];
    expect(figure.notes).toContain(
      "0 of them were drawn at random; the others were chosen, so kappa may differ on other tasks",
    );
  });

  it("offers the people who labelled, with models last, and requires two", () => {
    expect(agreement.choices([coded(codebook())])).toEqual({ one: ["anna", "bert"], other: ["bert", "anna"] });
    expect(agreement.missing!([coded(codebook({ of: ["anna"] }))])).toContain("Only anna has labelled tasks here");
    const model = { codes: [{ id: "x", by: "model:a", at, kind: "misread" }], labelled: [] };
    expect(agreement.choices([coded(codebook({ more: { t0: model } }))])["one"]).toEqual(["anna", "bert", "model:a"]);
  });
});

describe("the user's own kinds in the errors analysis", () => {
  const figuresOf = (codes: Codebook) =>
    errors.compute([coded(codes)], { by: "nothing" }).filter(({ title }) => /own kinds/i.test(title)) as TableFigure[];

  it("are counted by task, each with the kinds below it in the tree, and link to the tasks", () => {
    const [counts] = figuresOf(codebook({ of: ["anna"], kinds }));
    expect(texts(counts!)).toEqual([
      ["misread", "7"],
      ["format", "5"],
      ["  late", "1"],
      ["any", "11"],
      ["n", "24"],
    ]);
    expect(counts!.rows[1]![1]!.tasks!.map(({ task }) => task)).toEqual(["t4", "t5", "t6", "t7", "t12"]);
    expect(counts!.notes[0]).toBe("Labelled by anna; scores do not depend on the labels");
  });

  it("have shares with intervals only for tasks drawn at random", () => {
    const [, shares] = figuresOf(codebook({ of: ["anna"] }));
    // Wilson's interval of 7 of 24, by the formula of Wilson 1927 in Python.
    expect(shares!.rows[0]![1]).toMatchObject({ text: "29.17", n: 24 });
    expect(shares!.rows[0]![1]!.low).toBeCloseTo(0.149_146_481_969_608_72, 14);
    expect(figuresOf(codebook({ of: ["anna"], drawn: false }))).toHaveLength(1);
  });

  it("have notes on kinds that no person checked, and on codes that no longer count", () => {
    const [figure] = figuresOf(
      codebook({
        of: ["anna"],
        more: {
          t20: { codes: [{ id: "x", by: "model:a", at, kind: "guessed" }], labelled: [] },
          t21: { codes: [{ id: "y", by: "anna", at, kind: "misread", attempt: at }], labelled: [] },
        },
        kinds: [...flat, { name: "guessed" }],
      }),
    );
    expect(figure!.notes).toContain("Not checked by people: guessed (labels of a model alone)");
    expect(figure!.notes).toContain("Left out: 1 label of attempts that no longer count");
  });

  it("are absent without codes", () => {
    expect(figuresOf({ kinds: flat, runs: new Map() })).toEqual([]);
  });
});
