import { describe, expect, it, test } from "vitest";
import { lineText, lineWidth } from "../../../source/engine/figures/drawing/line.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { width } from "../../../source/engine/text/printable.ts";
import { cellLines } from "../../../source/terminal/notebook/cell-lines.ts";
import { noteLines } from "../../../source/terminal/notebook/note-lines.ts";
import { headLine } from "../../../source/terminal/live/run-head.ts";
import { warningBadge, warningLines } from "../../../source/terminal/notebook/run-lines.ts";
import {
  layOut,
  moveDown,
  moveLines,
  movePage,
  moveTo,
  moveUp,
  topLine,
} from "../../../source/terminal/notebook/scroll.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { warningMarks } from "../../../source/engine/workbench/figures/warning-marks.ts";
import type { CellState, RunState } from "../../../source/engine/workbench/workbench.ts";
import { openDouble, runState, running, welcome } from "../double-workbench.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { isForAnotherRun, runTitle, titleLine, titleLines } from "../../../source/terminal/notebook/figure-title.ts";

const theme = openTheme({ colour: false, ascii: false });

const score = (value: number) => ({
  name: "success",
  title: "Success",
  unit: "percent" as const,
  better: "higher" as const,
  value,
  n: 24,
  low: value - 0.2,
  high: value + 0.15,
});

/** Lines of the run cell in this state, as in a notebook with only this cell. */
function runCell(state: CellState, columns: number) {
  const [, cell] = welcome;
  return cellLines(cell!, state, columns, theme, 0, { warned: warningMarks([{ id: "c2", state }]).get("c2")! });
}

describe("notes in light Markdown", () => {
  const draw = (source: string, columns = 40) => noteLines(source, columns, symbolsOf(false)).map(lineText);

  it("have headings, lists, quotes and code drawn", () => {
    expect(
      draw("# One\n## Two\n### Three\ntext\nmore\n\n- item\n  - inner\n1. first\n> said\n```\n*code*\n```"),
    ).toEqual([
      "One",
      "===",
      "Two",
      "───",
      "### Three",
      "text more",
      "",
      "• item",
      "  • inner",
      "1. first",
      "│ said",
      "  *code*",
    ]);
  });
  it("show emphasis only for valid markers", () => {
    const spans = noteLines("**bold** *word* `a*b` 2 * 3 and snake_case_name", 80, symbolsOf(false))[0]!;
    expect(spans.filter(({ style }) => style !== undefined).map(({ text, style }) => [text, style])).toEqual([
      ["bold", "strong"],
      ["word", "italic"],
      ["a*b", "strong"],
    ]);
    expect(lineText(spans)).toContain("2 * 3 and snake_case_name");
  });
  it("have tables aligned in columns, or unchanged if there is no room", () => {
    const table = "Prices are\n| Town | **Price** |\n|:--|--:|\n| Delft | 7 |\n| a\\|b |\nand more";
    expect(draw(table).map((line) => line.trimEnd())).toEqual([
      "Prices are",
      "Town   Price",
      "─────  ─────",
      "Delft      7",
      "a|b",
      "and more",
    ]);
    expect(draw("|a|b|c|\n|-|-|-|\n|long words|long words|long words|", 12)).toEqual([
      "|a|b|c|",
      "|-|-|-|",
      "|long words|long words|long words|",
    ]);
    expect(draw("| only | a head |\n\n| --- |")).toEqual(["| only | a head |", "", "| --- |"]);
    expect(draw("```\n|a|\n|-|\n```").map((line) => line.trim())).toEqual(["|a|", "|-|"]);
  });
  it("are wrapped to the width, with a hanging indent under list items", () => {
    const lines = draw("- a rather long item of a list that takes several lines", 20);
    expect(lines.slice(1).every((line) => line.startsWith("  "))).toBe(true);
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(20);
    expect(lines.map((line) => line.slice(2).trim()).join(" ")).toBe(
      "a rather long item of a list that takes several lines",
    );
  });
  it("show control characters as signs, and are drawn quickly for long unstructured text", () => {
    expect(draw("\x1b[2Jhello")[0]).toBe("␛[2Jhello");
    // Quadratic time would never end at this length.
    expect(draw("*_`".repeat(200_000)).length).toBeGreaterThan(1000);
  });
});

