/** Dialogues made elsewhere, scored line by line. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Json } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";
import { emptyDialogue as line } from "./dialogue-line.ts";

type Case = { readonly name: string; readonly input: Json; readonly expected: Record<string, Json> };

const score = (values: readonly Json[], folder: string) =>
  planningarena.predictions!.score({
    lines: values.map((value, index) => ({ number: index + 1, value })),
    folder,
    data: "published",
    split: "all",
    flags: {},
    signal: new AbortController().signal,
  });

describePublished("published cases as prediction lines", () => {
  const cases = existsSync(shared("conformance"))
    ? sharedJson<{ cases: Case[] }>("conformance", "planningarena", "dialogue-eval.json").cases
    : [];

  test("give the expected records, in order, and the aggregate", async () => {
    const { records, aggregate, entries, figures } = await score(
      cases.map(({ input }) => input),
      shared("data", "planningarena"),
    );
    expect(records.map(rounded)).toEqual(cases.map(({ expected }) => rounded(expected)));
    const right = cases.filter(({ expected }) => expected["result"] === true).length;
    expect((aggregate as { Overall: number }).Overall).toBeCloseTo((100 * right) / cases.length, 9);
    expect(entries.map((entry) => entry.score.value)).toEqual(
      cases.map(({ expected }) => (expected["result"] === true ? 1 : 0)),
    );
    expect(figures).toHaveLength(1);
    const comment = entries[cases.findIndex(({ name }) => name === "garbled-comment-107")]!;
    expect(comment.answer).toMatchObject({ end: expect.stringMatching(/-unparsable$/), unread: {} });
  });
});

/** Means of the expected values that are known, by the columns of the table. */
function expectedCells(group: readonly Case[]): readonly (readonly [text: string, n: number])[] {
  type Expected = {
    checks: Record<string, boolean | null> | null;
    smar: Record<string, number | null>;
    da: { value: number } | null;
  };
  const checks = ["SC", "SR", "TD", "FD-APP", "OSC", "FD-API", "PC", "TR"];
  const all = group.map(({ expected }) => {
    const { result, generated, ser, lpr } = expected;
    const { checks: kept, smar, da } = expected as unknown as Expected;
    return [result, generated, ...checks.map((name) => kept?.[name]), ser, da?.value, lpr, smar["eq3"], smar["table"]];
  });
  return all[0]!.map((_, column) => {
    const values = all.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
    const mean = values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
    return [values.length === 0 ? "-" : (100 * mean).toFixed(1), values.length];
  });
}

describePublished("the table of the published cases", () => {
  test("has a row for each relation and a row for all relations, with the means of known values and their counts", async () => {
    const { cases } = sharedJson<{ cases: Case[] }>("conformance", "planningarena", "dialogue-eval.json");
    const { figures } = await score(
      cases.map(({ input }) => input),
      shared("data", "planningarena"),
    );
    const rows = figures[0]!.kind === "table" ? figures[0]!.rows : [];
    const relationOf = ({ input }: Case) => (input as { task: { relation: string } }).task.relation;
    expect(rows.map(([name]) => name!.text).toSorted()).toEqual(["all", ...new Set(cases.map(relationOf))].toSorted());
    expect(rows.at(-1)![0]!.text).toBe("all");
    for (const [name, count, ...cells] of rows) {
      const group = cases.filter((each) => name!.text === "all" || relationOf(each) === name!.text);
      expect([count!.text, count!.value]).toEqual([String(group.length), group.length]);
      expect(cells.map(({ text, n }) => [text, n])).toEqual(expectedCells(group));
    }
  });

  test("is a single row for a single relation", async () => {
    const { figures, entries } = await score([line, line], sampleFolder("planningarena"));
    const rows = figures[0]!.kind === "table" ? figures[0]!.rows : [];
    expect(rows.map((row) => row.slice(0, 3).map(({ text }) => text))).toEqual([["SAPP", "2", "0.0"]]);
    expect(entries[0]!.score.labels).toEqual({ end: "scored elsewhere", profile: "off" });
  });
});

const { task } = line;

