import { describe, expect, test } from "vitest";
import { chosenApps, mapPlaceholders, namedApps } from "../../../suites/appbench/ask/app-list.ts";
import { readAppList } from "./read-app-list.ts";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import { readCallForAnalysis, type Call, readCall } from "../../../suites/appbench/score/call-text.ts";
import { canonicalCall } from "../../../suites/appbench/score/canonical-call.ts";
import { readPlan } from "../../../suites/appbench/score/plan-text.ts";
import { recordOf, scorePlan } from "../../../suites/appbench/score/record.ts";
import { scoreOf } from "../../../suites/appbench/score/score.ts";
import { planOf } from "../../../suites/appbench/score/scored-plan.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { expectClose } from "./close.ts";
import { publishedCatalogue, publishedGold } from "./published.ts";

type Units = {
  call_strings: { input: string; expected: { evaluation: unknown; analysis: unknown } }[];
  plan_text: { input: string; expected: { decided_app: string[]; decided_api: string[] } }[];
};
type Selection = {
  app_selection: {
    id: string;
    output: string;
    expected: { app_list: string[] | null; distinct_apps: string[] | null };
  }[];
  placeholder_mapping: {
    id: string;
    sample_id: string;
    app_selection_output: string;
    output: string;
    expected: {
      decided_app: string[];
      first_step_apps: string[];
      matched_apps: string[];
      official: { error: string | null; evaluation: unknown; counters: unknown };
    };
  }[];
};

function asUnit(call: Call | undefined) {
  if (call === undefined) return null;
  return { name: call.name, returns: call.returns, args: [...call.arguments] };
}

describePublished("parsing that equals upstream's", () => {
  const units = sharedJson<Units>("conformance", "appbench", "units.json");
  const selection = sharedJson<Selection>("conformance", "appbench", "app_selection.json");
  const catalogue = publishedCatalogue().apps.map((app) => app.name);

  test(`gives the same ${units.call_strings.length} calls with both parsers`, () => {
    for (const { input, expected } of units.call_strings) {
      expect(asUnit(readCall(input)), input).toEqual(expected.evaluation);
      expect(asUnit(readCallForAnalysis(input)), input).toEqual(expected.analysis);
    }
  });

  test(`gives the same ${units.plan_text.length} plans with the line parser`, () => {
    for (const { input, expected } of units.plan_text) {
      const { apps, calls } = readPlan(input);
      expect({ decided_app: apps, decided_api: calls }, input).toEqual(expected);
    }
  });

  test(`gives the same ${selection.app_selection.length} first-stage answers`, () => {
    for (const { id, output, expected } of selection.app_selection) {
      const list = readAppList(output, catalogue);
      expect(list ?? null, id).toEqual(expected.app_list);
      expect(chosenApps(output, catalogue).toSorted(), id).toEqual(expected.distinct_apps ?? []);
    }
  });

  test(`gives the same ${selection.placeholder_mapping.length} plans that contain app1, app2`, () => {
    const gold = publishedGold();
    for (const { id, sample_id, app_selection_output: apps, output, expected } of selection.placeholder_mapping) {
      const plan = readPlan(output);
      expect(plan.apps, id).toEqual(expected.decided_app);
      const first = namedApps(apps, catalogue);
      expect(first, id).toEqual(expected.first_step_apps);
      expect(mapPlaceholders(plan.apps, first), id).toEqual(expected.matched_apps);
      const { error, evaluation, counters } = recordOf(
        scorePlan(planOf({ output, apps }, catalogue), gold.get(sample_id)!),
      ).official;
      expectClose({ error, evaluation, counters }, expected.official, id);
    }
  });
});