describe("a run cell in the notebook", () => {
  const grid = [
    runState({ ...running, run: "a", label: "hierarchical, shots 0", score: score(0.7512) }),
    runState({
      ...running,
      run: "b",
      label: "flat, shots 3",
      status: "partial",
      score: score(0.5),
      calls: 412,
      requests: 790,
    }),
    runState({ run: "c", label: "flat, shots 0" }),
  ];
  const table = (runs: readonly RunState[], columns: number) =>
    runCell({ kind: "run", problems: [], runs }, columns).map(lineText);

  it("shows its settings on one line, a line for each run and a line for all runs", () => {
    expect(table(grid, 140)).toEqual([
      "run prompting  hierarchical ⇄ flat · slips · appbench mm, 50 tasks  1 note",
      "  run                    state        result            tasks                        requests  score        /min   left     in     out  cost",
      "  hierarchical  shots 0  ⠋ running 4  █████▓░!▒······   26/50  ✓ 18 ✗ 6 ? 1 ! 1            52  75 [55, 90]    21  1 min  ~123k   ~7890  0.42",
      "  flat          shots 3  partly done  █████▓░!▒······   26/50  ✓ 18 ✗ 6 ? 1 ! 1   412 of ~790  50 [30, 65]    21  1 min  ~123k   ~7890  0.42",
      "  flat          shots 0  ready        ···············    0/50                                                                               ",
      "  total                  ⠋ running 8  ███▓░!▒········  52/150  ✓ 36 ✗ 12 ? 2 ! 2          464                 43  2 min  ~247k  ~15.8k  0.84",
      "  r resumes   score: Success in % [95 % interval]   █ right ▓ wrong ░ unscored ! failed ▒ running",
      "    hierarchical, shots 0; flat, shots 3: 3 retries",
    ]);
  });
  it("explains that scores in seeded order have confidence sequences until the run is finished", () => {
    const anytime = grid.map((run) => ({
      ...run,
      ...(run.score && { score: { ...run.score, anytime: true as const } }),
    }));
    const legendOf = (runs: readonly RunState[]) => table(runs, 140).find((line) => line.includes("score: "));
    expect(legendOf(anytime)).toContain("Success in % [95 % confidence sequence]");
    expect(legendOf([anytime[0]!, grid[1]!])).toContain("[95 % confidence sequence or interval]");
  });

  it("shows a judge with its own settings by name and settings", () => {
    const source = "suite: own\njudge: {model: lab/large, temperature: 0.3}\n";
    const state: CellState = { kind: "run", problems: [], runs: [] };
    const [head] = cellLines({ ...welcome[1]!, source }, state, 120, theme, 0).map(lineText);
    expect(head).toContain("judge lab/large (temperature 0.3)");
  });
  it("shows a score in full, with any number of digits", () => {
    const all = { ...score(1), low: 0.89, high: 1 };
    const lines = table([{ ...grid[0]!, score: all }, grid[1]!], 78);
    expect(lines[2]).toContain(" 100 [89, 100] ");
    expect(lines[3]).toContain("  50 [30, 65] ");
  });
  it("shows parts that do not fit once for all runs, and keeps each run's state, score or progress", () => {
    expect(table(grid, 78)).toEqual([
      "run prompting  hierarchical ⇄ flat · slips · appbench mm, 50 tasks  1 note",
      "  run                    state        result         tasks  score         left",
      "  hierarchical  shots 0  ⠋ running 4  ████▓░!▒····   26/50  75 [55, 90]  1 min",
      "  flat          shots 3  partly done  ████▓░!▒····   26/50  50 [30, 65]  1 min",
      "  flat          shots 0  ready        ············    0/50                    ",
      "  total                  ⠋ running 8  ██▓░!▒······  52/150               2 min",
      "  r resumes   score: Success in % [95 % interval]",
      "  █ 36 right ▓ 12 wrong ░ 2 unscored ! 2 failed ▒ 8 running",
      "  total: requests 464, 43 tasks/min, tokens in ~247k, out ~15.8k, cost 0.84",
      "    hierarchical, shots 0; flat, shots 3: 3 retries",
    ]);
    for (const columns of [78, 120, 200])
      for (const line of table(grid, columns).slice(1)) expect(width(line), line).toBeLessThanOrEqual(columns);
  });
  it("shows every state of tasks as a part of the bar", () => {
    const counts = { waiting: 9000, running: 1, right: 900, wrong: 1, unscored: 1, failed: 1, stopped: 0 };
    const line = table([runState({ counts, total: 9904 })], 60)[2]!;
    for (const fill of ["█", "▓", "░", "!", "▒", "·"]) expect(line).toContain(fill);
  });
  it("shows the best score in bold and, among several scores, the second best underlined, if there is one", () => {
    const styles = (values: readonly number[], name: (index: number) => string = () => "success") => {
      const runs = values.map((value, index) =>
        runState({ ...running, run: `r${index}`, score: { ...score(value), name: name(index) } }),
      );
      const lines = runCell({ kind: "run", problems: [], runs }, 120).flat();
      return values.map((value) => lines.find(({ text }) => text === String(value * 100))!.style);
    };
    expect(styles([0.5, 0.75])).toEqual(["plain", "strong"]);
    expect(styles([0.5, 0.75, 0.25])).toEqual(["underlined", "strong", "plain"]);
    expect(styles([0.5, 0.5])).toEqual(["plain", "plain"]);
    expect(styles([0.5, 0.75], (index) => `measure ${index}`)).toEqual(["plain", "plain"]);
  });
  it("shows its source if it has an error", () => {
    const lines = runCell({ kind: "run", problems: [{ message: "wrong", line: 1 }], runs: [] }, 78).map(lineText);
    expect(lines[1]).toBe("  suite: appbench");
  });
  it("shows the complete count of finished tasks next to a long label, with a shorter bar", () => {
    const counts = { waiting: 0, running: 0, right: 4, wrong: 0, unscored: 0, failed: 0, stopped: 0 };
    const run = runState({ label: "local/builtin/slips?rate=0.4", status: "partial", counts, total: 4 });
    const line = lineText(headLine(run, 78, theme, 0));
    expect(line).toMatch(/█ 4\/4$/);
    expect(width(line)).toBeLessThanOrEqual(78);
  });
  it("reports failed tasks, and not a partly finished run, if no task is left", () => {
    const counts = { waiting: 0, running: 0, right: 1, wrong: 0, unscored: 0, failed: 3, stopped: 0 };
    const head = (waiting: number) =>
      lineText(
        headLine(runState({ status: "partial", counts: { ...counts, waiting }, total: 4 + waiting }), 78, theme, 0),
      );
    expect(head(0)).toContain("3 failed: r tries again");
    expect(head(1)).toContain("partly done: r resumes");
  });
  it("omits the cost if all models are free", () => {
    const free = { kind: "run" as const, problems: [], runs: [runState({ ...running, cost: 0 })] };
    expect(runCell(free, 78).map(lineText).join("\n")).not.toContain("cost");
  });
  it("shows how many tasks a limit allows and how to execute all, once for runs with the same limit", () => {
    const runs = [
      runState({ run: "a", label: "a", total: 20, available: 31 }),
      runState({ run: "b", label: "b", total: 20, available: 31 }),
      runState({ run: "c", label: "c", total: 20, available: 57 }),
      runState({ run: "d", label: "d", total: 12, available: 12 }),
    ];
    expect(table(runs, 100)).toContain("    a, b: 20 of 31 tasks; c: 20 of 57 tasks; limit: 0 takes all");
    expect(table(runs.slice(0, 2), 100)).toContain("    20 of 31 tasks in each run; limit: 0 takes all");
    expect(table(runs.slice(0, 1), 100)).toContain("    20 of 31 tasks; limit: 0 takes all");
    expect(table(runs.slice(3), 100).join("\n")).not.toContain("takes all");
  });
  it("shows why answers were not read, once for runs with the same reasons", () => {
    const notes = (...unread: readonly (string | undefined)[]) => {
      const runs = unread.map((text, at) =>
        runState({ run: `${at}`, label: "abcd"[at]!, ...(text && { unread: text }) }),
      );
      return table(runs, 100).filter((line) => line.includes("not read"));
    };
    const [cut, wrapped] = ["12 of 50 not read: 9 cut at 200 tokens, 3 wrapped", "1 of 50 not read: 1 wrapped"];
    expect(notes(cut)).toEqual([`    ${cut}`]);
    expect(notes(cut, cut)).toEqual([`    in each run, ${cut}`]);
    expect(notes(cut, wrapped, cut, undefined)).toEqual([`    a; c: ${cut}`, `    b: ${wrapped}`]);
  });
  it("shows the numbers that its results depend on", () => {
    const beside = ["Retriever's recall 37.10 % of 186 tasks", "APIs offered 10"];
    const state = { kind: "run" as const, problems: [], runs: [runState({ ...running, beside })] };
    const lines = runCell(state, 78).map(lineText).join("\n");
    expect(lines).toMatch(/Retriever's recall 37\.10 % of 186 tasks; APIs offered 10; 3 retries/);
  });
  it("gives the reason of failed tasks prominently, in at most four lines", () => {
    const failure = { kind: "model", message: `Endpoint answered: 401 ${"<html> ".repeat(100)}` } as const;
    const counts = { waiting: 0, running: 0, right: 1, wrong: 0, unscored: 0, failed: 3, stopped: 0 };
    const draw = (more: object) => {
      const state = { kind: "run", problems: [], runs: [runState({ counts, total: 4, ...more })] } as const;
      return runCell(state, 60).map(lineText);
    };
    const lines = draw({ failure });
    const at = lines.findIndex((line) => line.startsWith("    ! First failure (model): Endpoint answered: 401"));
    expect(at).toBeGreaterThan(0);
    expect(lines).toHaveLength(draw({}).length + 4);
    expect(lines[at + 3]).toMatch(/…$/);
    for (const line of lines.slice(at, at + 4)) expect(width(line)).toBeLessThanOrEqual(60);
  });
  it("is laid out once while only its progress sign changes", () => {
    const still = { kind: "run" as const, problems: [], runs: [runState()] };
    const turning = { kind: "run" as const, problems: [], runs: [runState(running)] };
    const draw = (state: typeof still, frame: number, columns = 78) =>
      cellLines(welcome[1]!, state, columns, theme, frame);
    expect(draw(still, 1)).toBe(draw(still, 0));
    expect(draw(still, 1, 60)).not.toBe(draw(still, 1));
    expect(draw({ ...still }, 1)).not.toBe(draw(still, 1));
    expect(draw(turning, 1)).not.toEqual(draw(turning, 0));
  });
  it("shows the expected value and the line of a mistake", () => {
    const problems = [{ message: "Expected `shots` to be a whole number, got `-1`", line: 3 }];
    const lines = runCell({ kind: "run", problems, runs: [] }, 78).map(lineText);
    expect(lines.at(-1)).toBe("  ✗ line 3: Expected `shots` to be a whole number, got `-1`");
  });
});

describe("a warning in the notebook", () => {
  const warned = {
    said: [{ mark: "[1]", text: "sample tasks", of: ["flat"] }],
    marks: ["[1]", "[2]"],
  };

  it("is shown in full in its first cell, and only counted elsewhere", () => {
    expect(warningLines(warned, 78, theme).map(lineText)).toEqual(["  ! flat: sample tasks"]);
    expect(warningLines({ ...warned, said: [] }, 78, theme)).toEqual([]);
    expect(lineText(warningBadge({ ...warned, said: [] }))).toBe("  2 notes");
    expect(lineText(warningBadge(warned))).toBe("  2 notes");
    expect(warningBadge({ said: [], marks: [] })).toEqual([]);
  });
  it("is only counted in the badge if it does not affect how numbers are read", () => {
    const remark = { mark: "[2]", text: "apps are shown in another order", of: [], isRemark: true } as const;
    const both = { ...warned, said: [...warned.said, remark] };
    expect(warningLines(both, 78, theme)).toHaveLength(1);
    expect(lineText(warningBadge(both))).toBe("  2 notes");
    const alone = { said: warned.said, marks: ["[1]"] };
    expect(warningBadge(alone)).toEqual([]);
  });
  it("is only counted in a cell if the head of the session shows it", () => {
    const key = { mark: "[1]", text: "builtin/oracle reads the answer key", of: [] };
    expect(warningLines({ said: [key], marks: ["[1]"] }, 78, theme)).toEqual([]);
    expect(lineText(warningBadge({ said: [key], marks: ["[1]"] }))).toBe("  1 note");
  });
  it("that the tasks are samples is only counted if the head of the cell says so", () => {
    const [, cell] = welcome;
    const warnings = ["Sample tasks written for Planwright, not the published benchmark", "Another warning"];
    const state = { kind: "run", problems: [], runs: [runState({ warnings })] } as const;
    const lines = (source: string, columns: number) =>
      cellLines({ ...cell!, source }, { ...state }, columns, theme, 0, {
        warned: warningMarks([{ id: "c2", state }]).get("c2")!,
      }).map(lineText);
    const [head, ...rest] = lines("suite: appbench\ndata: sample\nmodel: builtin/slips\n", 100);
    expect(head).toMatch(/sample tasks {2}3 notes$/);
    expect(rest.join("\n")).not.toContain("Sample tasks");
    expect(rest.join("\n")).toContain("! Another warning");
    // There is no room for the number of tasks.
    const narrow = lines(`suite: appbench\ndata: sample\nmodel: lab/${"long".repeat(12)}\n`, 60);
    expect(narrow[0]).not.toContain("sample");
    expect(narrow.join("\n")).toContain("! Sample tasks written for Planwright");
  });
  it("has at most two lines, followed by the key that shows the whole text", () => {
    const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
    const [first, second, ...others] = warningLines(
      { said: [{ mark: "[1]", text, of: [] }], marks: ["[1]"] },
      78,
      theme,
    );
    expect(others).toEqual([]);
    expect(lineText(first!)).toMatch(/^ {2}! word0 .* word\d+$/);
    expect(lineText(second!)).toMatch(/^ {4}word\d+ .*… {2}v shows all$/);
    expect(lineWidth(second!)).toBeLessThanOrEqual(78);
  });
  it("is counted next to the titles of figures", () => {
    const [, , analysis] = openDouble().cells();
    const state = openDouble().state("c3");
    const titles = (marks: readonly string[]) =>
      cellLines(analysis!, state, 78, theme, 0, { warned: { said: [], marks } })
        .map(lineText)
        .flatMap((line) => / {2}(\d) notes?$/.exec(line)?.[1] ?? [])
        .map(Number);
    expect(titles([])).toEqual([1, 2, 1]);
    expect(titles(["[1]", "[2]"])).toEqual([3, 4, 3, 2]);
  });
});

describe("the scroll position of a notebook", () => {
  const blocks = layOut([
    { id: "a", lines: 5 },
    { id: "b", lines: 40 },
    { id: "c", lines: 3 },
    { id: "d", lines: 3 },
  ]);
  const height = 20;
  const top = (place: { selected: string | undefined; anchor: number }) => topLine(blocks, place, height);

  it("moves by one cell per key, even past a cell taller than the window; paging shows the rest of such a cell", () => {
    let place = moveDown(blocks, { selected: "a", anchor: 0 }, height);
    expect([place.selected, top(place)]).toEqual(["b", 6]);
    place = movePage(blocks, place, height, 1);
    expect([place.selected, top(place)]).toEqual(["b", 24]);
    place = moveDown(blocks, moveDown(blocks, { selected: "a", anchor: 0 }, height), height);
    expect([place.selected, top(place)]).toEqual(["c", 30]);
    place = moveUp(blocks, place, height);
    expect([place.selected, top(place)]).toEqual(["b", 6]);
    // The last cell can be shown completely.
    const tall = blocks.slice(0, 2);
    const ends = [moveDown(tall, { selected: "b", anchor: 0 }, height)];
    for (let press = 0; press < 3; press++) ends.push(moveDown(tall, ends.at(-1)!, height));
    expect(ends.map((end) => topLine(tall, end, height))).toEqual([16, 26, 26, 26]);
  });
  it("moves by lines through all cells, and the selected cell stays selected while it is visible", () => {
    let place: ReturnType<typeof moveLines> = { selected: "a", anchor: 0 };
    const go = (by: number) => {
      place = moveLines(blocks, place, height, by);
      return `${place.selected} ${top(place)}`;
    };
    const down = Array.from({ length: 13 }, () => go(3));
    expect(down.join(", ")).toBe("b 6, b 9, b 12, b 15, b 18, b 21, b 24, c 30, c 33, c 34, d 34, d 34, d 34");
    const up = Array.from({ length: 13 }, () => go(-3));
    expect(up.join(", ")).toBe("c 31, b 26, b 23, b 20, b 17, b 14, b 11, b 8, a 0, a 0, a 0, a 0, a 0");
  });
  it("always shows the selected cell, and stops at both ends of the notebook", () => {
    let place = moveTo(blocks, { selected: "a", anchor: 0 }, height, "d");
    expect(top(place)).toBe(blocks[3]!.start + 3 - height);
    for (let step = 0; step < 20; step++) place = moveUp(blocks, place, height);
    expect([place.selected, top(place)]).toEqual(["a", 0]);
    for (let step = 0; step < 20; step++) place = movePage(blocks, place, height, 1);
    expect([place.selected, top(place)]).toEqual(["d", 34]);
  });
  it("keeps the selected cell at its position while cells above it grow", () => {
    const place = moveTo(blocks, { selected: "a", anchor: 0 }, height, "d");
    const grown = layOut(blocks.map(({ id, lines }) => ({ id, lines: id === "a" ? lines + 7 : lines })));
    const row = (all: typeof blocks) => all[3]!.start - topLine(all, place, height);
    expect(row(grown)).toBe(row(blocks));
  });
  it("keeps the edited line visible", () => {
    for (let focus = 0; focus < 60; focus++) {
      const edited = layOut([
        { id: "a", lines: 5 },
        { id: "b", lines: 61, focus },
      ]);
      const first = topLine(edited, { selected: "b", anchor: 3 }, height);
      const line = edited[1]!.start + focus;
      expect(line >= first && line < first + height).toBe(true);
    }
  });
});

const run = "lab/qwen3-32b-instruct, hierarchical";
const figure: Figure = {
  kind: "table",
  title: `Argument EM by scale: ${run}`,
  columns: [],
  rows: [],
  notes: ["a", "b"],
};
const title = (room?: number) => titleLine(figure, ["[1]"], (label) => (label === run ? 0 : undefined), room);

test("a figure's title is followed by the number of notes, which includes warnings", () => {
  expect(lineText(title())).toBe(`Argument EM by scale: ${run}  3 notes`);
});

test("a figure's title names a built-in model as tables do, in the colour of its run", () => {
  const slips = "builtin/slips?rate=0.2&pace=8";
  const colourOf = (label: string) => (label === slips ? 3 : undefined);
  const own = { ...figure, title: `EM by scale: ${slips}` };
  expect(titleLine(own, [], colourOf).slice(0, 2)).toEqual([
    { text: "EM by scale: ", style: "title" },
    { text: "slips(20 %)", series: 3 },
  ]);
  expect(runTitle(own, colourOf, 40)).toEqual([[{ text: "slips(20 %)", series: 3 }]]);
});

test("a figure for another run than the previous figure shows only the run's name", () => {
  const runs = ["hierarchical", "flat"];
  const colourOf = (label: string) => (runs.includes(label) ? runs.indexOf(label) : undefined);
  const [first, second] = runs.map((name) => ({ ...figure, title: `EM by scale: ${name}` }));
  expect(isForAnotherRun(second!, first, colourOf)).toBe(true);
  expect(runTitle(second!, colourOf, 40).map(lineText)).toEqual(["flat"]);
  expect(isForAnotherRun(first!, undefined, colourOf)).toBe(false);
  expect(isForAnotherRun(second!, { ...first!, title: "F1 by scale: hierarchical" }, colourOf)).toBe(false);
  expect(isForAnotherRun(second!, { ...first!, notes: [...first!.notes, "Another"] }, colourOf)).toBe(false);
  expect(isForAnotherRun({ ...second!, title: "EM by scale: all" }, first, colourOf)).toBe(false);
});

test("a figure's title omits the measure and the run if there is little room, but not the number of notes", () => {
  expect(lineText(title(60))).toBe("Argument EM by scale: lab/qwen3-32b-…, hierarchical  3 notes");
  for (const room of [30, 45, 60]) {
    expect(lineWidth(title(room))).toBeLessThanOrEqual(room);
    expect(lineText(title(room))).toMatch(/\S {2}3 notes$/);
  }
});

test("a figure's title has as many lines as necessary, with the number of notes after its name", () => {
  const lines = (columns: number) =>
    titleLines(figure, ["[1]"], (label) => (label === run ? 0 : undefined), columns).map(lineText);
  expect(lines(80)).toEqual([`Argument EM by scale: ${run}  3 notes`]);
  expect(lines(62)).toEqual([`Argument EM by scale: ${run}`, "3 notes"]);
  expect(lines(50).at(-1)).toBe("hierarchical  3 notes");
});
