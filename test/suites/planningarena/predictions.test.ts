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

  test("give their expected records, in order, and the aggregate", async () => {
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

  test("are kept as the dialogue they form", async () => {
    expect(await kept(["planner", planned], ["responder", done])).toEqual({ end: "complete", dialogue: [record] });
  });

  test("are kept up to the first unreadable one, with its role", async () => {
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
    ["Line 1: Expected `offeredSet` to be apps or a set of the catalogue, got `none`", { ...line, offeredSet: "none" }],
    [
      "Line 1: Expected `dialogue` to be a list of records, or `raw` a list of {role, content}",
      { ...line, dialogue: 3 },
    ],
    ["Line 1: Expected `task.relation` to be one of SAPP", { ...line, task: { ...task, relation: "XAPP" } }],
    ["Line 1: Expected `task.userId` to be a profile, got `nobody`", { ...line, task: { ...task, userId: "nobody" } }],
    ["Line 1: Expected `edges` in `gold` to be a list, got `nothing`", { ...line, gold: { subtasks: [] } }],
  ])("is rejected: %s", async (message, value) => {
    await expect(score([value], sampleFolder("planningarena"))).rejects.toThrow(message);
  });

  test("is rejected, while a bad dialogue is scored", async () => {
    const { records } = await score([{ ...line, dialogue: [{ OrderSteps: 3 }] }], sampleFolder("planningarena"));
    expect(records).toMatchObject([{ garbled: true, checks: null, ser: 0, da: null, result: false }]);
  });

  test("has a note if its answer keys call tools that the data folder does not offer", async () => {
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
    expect(await notes("findCourse")).not.toContain("answer keys");
  });
});