describe("calls in random texts", () => {
  /** Short texts of these pieces, the same in every run. */
  function* texts(pieces: readonly string[]): Iterable<string> {
    const random = randomFrom(pieces.join(""));
    for (let made = 0; made < 6000; made++)
      yield Array.from({ length: Math.floor(random() * 12) }, () => pick(pieces, random)).join("");
  }

  test("are what the regular expression of evaluation.py finds, with arguments split at a comma and a space", () => {
    for (const text of texts(["a", "x_f", "=", "=", " ", "(", ")", ", ", "#K", "'v'", "\n"])) {
      const [, , name, inside] = /(\w+)\s*=\s*(\w+)\(([^)]*)\)/.exec(text) ?? [];
      const read: [string, string][] = [];
      for (const piece of inside?.split(", ") ?? []) {
        const parts = piece.split("=").map((part) => part.trim());
        if (parts.length === 2) read.push([`#${parts[0]!.toLowerCase().replace(/^#/, "")}`, parts[1]!]);
        if (parts.length === 1 && read.length > 0) read.push([read.at(-1)![0], ""]);
      }
      const call = readCall(text);
      expect(call && [call.name, ...call.arguments], JSON.stringify(text)).toEqual(
        name === undefined ? undefined : [name.includes("_") ? name.split("_")[1]! : name, ...new Map(read)],
      );
    }
  });

  test("have the arguments that the regular expression of analysis.py finds", () => {
    for (const text of texts(["k", "=", "=", " ", "'", '"', "[", "]", ",", "v"])) {
      const found = text.matchAll(/(\w+)\s*=\s*(?:['"](.+?)['"]|(\[.*\])|(\w+))/g);
      const expected = new Map(Array.from(found, ([, key, quoted, list, word]) => [key!, quoted ?? list ?? word!]));
      expect([...readCallForAnalysis(`f(${text})`)!.arguments], JSON.stringify(text)).toEqual([...expected]);
    }
  });
});

test("the analysis reads the first call that ends on its own line, because `.` in the official regex matches no line break", () => {
  const call = readCallForAnalysis("find(\nr = book(x='1')");
  expect([call?.name, [...(call?.arguments ?? [])]]).toEqual(["book", [["x", "1"]]]);
  expect(readCallForAnalysis("find(x='1'")).toBeUndefined();
  expect(readCallForAnalysis("find(\nbook(x='1'")).toBeUndefined();
});

describe("hostile text in AppBench", () => {
  const long = 200_000;
  const hostile = [
    "a".repeat(long),
    " ".repeat(long),
    `${"a ".repeat(long)}=`,
    `x: [${"=".repeat(long)}]`,
    `x: [a = f(${"#a=1, ".repeat(long)}`,
    `x: [a = f(${"(".repeat(long)}]`,
    `x: [${"'\"".repeat(long)}]`,
    `x: [a = f(${"a='".repeat(long)})]`,
    `${":".repeat(long)}[]`,
    `${"[".repeat(long)}:]`,
    `x: [${"a=[".repeat(long)})]`,
    "x:\n".repeat(long),
    "x: []\n".repeat(20_000),
  ];

  test("is parsed in linear time", () => {
    for (const text of hostile) {
      const { calls } = readPlan(text);
      for (const call of calls.slice(0, 10)) {
        readCall(call);
        readCallForAnalysis(call);
        canonicalCall("x", call);
      }
      readCall(text);
      readCallForAnalysis(`f(${text})`);
      canonicalCall("x", text);
    }
  });

  test("is scored as a whole, and the score keeps only a small part of the text", () => {
    const gold = {
      used_app: ["x"],
      used_api: [{ f: { a: "1" } }],
      result_arguments: [["a"]],
      api_results: ["a = f(#a='1')"],
      user_aware_arguments: { a: "1" },
    };
    for (const text of [...hostile, "x: [a = f(#a='1')]\n".repeat(5000), `x: [a = f(#a='${"1".repeat(long)}')]`]) {
      const score = scoreOf({ output: text, apps: text }, gold, ["x", "App"]);
      expect(JSON.stringify(score).length).toBeLessThan(50_000);
    }
  });

  test("can contain names of JavaScript's object properties, which are plain text", () => {
    const gold = {
      used_app: ["constructor"],
      used_api: [],
      result_arguments: [],
      api_results: ["a = toString(#__proto__='1')"],
      user_aware_arguments: {},
    };
    const text = "constructor: [a = toString(#__proto__='1', #constructor=valueOf)]";
    const { official } = scorePlan(planOf({ output: text }, []), gold);
    expect(official.total_match).toBe(1);
    expect(({} as Record<string, unknown>)["1"]).toBeUndefined();
  });

  test("is never read outside the list, whatever the numbers of its placeholders", () => {
    expect(mapPlaceholders(["app0", "app2", "app99999999999999999999", "app-1", "app", "Apple"], ["A", "B"])).toEqual([
      "B",
      "B",
      "A",
    ]);
  });
});
