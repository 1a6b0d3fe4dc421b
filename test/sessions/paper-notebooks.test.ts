/**
 * The notebooks of the papers as shipped, run on the samples: they have no problem, their tables are the papers', and every number
 * leads to the questions and answers behind it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cell, Figure, TableFigure } from "../../source/engine/figure.ts";
import { packageFolder, packageSessions } from "../../source/engine/settings/package-folder.ts";
import type { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import { analysisOf, TemporarySessions } from "../engine/workbench/temporary-session.ts";
import { describePublished, sharedJson } from "../shared.ts";
import { cellText } from "../../source/engine/figures/drawing/cell-text.ts";
import { figureJson } from "../../source/engine/figures/figure-json.ts";
import { countTitles } from "../../source/engine/figures/unit-note.ts";
import { figureText } from "../../source/engine/figures/figure-text.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";
import { expectFilled, playedNotebook } from "./played-notebook.ts";
import { captionsOf, claimProblem, shapeOf } from "./captions.ts";

/** Numbers of a paper by line and column; null for a dash. */
type Printed = {
  readonly columns: readonly string[];
  readonly lines: readonly (readonly (number | null)[])[];
};

type Numbers = Readonly<Record<string, unknown>>;
/** A table as transcribed: lines by name, or a list of lines that contain their names. */
type Transcribed = {
  readonly columns: readonly string[];
  readonly rows: Readonly<Record<string, Numbers>> | readonly Numbers[];
};

