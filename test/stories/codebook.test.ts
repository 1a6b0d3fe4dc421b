/**
 * A researcher tags errors with their own kinds, labels tasks blind, and compares two people. A key is one press; typed words are not
 * counted.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openProgram, type PseudoTerminal } from "./pseudo-terminal.ts";
import { command } from "./served-program.ts";

const [enter, escape, tab, ctrlT] = ["\r", "\u001b", "\t", "\u0014"];
const session = `# Lab

\`\`\`run first
suite: appbench
data: sample
split: all
model: builtin/slips?rate=0.6
\`\`\`

\`\`\`analysis mistakes
pane: errors
\`\`\`

\`\`\`analysis two-people
pane: agreement
\`\`\`

\`\`\`analysis scores
pane: overview
\`\`\`
`;

/** The kinds that anna and bert give ten wrong tasks, in the order of the list; both find nothing in the eleventh. */
const byAnna = [
  "misread",
  "misread",
  "wrong day",
  "misread",
  "format",
  "wrong day",
  "format",
  "misread",
  "format",
  "misread",
];
const byBert = [
  "misread",
  "format",
  "wrong day",
  "misread",
  "format",
  "misread",
  "format",
  "misread",
  undefined,
  "misread",
];
const counts = { misread: 5, "wrong day": 2, format: 3 };
/** By `cohen_kappa_score` of scikit-learn 1.9.1 over the eleven tasks, present or absent. */
const kappas = { misread: 0.6333333333333333, "wrong day": 0.6206896551724137, format: 0.5416666666666666 };

let folder: string;
let screen: PseudoTerminal;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "planwright-codebook-"));
  mkdirSync(join(folder, "sessions/lab"), { recursive: true });
  mkdirSync(join(folder, "settings"));
  writeFileSync(join(folder, "sessions/lab/session.md"), session);
  writeFileSync(join(folder, "settings/settings.json"), '{"endpoints":[],"data":{},"person":"anna"}');
  screen = openProgram({ args: ["lab"], folder, columns: 120, rows: 40 });
  await screen.waitFor(/run first[\s\S]*0\/31/);
  screen.type("jr");
  await screen.waitFor(/✓ done/);
});
afterAll(async () => {
  screen.kill("SIGTERM");
  await screen.ended;
  rmSync(folder, { recursive: true, force: true });
});

afterEach(({ task }) => {
  const [error] = task.result?.errors ?? [];
  if (error !== undefined) error.message += `\nWaited for ${screen.awaited()}.\nThe screen:\n${screen.screen()}`;
});

let pressed = 0;
/** Presses keys, which are counted, until the pattern is on the screen. */
async function press(keys: string, until: RegExp): Promise<void> {
  pressed += keys.length;
  await type(keys, until);
}
async function type(text: string, until: RegExp): Promise<void> {
  screen.type(text);
  await screen.waitFor(until);
}

/** Tags with a kind by this key. */
async function tag(key: string, kind: string): Promise<void> {
  await type(key, /Tag with which kind/);
  await type(kind, new RegExp(`▸ +${kind}`));
  await type(enter, new RegExp(`Tagged ${kind}`));
}

