import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { hubs } from "../../../suites/apibench/score/extraction.ts";
import { scorePredictions } from "../../../suites/apibench/score/predictions.ts";
import { aggregate, type Verdict } from "../../../suites/apibench/score/verdict.ts";
import { nodesOrFallback } from "../../../suites/apibench/data/grammar-thread.ts";
import type { Json } from "../../../source/engine/types.ts";
import { describePublished, shared, sharedJson, sharedLines } from "../../shared.ts";

type Expected = { question_id: number; outcome: string; matched_index: number | null };
const signal = new AbortController().signal;

function score(split: string, values: readonly Json[]) {
  const lines = values.map((value, index) => ({ number: index + 1, value }));
  return scorePredictions({ lines, folder: shared("data", "apibench"), data: "published", split, flags: {}, signal });
}

describePublished("published replies, scored like another program's predictions", () => {
  const official = sharedJson<Record<string, Record<string, unknown>>>(
    "conformance",
    "toolplanner",
    "apibench_official_aggregates.json",
  );

  for (const hub of hubs) {
    for (const kind of ["FT", "RT"]) {
      const name = `response_${hub}_Gorilla_${kind}_0_shot`;
      it(`get the official verdicts and rates: ${name}`, async () => {
        const path = ["conformance", "toolplanner", "apibench_responses"];
        const replies = sharedLines<Json>(...path, `${name}.jsonl.gz`);
        const expected = sharedLines<Expected>(...path, `${name}.expected.jsonl.gz`);
        const scored = await score(hub, replies);
        const records = scored.records as unknown as Expected[];
        const differing = records.filter((record, index) => !isDeepStrictEqual(pick(record), pick(expected[index]!)));
        expect(differing).toEqual([]);
        expect(scored.entries).toHaveLength(replies.length);
        expect(scored.aggregate).toEqual(rates(official[`${name}.jsonl`]!));
        expect(aggregate(expected as unknown as Verdict[])).toEqual(rates(official[`${name}.jsonl`]!));
      });
    }
  }

  it("get the official records in all recorded cases", async () => {
    type Case = { hub: string; question_id: number; text: string; expected: Record<string, Json> };
    const cases = sharedLines<Case>("conformance", "toolplanner", "apibench_ast_cases.jsonl");
    for (const hub of hubs) {
      const own = cases.filter((one) => one.hub === hub);
      const { records } = await score(
        hub,
        own.map(({ question_id, text }) => ({ question_id, text })),
      );
      const wanted = own.map(({ question_id, expected: { matched_api_call: _call, ...expected } }) => ({
        question_id,
        ...expected,
      }));
      expect(records).toEqual(wanted);
    }
  });

  it("with a malformed line are rejected, and the error names the line", async () => {
    await expect(
      score("torchhub", [
        { question_id: 1, text: "" },
        { question_id: 999_999, text: "" },
      ]),
    ).rejects.toThrow("Line 2: Expected `question_id` to be the number of a torchhub question");
    await expect(score("torchhub", [{ question_id: 1 }])).rejects.toThrow("Line 1: Expected `text`");
    await expect(score("torchhub", [null])).rejects.toThrow("Line 1");
    await expect(score("elsewhere", [])).rejects.toThrow("Expected `split` to be one of");
  });
});

it("the figure of a hub has the count and the share of each outcome", async () => {
  const folder = sampleFolder("apibench");
  const [question] = readFileSync(join(folder, "eval", "torchhub_eval.jsonl"), "utf8").split("\n");
  const { question_id, gold_api_call: gold } = JSON.parse(question!) as { question_id: number; gold_api_call: string };
  const figureOf = async (...texts: readonly string[]) => {
    const lines = texts.map((text, at) => ({ number: at + 1, value: { question_id, text } }));
    const request = { folder, data: "sample", split: "torchhub", flags: {}, signal } as const;
    const [figure] = (await scorePredictions({ ...request, lines })).figures!;
    if (figure?.kind !== "table") throw new Error("Expected a table");
    return {
      title: figure.title,
      rows: figure.rows.map(([, count, share]) => [count!.value, share!.text, share!.value]),
    };
  };
  expect(await figureOf(`<<<api_call>>>: ${gold}`, "<<<api_call>>>: made.up()", "no call")).toEqual({
    title: "APIBench, torchhub: 3 replies",
    rows: [
      [1, "33.33 %", 1 / 3],
      [0, "0.00 %", 0],
      [1, "33.33 %", 1 / 3],
      [1, "33.33 %", 1 / 3],
      [1, "33.33 %", 1 / 3],
      [1, "33.33 %", 1 / 3],
    ],
  });
  expect((await figureOf("no call")).title).toBe("APIBench, torchhub: 1 reply");
  expect(await figureOf()).toEqual({
    title: "APIBench, torchhub: 0 replies",
    rows: Array.from({ length: 6 }, () => [0, "-", undefined]),
  });
});

it("the figure of a hub has no warning if the grammar is installed", async () => {
  const lines = [{ number: 1, value: { question_id: 1, text: "" } }];
  const request = { folder: sampleFolder("apibench"), data: "sample", split: "torchhub", flags: {}, signal } as const;
  const { figures } = await scorePredictions({ ...request, lines });
  expect(figures![0]!.notes).toEqual([expect.stringMatching(/^Functionality accuracy is the share/)]);
});

it("calls are found by a simple rule if the grammar is missing, and results have a warning", async () => {
  const { findNodes, warning } = await nodesOrFallback(() => Promise.reject(new Error("no file")));
  expect(warning).toContain("no file");
  expect(await findNodes("m = f(1)")).toEqual([{ text: "f(1)", first: "f" }]);
  // The outermost call counts; brackets that never open or close do not.
  expect(await findNodes("m = a.f(g(1), 2)")).toEqual([{ text: "a.f(g(1), 2)", first: "a.f" }]);
  expect(await findNodes("m = f(1))")).toEqual([{ text: "f(1)", first: "f" }]);
  expect(await findNodes("f(1), (g(2)")).toEqual([{ text: "f(1)", first: "f" }]);
});

const pick = ({ question_id, outcome, matched_index }: Expected) => ({ question_id, outcome, matched_index });

function rates(official: Record<string, unknown>): Record<string, unknown> {
  const { hub: _hub, parser_sensitive: _sensitive, ...numbers } = official;
  return numbers;
}