/** Names of its columns are mapped to the figure's by `name`; columns without one are omitted. */
function transcribed(
  { columns, rows }: Transcribed,
  name: (column: string) => string | undefined = (column) => column,
): Printed {
  const named = columns.filter((column) => name(column) !== undefined);
  const lines = (Array.isArray(rows) ? rows : Object.values(rows)) as readonly Numbers[];
  return {
    columns: named.map((column) => name(column)!),
    lines: lines.map((line) => named.map((column) => numberOf(line[column]))),
  };
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

/** Returns the table with a column for each number of a shared cell. */
function unshared({ columns, rows, ...table }: TableFigure): TableFigure {
  const apart = <Item>(of: (column: number) => readonly Item[]) => columns.flatMap((_, column) => of(column));
  return {
    ...table,
    columns: apart((at) => {
      const { parts, ...column } = columns[at]!;
      return parts?.map((part) => ({ ...column, title: `${column.title} ${part}` })) ?? [column];
    }),
    rows: rows.map((row) =>
      apart((at): readonly Cell[] => {
        const { reported = false } = row[at]!;
        const parts = row[at]!.parts ?? columns[at]!.parts?.map(() => ({ text: row[at]!.text }));
        return parts?.map((part) => ({ ...part, reported })) ?? [row[at]!];
      }),
    ),
  };
}

/** Returns the reported part of a figure: lines and columns with a number from the paper, as shown. */
function shown(figure: TableFigure): Printed {
  const { columns, rows } = unshared(figure);
  const isNumber = (cell: Cell, column: number) =>
    columns[column]!.align === "right" && cell.reported === true && cell.value !== undefined;
  const lines = rows.filter((line) => line.some(isNumber));
  const at = columns.flatMap((_, column) => (lines.some((line) => isNumber(line[column]!, column)) ? [column] : []));
  return {
    columns: at.map((column) => columnName(columns[column]!)),
    lines: lines.map((line) =>
      at.map((column) => (["-", "lost"].includes(line[column]!.text) ? null : Number(line[column]!.text))),
    ),
  };
}

type Tables = Readonly<Record<string, Transcribed>>;
/** Tables of a paper by the name of the analysis cell that shows them. */
type Cells = () => Readonly<Record<string, Printed>>;

const paperTables = (paper: string) => sharedJson<Tables>("data", "paper-tables", `${paper}.json`);

const appbench: Cells = () => {
  const { table3, table4, table5, table11 } = paperTables("appbench");
  const titles = [
    /_F1app$/,
    " F1 app",
    /_F1api$/,
    " F1 API",
    /_Succ$/,
    " Succ",
    /_APP$/,
    " EM app",
    /_API$/,
    " EM API",
  ];
  const title = (column: string) =>
    titles.reduce<string>(
      (name, end, at) => (typeof end === "string" ? name : name.replace(end, titles[at + 1] as string)),
      column,
    );
  const ofTasks: Readonly<Record<string, string>> = {
    key_independent: "Keys I",
    key_dependent: "Keys D",
    value_independent: "Values I",
    value_dependent: "Values D",
    time_share: "Values T/S T",
    space_share: "Values T/S S",
  };
  const ofArguments: Readonly<Record<string, string>> = {
    key_independent: "Missing keys, independent",
    key_dependent: "Missing keys, dependent",
    value_independent: "Wrong values, independent",
    value_dependent: "Wrong values, dependent",
  };
  return {
    "table-3": transcribed(table3!, title),
    "table-11": transcribed(table11!, title),
    "table-4": transcribed(table4!, (column) => ofTasks[column]),
    "table-4-arguments": transcribed(table4!, (column) => ofArguments[column]),
    "table-5": transcribed(table5!, title),
  };
};

const planningarena: Cells = () => {
  const tables = paperTables("planningarena");
  const apps = ["SAPP", "CAPP", "APP_overall"];
  const kind = (column: string) =>
    column === "Overall" ? column : `${apps.includes(column) ? "APP" : "API"} ${column.replace(/^.*_overall$/, "all")}`;
  const check = (column: string) => {
    if (["SC", "SR", "TD"].includes(column)) return `LPR ${column}`;
    return ["Result", "PGR"].includes(column) ? column : `SMAR ${column}`;
  };
  type Grouped = Omit<Transcribed, "rows"> & { readonly rows: Readonly<Record<string, Transcribed["rows"]>> };
  const groups = sharedJson<Readonly<Record<string, Grouped>>>("data", "paper-tables", "planningarena.json");
  const detailed = (name: string) => {
    const { columns, rows } = groups[name]!;
    return transcribed({ columns, rows: Object.values(rows).flatMap((group) => Object.values(group)) }, check);
  };
  return {
    "table-2": transcribed(tables["table2"]!, kind),
    "table-5": transcribed(tables["table5"]!, check),
    "table-7": detailed("table7"),
    "table-8": detailed("table8"),
    "table-9": detailed("table9"),
  };
};

const ultratool: Cells = () => {
  const table = sharedJson<Transcribed>("conformance", "ultratool", "published_table_en.json");
  const heads = ["Plan", "CrAw G", "CrAw L", "Create", "UsAw G", "UsAw L", "Sel G", "Sel L", "Usage", "Overall"];
  return { "table-en": transcribed(table, (column) => heads[table.columns.indexOf(column)]) };
};

const travelplanner: Cells = () => {
  const { table3, table4, table5 } = paperTables("travelplanner");
  const rates: Readonly<Record<string, string>> = {
    delivery: "Delivery",
    commonsense_micro: "CS micro",
    commonsense_macro: "CS macro",
    hard_micro: "Hard micro",
    hard_macro: "Hard macro",
    final: "Final",
  };
  const rate = (column: string) => {
    const [split = "", ...name] = column.split("_");
    return `${split} ${rates[name.join("_")]}`;
  };
  const level = (column: string) =>
    `GPT-4-Turbo, ${column.startsWith("two_stage") ? "two-stage" : "sole-planning"} ${column.split("_").at(-1)}`;
  const days = (column: string) => column.replace("agent", "GPT-4-Turbo").replace(/_(\d)day$/, " $1");
  return {
    "table-3": transcribed(table3!, rate),
    "table-4": transcribed(table4!, level),
    "table-5": transcribed(table5!, days),
  };
};

const toolPlanner: Cells = () => {
  const tables = paperTables("toolplanner");
  const names = new Map([
    ["TorchHub", "torchhub"],
    ["HuggingFace", "huggingface"],
    ["TensorFlow", "tensorflowhub"],
    ["G1-Inst", "G1_instruction"],
    ["G1-Tool", "G1_tool"],
    ["G1-Cat", "G1_category"],
    ["G2-Inst", "G2_instruction"],
    ["G2-Cat", "G2_category"],
    ["G3-Inst", "G3_instruction"],
    ["Avg", "Average"],
    ["Average", "Average"],
  ]);
  const measures = new Map([
    ["Pass", "Pass rate"],
    ["Win", "Win rate"],
    ["Halluc", "Hallucination"],
  ]);
  const both = (column: string) => {
    const [set, measure] = column.split("_") as [string, string];
    return `${names.get(set)} ${measures.get(measure)}`;
  };
  const of = (which: (set: string) => boolean) => (column: string) => (which(column) ? names.get(column) : undefined);
  const isSet = (name: string) => name.startsWith("G");
  return {
    "table-2": transcribed(tables["table2"]!, (column) => both(column).replace("Pass rate", "Pass")),
    "table-3": transcribed(tables["table3"]!, both),
    "table-4": transcribed(tables["table4"]!, both),
    "table-5": transcribed(tables["table5"]!, of(isSet)),
    "table-6": transcribed(tables["table6"]!, of(isSet)),
    "table-7": transcribed(tables["table7"]!, both),
    "table-8-toolbench": transcribed(tables["table8"]!, of(isSet)),
    "table-8-apibench": transcribed(
      tables["table8"]!,
      of((name) => !isSet(name) && name !== "epsilon"),
    ),
  };
};

const notebooks: readonly (readonly [name: string, printed: Cells])[] = [
  ["appbench-paper", appbench],
  ["planningarena-paper", planningarena],
  ["ultratool-paper", ultratool],
  ["travelplanner-paper", travelplanner],
  ["tool-planner-paper", toolPlanner],
];

/** Titles of columns and rows whose values depend on the tasks of other cells, or count tasks. */
const derived: ReadonlySet<string> = new Set([...countTitles, "gap", "p", "p (Holm)", "Spread", "Judged", "Unread"]);

/** Returns the figure as `--json` prints it, with today's type names. */
function fromJson<Kind extends Figure>(figure: Kind): Kind {
  const printed = JSON.stringify(figureJson(figure)).replaceAll('"printed":', '"reported":');
  return JSON.parse(printed, (_, value: unknown) => value ?? undefined) as Kind;
}

/** All cells of a figure. */
function cellsOf(figure: Figure): readonly Cell[] {
  if (figure.kind === "table") return figure.rows.flat();
  if (figure.kind === "grid") return figure.cells.flat().flatMap((cell) => cell ?? []);
  if (figure.kind === "bars") return figure.bars.map(({ cell }) => cell);
  return figure.kind === "lines" ? figure.series.flatMap(({ points }) => points.map(({ cell }) => cell)) : [];
}

test("a claim on cells of two measures or two scales is rejected", async () => {
  const [appbench] = captionsOf("appbench-paper");
  const [claim] = appbench!.claims;
  const { printed } = claim!;
  const other = { ...claim!, printed: { ...printed!, less: { ...printed!.less, measure: "official.f1-app" } } };
  expect(await claimProblem(other, appbench!)).toBe("two measures or scales");
  const turned = { ...claim!, printed: { ...printed!, more: printed!.less, less: printed!.more } };
  expect(await claimProblem(turned, appbench!)).toBe("holds for 0 of 1");
});

test("a notebook for each paper comes with the package", () => {
  expect(packageSessions()).toEqual(expect.arrayContaining(notebooks.map(([name]) => name)));
});

describe.each(notebooks)("%s, run on the samples", (name, printed) => {
  const sessions = new TemporarySessions();
  let workbench: SessionWorkbench;
  beforeAll(async () => {
    workbench = await playedNotebook(sessions, name);
  });
  afterAll(() => sessions.end());
  const analyses = () => workbench.cells().flatMap((cell) => (cell.kind === "analysis" ? [cell.name] : []));

  test("has no cell with a problem, and every task of every run has a score", () => {
    expectFilled(workbench);
    expect(workbench.bugs).toBe(0);
  });

  test("tests at least three claims of the paper, and has an answer to each", () => {
    const answers = analyses().flatMap((cell) => analysisOf(workbench, cell).claims ?? []);
    expect(new Set(answers.map(({ claim }) => claim.text)).size).toBeGreaterThanOrEqual(3);
    for (const { answer, n } of answers) {
      expect(["yes", "no", "not decided"]).toContain(answer);
      expect(n).toBeGreaterThan(0);
    }
  });

  describe("the captions of a paper's notebook", () => {
    const captions = captionsOf(name);
    const sections = captions.flatMap(({ sections: all }) => Object.entries(all));

    test("cover every section, and each section shows its own caption", () => {
      expect(sections.map(([cell]) => cell).toSorted()).toEqual(analyses().toSorted());
      const text = readFileSync(join(packageFolder(), "sessions", name, "session.md"), "utf8");
      const shownText = text.replaceAll("\\*", "*").replaceAll(/\s+/g, " ");
      for (const [cell, { caption }] of sections) expect(shownText, cell).toContain(`*${caption}*`);
    });

    test("are in the documentation's table, with the differences", () => {
      const table = readFileSync(join(packageFolder(), "documentation", "papers.md"), "utf8");
      const shownTable = table.replaceAll("\\*", "*").replaceAll(/ +/g, " ");
      for (const [cell, { caption, differs = "equal" }] of sections)
        expect(shownTable).toContain(`| \`${name}\`, \`${cell}\` | ${caption} | ${differs} |`);
    });

    test.each(sections)("%s has the rows, columns, measures and decimals of its caption", (cell, section) => {
      const { figures } = analysisOf(workbench, cell);
      const { rows, columns, measures, decimals = null, bare = [] } = section;
      const shape = shapeOf(figures, section);
      expect({ rows: shape.rows, columns: shape.columns, measures: shape.measures }).toEqual({
        rows,
        columns,
        measures,
      });
      const printedTexts = figures
        .slice(0, 1)
        .flatMap(cellsOf)
        .filter(({ reported, value }) => reported && value !== undefined);
      if (decimals === null) return;
      const own = printedTexts.flatMap(({ text }) => (bare.includes(text) || !/^-?[\d.]+$/.test(text) ? [] : [text]));
      expect(own.length).toBeGreaterThan(0);
      for (const text of own) expect(text).toMatch(decimals === 1 ? /^\d+\.\d$/ : /^\d+\.\d\d$/);
    });

    test("support their claims: each caption names its model and sentence, and comparable values agree with the paper", async () => {
      const text = readFileSync(join(packageFolder(), "sessions", name, "session.md"), "utf8");
      const claims = captions.flatMap((of) => of.claims.map((claim) => ({ claim, of })));
      const asked = analyses().flatMap((cell) =>
        (analysisOf(workbench, cell).claims ?? []).map(({ claim }) => claim.text),
      );
      expect([...new Set(asked)].toSorted()).toEqual(claims.map(({ claim }) => claim.claim).toSorted());
      for (const { claim, of } of claims) {
        const values = claim.values === undefined ? "" : `: ${claim.values.join(", ")}`;
        expect(text).toContain(`${claim.claim} # ${claim.model}, ${claim.sentence}${values}\n`);
        expect(await claimProblem(claim, of), claim.claim).toBeUndefined();
      }
    });
  });

  test("has one model for all cells except cells about another model", () => {
    const [front] = workbench.cells();
    expect(front!.source.match(/^ {2}model: /gm)).toHaveLength(1);
    const own = workbench.cells().filter(({ kind, source }) => kind === "run" && /^model:/m.test(source));
    expect(own.length).toBeLessThanOrEqual(1);
  });

  /** The words of each figure's values, as in `--json` except `printed`, which is `reported` here. */
  const words = new Map<Figure, readonly string[]>();
  const wordsOf = (figure: Figure) => {
    const known = words.get(figure);
    if (known !== undefined) return known;
    const values = cellsOf(fromJson(figure)).filter(({ value }) => value !== undefined);
    const made = values.flatMap((value) => cellText(value, false).split(/\s+/));
    words.set(figure, made);
    return made;
  };

  test.each([30, 80, 100, 120, 200])("prints every value of its figures at %d columns", (width) => {
    for (const cell of analyses())
      for (const figure of analysisOf(workbench, cell).figures) {
        const printedWords = figureText(figure, { width, ascii: false }).split(/\s+/);
        const left = new Map([...Map.groupBy(printedWords, (word) => word)].map(([word, all]) => [word, all.length]));
        for (const word of wordsOf(figure)) left.set(word, (left.get(word) ?? 0) - 1);
        const lost = [...left].filter(([, count]) => count < 0);
        expect(lost, `${cell}: ${figure.title}`).toEqual([]);
        expect(printedWords.join(" ")).not.toMatch(/more columns?/);
      }
  });

  test("shows the n behind each value, except for differences and counts", () => {
    for (const cell of analyses())
      for (const figure of analysisOf(workbench, cell).figures) {
        if (figure.kind !== "table" || /^(Claim:|The (tasks|requests) by)/.test(figure.title)) continue;
        for (const row of fromJson(figure).rows)
          for (const [at, { value, n, reported }] of row.entries()) {
            const names = [row[0]!.text, figure.columns[at]!.title];
            if (value === undefined || reported === true || names.some((title) => derived.has(title))) continue;
            expect(n, `${cell}: ${figure.title}: ${names.join(", ")}`).toBeGreaterThanOrEqual(0);
          }
      }
  });

  test("links each figure to the steps of a task", async () => {
    for (const cell of analyses())
      for (const figure of analysisOf(workbench, cell).figures) {
        const own = cellsOf(figure).filter(({ reported, value }) => reported !== true && value !== undefined);
        const behind = own.flatMap(({ tasks = [] }) => tasks.slice(0, 1));
        // A figure of reported numbers alone leads to no task, nor do counts of the data's tasks.
        if (own.length === 0 || /^The (tasks|requests) by/.test(figure.title)) continue;
        expect(behind.length, `${cell}: ${figure.title}`).toBeGreaterThan(0);
        const entries = (await workbench.trajectory(behind[0]!))?.entries ?? [];
        expect(entries.length, `${cell}: ${figure.title}`).toBeGreaterThan(0);
      }
  });

  describePublished("the paper's tables", () => {
    test.each(Object.entries(printed()))("have the printed columns and numbers, in their order: %s", (cell, table) => {
      const [figure] = analysisOf(workbench, cell).figures as readonly TableFigure[];
      expect(shown(figure!)).toEqual(table);
    });
  });
});