type Line = Readonly<Record<string, string>>;
const codes = (person: string) => join(folder, "sessions/lab/codes", `${person}.jsonl`);
const linesOf = (kind: string): readonly Line[] =>
  readFileSync(codes("anna"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line["type"] === kind);

describe("a codebook in a terminal", () => {
  test("is used to tag ten errors at their wrong steps with three new kinds, in 40 keys after a figure", async () => {
    await press("G", /▌ Succ by run/);
    await press(enter, /▸ ?slips[\s\S]*Enter tasks/);
    await press(enter, /31 tasks[\s\S]*first error/);
    await press("ff", /only wrong/);
    await press("m", /wrong +1 of 11[\s\S]*\[2 Steps\][\s\S]*▌ +[✗▔]/);
    for (const [index, kind] of byAnna.entries()) {
      await press("t", /Tag with which kind/);
      expect(screen.screen()).toContain("tagged by anna (setting `person`)");
      await type(kind, new RegExp(`▸ +${kind}`));
      await press(enter, new RegExp(`Tagged ${kind}`));
      if (index < byAnna.length - 1) await press("]", new RegExp(` ${index + 2} of 11[^]*▌ +[✗▔]`));
    }
    expect(pressed).toBe(35);
    for (const { place } of linesOf("code"))
      expect(place).toMatchObject({ section: "steps", request: 1, quote: expect.stringMatching(/^✗ /) });
    expect(linesOf("code").map(({ kind }) => kind)).toEqual(byAnna);
    expect(new Set(linesOf("code").map(({ task }) => task)).size).toBe(10);
  });

  test("records that a task was labelled although no kind applies", async () => {
    await type("]", / 11 of 11/);
    await type(ctrlT, /\(no kind applies\)/);
    await type("no kind", /▸ +\(no kind applies\)/);
    await type(enter, /Labelled without a kind/);
    expect(linesOf("labelled")).toHaveLength(1);
  });

  test("has the same counts in the list, the pane, CSV and the report", async () => {
    await type(escape, /codes[\s\S]*misread/);
    await type("f", /\d+\/10[^\n]*only tagged/);
    await type(escape, /\d+\/31 /);
    await type(escape, /▸ ?slips[\s\S]*Enter tasks/);
    await type(escape, /▌ analysis scores/);
    await type("gj", /▌ run first/);
    await type("]", /▌ analysis mistakes/);
    await type(enter, /Enter tasks/);
    await type(`${tab}${tab}`, /Tasks with your own kinds[\s\S]*misread/);
    for (const [kind, count] of Object.entries(counts))
      expect(screen.screen()).toMatch(new RegExp(`${kind} +${count}\\b`));
    const csv = readFileSync(exported(command(folder, "export", "sessions/lab", "--rows", "csv")), "utf8");
    const rows = parse(csv, { columns: true }) as Readonly<Record<string, string>>[];
    const values = (name: string) => rows.map((row) => row[name]);
    for (const [kind, count] of Object.entries(counts)) {
      expect(values(`code.${kind}`).filter((value) => value === "true")).toHaveLength(count);
      expect(values("codes").filter((value) => value === kind)).toHaveLength(count);
    }
    command(folder, "export", "sessions/lab", "--report", "report.html");
    const page = readFileSync(join(folder, "report.html"), "utf8");
    const table = page
      .slice(page.indexOf("Tasks with your own kinds"))
      .replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>|\s+/g, " ");
    for (const [kind, count] of Object.entries(counts)) expect(table).toMatch(new RegExp(`${kind} +${count} `));
    // Each of the ten trajectories names its code, its author and the line.
    expect(page.match(/anna<\/span>/g)!.length).toBeGreaterThanOrEqual(10);
  });

  test("shows scikit-learn's kappa for another person's file, and opens the tasks behind it", async () => {
    const at = "2026-01-01T00:00:00Z";
    const lines = [...linesOf("code"), ...linesOf("labelled")].flatMap(({ run, task, attempt }, index) => {
      const of = { by: "bert", at, run, task, attempt };
      const kind = byBert[index];
      return [
        { type: "labelled", id: `l${index}`, ...of },
        ...(kind === undefined ? [] : [{ type: "code", id: `c${index}`, ...of, kind }]),
      ];
    });
    writeFileSync(codes("bert"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await type(escape, /▌ analysis mistakes/);
    await type("]", /▌ analysis two-people[\s\S]*Agreement of anna and bert/);
    await type(enter, /Agreement of anna and bert[\s\S]*Enter tasks/);
    for (const [kind, kappa] of Object.entries(kappas))
      expect(screen.screen()).toMatch(new RegExp(`${kind} .* ${kappa.toFixed(3)}`));
    await type(tab, /Labels of anna against labels of bert[\s\S]*Enter tasks/);
    const found = JSON.parse(command(folder, "run", "sessions/lab", "--json", "--cells", "two-people")) as {
      readonly cells: readonly {
        readonly name?: string;
        readonly figures?: readonly { rows: { text: string; value?: number }[][] }[];
      }[];
    };
    const figure = found.cells.find(({ name }) => name === "two-people")!.figures![0]!;
    for (const [kind, kappa] of Object.entries(kappas))
      expect(figure.rows.find(([first]) => first!.text === kind)!.at(-1)!.value).toBeCloseTo(kappa, 14);
    // The first cell: tasks that both called `misread`.
    await type(enter, /4 tasks[\s\S]*first error/);
    await type(escape, /Enter tasks/);
    await type(escape, /▌ analysis two-people/);
  });

  test("hides score, run and earlier codes during blind labelling", async () => {
    await type("gj", /▌ run first/);
    await type("T", /How many tasks do you label blind/);
    await type("31", /▸ +(all )?31/);
    await type(enter, /labelled blind +1 of 31/);
    for (let index = 1; index <= 31; index++) {
      await screen.waitFor(new RegExp(`labelled blind +${index} of 31`));
      expect(screen.screen().split("\n").slice(1, -2).join("\n")).not.toMatch(/wrong|right|slips|# |bert/);
      screen.type("2");
      await screen.waitFor(/\[2 Steps\]/);
      expect(screen.screen().split("\n").slice(1, -2).join("\n")).not.toMatch(/✗|slips|# misread|bert/);
      if (index === 3) {
        await tag("t", "format");
        await screen.waitFor(/# format +anna/);
      }
      await type(
        "]",
        index === 31 ? /Labelled: this was the last of 31 tasks/ : new RegExp(`blind +${index + 1} of 31`),
      );
    }
    const labelled = linesOf("labelled").filter((line) => "sample" in line);
    expect(labelled).toHaveLength(31);
    expect(labelled[0]!["sample"]).toMatchObject({ seed: 1, n: 31 });
    await type("c", /Not available while you label blind/);
    await type(escape, /▌ run first/);
  });

  test("tags marked tasks, a range of lines and a whole task with a remark, and can undo the tags", async () => {
    const before = linesOf("code").length;
    await type("o", /first error/);
    await type("  ", /2 tasks marked/);
    await type("t", /2 tasks; tagged by anna/);
    await type("late", /▸ +late/);
    await type(tab, / late +Remark/);
    await type("at the end", /at the end/);
    await type(enter, /Tagged late: 2 tasks/);
    expect(linesOf("code").slice(before)).toMatchObject([
      { kind: "late", remark: "at the end" },
      { kind: "late", remark: "at the end" },
    ]);
    await type("z", /The last tag is undone/);
    expect(linesOf("withdrawn")).toHaveLength(2);
    expect(screen.screen()).not.toContain("marked: t tags");
    await type("g", /▸ . \S+ .*/);
    await type(enter, / 1 of 31/);
    await type("2", /\[2 Steps\]/);
    await type("jV", /The range begins here/);
    await type("j", /\[2 Steps\]/);
    await tag("t", "format");
    expect(linesOf("code").at(-1)!["place"]).toMatchObject({ section: "steps", request: 0, step: 0 });
    await tag(ctrlT, "whole");
    expect(linesOf("code").at(-1)).not.toHaveProperty("place");
    await type(escape, /first error/);
    await type(escape, /▌ run first/);
  });
});

/** Returns the first path that a command has printed. */
function exported(out: string): string {
  const path = out.split(/\s+/).find((word) => word.endsWith(".csv"))!;
  return path.startsWith("/") ? path : join(folder, path);
}
