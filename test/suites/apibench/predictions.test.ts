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