/** Numbers with six decimals, like the expected ones. */
function rounded(value: Json): Json {
  if (typeof value === "number") return Number(value.toFixed(6));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item as Json)]));
}

describe("raw answers in a prediction line", () => {
  const step = { StepNumber: 1, Description: "Open it", Action: "Tap" };
  const planned = JSON.stringify({ GlobalThought: "One step", OrderSteps: { TotalSteps: 1, StepDetail: step } });
  const done = JSON.stringify({ OrderSteps: { StepDetail: { StepNumber: 1, Results: "It is open" } } });
  const record = {
    GlobalThought: "One step",
    OrderSteps: { TotalSteps: 1, StepDetail: { ...step, Results: "It is open" } },
  };
  const kept = async (...raw: readonly (readonly [role: string, content: string])[]) => {
    const { dialogue: _, ...rest } = line;
    const value = { ...rest, raw: raw.map(([role, content]) => ({ role, content })) };
    return (await score([value], sampleFolder("planningarena"))).entries[0]!.answer;
  };

  test("are kept as a dialogue", async () => {
    expect(await kept(["planner", planned], ["responder", done])).toEqual({ end: "complete", dialogue: [record] });
  });

  test("are kept up to the first unreadable answer, which is stored separately with its role", async () => {
    expect(await kept(["planner", planned], ["responder", done], ["planner", "Done!"])).toEqual({
      end: "planner-unparsable",
      dialogue: [record],
      unread: { role: "planner", content: "Done!" },
    });
    expect(await kept(["planner", planned], ["responder", "Well,"])).toEqual({
      end: "responder-unparsable",
      dialogue: [],
      unread: { role: "responder", content: "Well," },
    });
  });
});

describe("a malformed line", () => {
  test.each<[string, Json]>([
    ["Line 1: Expected an object `{task, gold, offeredSet, dialogue or raw}`", 7],
    [
      "Line 1: Expected `offeredSet` to be `apps` or the name of a set in the catalogue, got `none`",
      { ...line, offeredSet: "none" },
    ],
    [
      "Line 1: Expected `dialogue` to be a list of records, or `raw` a list of {role, content}",
      { ...line, dialogue: 3 },
    ],
    ["Line 1: Expected `task.relation` to be one of SAPP", { ...line, task: { ...task, relation: "XAPP" } }],
    [
      "Line 1: Expected `task.userId` to be the id of a profile, got `nobody`",
      { ...line, task: { ...task, userId: "nobody" } },
    ],
    ["Line 1: Expected `edges` in `gold` to be a list, got `nothing`", { ...line, gold: { subtasks: [] } }],
  ])("is rejected: %s", async (message, value) => {
    await expect(score([value], sampleFolder("planningarena"))).rejects.toThrow(message);
  });

  test("is rejected, whereas a bad dialogue is scored", async () => {
    const { records } = await score([{ ...line, dialogue: [{ OrderSteps: 3 }] }], sampleFolder("planningarena"));
    expect(records).toMatchObject([{ garbled: true, checks: null, ser: 0, da: null, result: false }]);
  });

  test("has a note if its answer keys call tools that are not in the data folder", async () => {
    const api = { ...task, operationalScenario: "API", relation: "DAPI", structure: "one-to-many" };
    const keyed = (tool: string) => ({
      ...line,
      task: api,
      offeredSet: "dag",
      gold: { subtasks: [{ id: "s1", tool, args: [] }], edges: [] },
    });
    const notes = async (tool: string) =>
      (await score([keyed(tool), keyed(tool)], sampleFolder("planningarena"))).figures[0]!.notes.join("\n");
    expect(await notes("OpenWeather")).toContain("2 of 2 answer keys call tools that");
    const both = keyed("OpenWeather");
    both.gold.subtasks.unshift({ id: "s0", tool: "findCourse", args: [] });
    const { figures } = await score([both], sampleFolder("planningarena"));
    expect(figures[0]!.notes.join("\n")).toContain("1 of 1 answer keys call tools that");
    expect(await notes("findCourse")).not.toContain("answer keys");
  });
});
