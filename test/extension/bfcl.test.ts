/**
 * A benchmark made outside the program, documentation/examples/bfcl, compared with its own checker. Its data may not be committed here:
 * PLANWRIGHT_BFCL names the folder of the unpacked wheel bfcl-eval 2026.3.23. bfcl/verdicts.json contains the checker's verdicts,
 * written by bfcl/verdicts.py.
 */
import { describe, expect, test } from "vitest";
import { categories } from "../../documentation/examples/bfcl/categories.ts";
import { refusalOf } from "../../documentation/examples/bfcl/checker.ts";
import { fromJavaScript } from "../../documentation/examples/bfcl/javascript.ts";
import { fromJava } from "../../documentation/examples/bfcl/java.ts";
import { bfcl } from "../../documentation/examples/bfcl/suite.ts";
import { equal, parsed, written } from "../../documentation/examples/bfcl/value.ts";
import { checkSuite } from "../../source/kit.ts";
import { bareSpec } from "../bare-spec.ts";
import { answersOf } from "./bfcl/answers.ts";
import verdicts from "./bfcl/verdicts.json" with { type: "json" };
import { notebook, userFolder } from "./program.ts";

const wheel = process.env["PLANWRIGHT_BFCL"];
const example = `${import.meta.dirname}/../../documentation/examples/bfcl/suite.ts`;

const context = { spec: bareSpec("bfcl"), signal: new AbortController().signal };

describe("BFCL as a user's own suite", () => {
  test("satisfies the contract of a suite", async () => {
    expect(await checkSuite(bfcl)).toEqual([]);
  });

  test("distinguishes 5 from 5.0, although both are equal, and keeps numbers of any length", () => {
    expect(parsed('[5, 5.0, 12345678901234567890, "5"]')).toEqual([5n, 5, 12345678901234567890n, "5"]);
    expect(written(parsed('{"a": [5, 5.0, null, true]}'))).toBe('{"a": [5, 5.0, null, true]}');
    expect([equal(5n, 5), equal(1n, true), equal([5n], [5]), equal(5n, "5")]).toEqual([true, true, true, false]);
  });

  test.each([
    ["irrelevance", "No function fits.", undefined],
    ["irrelevance", "[]", undefined],
    ["live_irrelevance", '[{"function": "shelf.count", "parameters": {}}]', "unwanted-call"],
    ["live_relevance", "[]", "no-call"],
    ["live_relevance", '```json\n[{"function": "paint.mix", "parameters": {"first": "any"}}]\n```', undefined],
    ["simple_python", "I call paint.mix", "unreadable"],
    ["parallel", '[{"function": "shelf.order", "parameters": {"colour": "Green", "jars": 4}}]', "wrong-count"],
  ])("scores a reply like the benchmark: %s, %s is %s", async (split, reply, kind) => {
    const { tasks, score } = await bfcl.open({ folder: bfcl.sampleFolder!, data: "sample" });
    const [task] = await tasks(split);
    const outcome = { answer: { output: reply, stages: {} }, steps: [], failure: undefined };
    const { value, errors } = await score(task!, outcome, context);
    expect({ value, kind: errors[0]?.kind }).toEqual({ value: kind === undefined ? 1 : 0, kind });
  });

  test("reads lists of lists with brackets that never close, and unterminated literals as text", () => {
    const open = `[[${"1],[".repeat(900)}`;
    expect(fromJavaScript(open, "array")).toEqual(["[1"]);
    expect(fromJavaScript("[".repeat(100_000), "array")).toBe("[".repeat(100_000));
    const puts = `new HashMap<>() {{ ${'put("a",'.repeat(450)} }}`;
    expect(fromJava(puts, "HashMap")).toEqual({});
  });
});

describe.skipIf(wheel === undefined)("BFCL's own data (PLANWRIGHT_BFCL)", () => {
  test("get the scores of BFCL's own checker, for right calls and 300 variations of right calls", async () => {
    const answers = await answersOf(wheel!);
    const found = answers.map(({ task, seed, calls, question }) => ({
      task,
      seed,
      verdict: refusalOf(calls, question) === undefined ? "accepted" : "refused",
    }));
    const right = found.filter(({ seed }) => seed === 0);
    expect(right).toHaveLength(verdicts.right.tasks);
    expect(right.filter(({ verdict }) => verdict === "refused").map(({ task }) => task)).toEqual(
      verdicts.right.refused,
    );
    const changed = found.filter(({ seed }) => seed > 0).map(({ task, seed, verdict }) => [task, seed, verdict]);
    expect(changed).toHaveLength(300);
    expect(changed).toEqual(verdicts.changed);
  });

  const user = userFolder();
  test("can be added, and right calls are right unless the checker itself rejects them", () => {
    const own = ["--with", example];
    const splits = ["simple_java", "parallel_multiple"];
    user.write("session/session.md", notebook(`suite: bfcl\nsplit: [${splits.join(", ")}]\nmodel: builtin/oracle`));
    expect(user.planwright("data", "add", "bfcl", "--from", wheel!, ...own)).toMatchObject({ status: 0, err: "" });
    const expected = splits.map((split) => {
      const wrong = verdicts.right.refused.filter((task) => task.startsWith(split)).length;
      const tasks = categories.find(({ name }) => name === split)!.tasks;
      return { spec: { data: "published" }, counts: { right: tasks - wrong, wrong, failed: 0 } };
    });
    expect(user.runs(...own)).toMatchObject(expected);
  });
});
