import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { errors as errorsPane } from "../../../../analyses/errors.ts";
import type { SessionWorkbench } from "../../../../source/engine/workbench/session-workbench.ts";
import { scoreHistory } from "../../../../source/engine/log/rows/score-history.ts";
import { personName } from "../../../../source/engine/workbench/document/correct-run.ts";
import type { Mistake } from "../../../../source/engine/types.ts";
import { analysisOf, cellNamed, runsOf } from "../../workbench/temporary-session.ts";
import { tinySessions } from "../../workbench/tiny-suite.ts";
import { breakWhere, breakableFiles, fillDisk } from "../../files/faulty-files.ts";
import { until } from "../../../until.ts";

breakableFiles();

const errorKinds = [
  { name: "value", title: "Wrong value" },
  { name: "place", title: "Wrong place" },
  { name: "order", title: "Wrong order" },
];
/** Three errors on step 1, two of them of one kind; two equal errors on step 2; and one error of the whole task. */
const made: readonly Mistake[] = [
  { kind: "value", step: 1, key: "town", got: "Utrecht" },
  { kind: "value", step: 1, key: "day", got: "Monday" },
  { kind: "order", step: 1 },
  { kind: "place", step: 2, got: "here" },
  { kind: "place", step: 2, got: "here" },
  { kind: "order" },
];

const { sessions, suite, behaviour } = tinySessions();
beforeEach(() => {
  Object.assign(suite, { errorKinds, analyses: [errorsPane.name] });
  behaviour.score = async ({ id }) => ({
    value: id === "t0" ? 0 : 1,
    metrics: { right: 0 },
    checks: [],
    errors: id === "t0" ? made : [],
  });
});

const session =
  "```run main\nsuite: tiny\nmodel: builtin/oracle\nlimit: 0\n```\n\n```analysis pane\npane: errors\nof: [main]\n```\n";

async function finishedRun(text = session) {
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "main"));
  const { run } = runsOf(loaded, "main")[0]!;
  return inRun(loaded, run);
}

function inRun(loaded: SessionWorkbench, run: string) {
  const folder = join(sessions.path, "runs", run);
  const path = join(folder, "overrides.json");
  return {
    loaded,
    run,
    path,
    folder,
    ref: { run, task: "t0" },
    score: () => loaded.rows(run).find(({ task }) => task === "t0")!.score!,
    file: () => JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>[],
    correct: (error: Mistake, kind: string | undefined, reason = "it was so") =>
      loaded.correct({ run, task: "t0" }, error, kind, reason),
  };
}

const source = personName();
const override = (was: string, reason = "it was so") => ({ override: { was, source, reason } });

describe("a label correction of an error", () => {
  test("is written, counts immediately, and applies when the run is scored again", async () => {
    const { loaded, run, score, file, correct, folder } = await finishedRun();
    const log = () => readFileSync(join(folder, "events.jsonl"), "utf8");
    const asked = log().match(/"type":"prompt"/g)!.length;
    await correct(made[5]!, "place", "  there was no order to keep ");
    expect(file()).toEqual([{ task: "t0", was: "order", kind: "place", source, reason: "there was no order to keep" }]);
    const expected = [...made.slice(0, 5), { kind: "place", ...override("order", "there was no order to keep") }];
    expect(score()).toMatchObject({ value: 0, errors: expected, metrics: { right: 0, "errors.overridden": 1 } });
    expect(log().match(/"type":"prompt"/g)).toHaveLength(asked);
    expect((await loaded.trajectory({ run, task: "t0" }))!.score).toEqual(score());
    expect(loaded.rows(run).filter((row) => "errors.overridden" in row.score!.metrics)).toHaveLength(1);
    expect(readdirSync(folder).toSorted()).toEqual(["events.index", "events.jsonl", "overrides.json", "rows.jsonl"]);

    const before = score();
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(score()).toEqual(before);
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", message: undefined });
    await loaded.close();
    const again = await sessions.open(undefined, { suites: [suite] });
    runsOf(again, "main");
    expect(inRun(again, run).score()).toEqual(before);
  });

  test("appears in the errors analysis immediately, with the number of corrections", async () => {
    const { loaded, correct } = await finishedRun();
    const shown = () => {
      const ranked = analysisOf(loaded, "pane").figures.find(({ kind }) => kind === "bars");
      if (ranked?.kind !== "bars") throw new Error("Expected bars");
      return {
        kinds: ranked.bars.map(({ label, cell }) => `${label}: ${cell.note}`).toSorted(),
        notes: ranked.notes?.filter((note) => note.includes("person")),
      };
    };
    expect(shown()).toEqual({
      kinds: [
        "Wrong order: 1 of 12 tasks, 2 times",
        "Wrong place: 1 of 12 tasks, 2 times",
        "Wrong value: 1 of 12 tasks, 2 times",
      ],
      notes: [],
    });
    await correct(made[0]!, "place");
    expect(shown()).toMatchObject({
      kinds: [
        "Wrong order: 1 of 12 tasks, 2 times",
        "Wrong place: 1 of 12 tasks, 3 times",
        "Wrong value: 1 of 12 tasks, 1 time",
      ],
      notes: [
        "1 of 12 tasks was corrected by a person",
        expect.stringContaining("labels corrected by a person: 1 of 6 errors"),
      ],
    });
  });

  test("applies to one of several errors of one step, selected by kind, by argument or by order", async () => {
    const { score, file, correct } = await finishedRun();
    await correct(made[2]!, "place");
    await correct(made[1]!, "place");
    await correct(made[4]!, "value");
    const annotation = { source, reason: "it was so" };
    expect(file()).toEqual([
      { task: "t0", step: 1, was: "order", kind: "place", ...annotation },
      { task: "t0", step: 1, was: "value", key: "day", kind: "place", ...annotation },
      { task: "t0", step: 2, was: "place", number: 1, kind: "value", ...annotation },
    ]);
    // Of two equal errors the first is corrected; once they differ, the second can be.
    await correct(score().errors[4]!, "order");
    expect(score().errors).toEqual([
      made[0],
      { ...made[1], kind: "place", ...override("value") },
      { ...made[2], kind: "place", ...override("order") },
      { ...made[3], kind: "value", ...override("place") },
      { ...made[4], kind: "order", ...override("place") },
      made[5],
    ]);
    expect(score().metrics["errors.overridden"]).toBe(4);
  });

  test("replaces an earlier correction, whether written by hand or not, and is removed when the user selects the scorer's kind", async () => {
    const { loaded, path, score, file, correct } = await finishedRun();
    const byHand = { source: "R. Reader", reason: "so it says" };
    writeFileSync(
      path,
      JSON.stringify([
        { task: "t0", step: 1, was: "order", kind: "value", ...byHand },
        { task: "t1", kind: "value", ...byHand },
      ]),
    );
    await expect(correct(made[2]!, "place", "first")).resolves.toBeUndefined();
    expect(file()).toMatchObject([
      { task: "t1", ...byHand },
      { task: "t0", kind: "place", reason: "first" },
    ]);
    const corrected = score().errors[2]!;
    await correct(corrected, "value", "second");
    expect(file()).toMatchObject([{ task: "t1" }, { kind: "value", reason: "second" }]);
    expect(score().errors[2]).toEqual({ ...made[2], kind: "value", ...override("order", "second") });
    await correct(score().errors[2]!, "order", "");
    expect(file()).toHaveLength(1);
    expect(score()).toMatchObject({ errors: made, metrics: { right: 0 } });
    expect(score().metrics["errors.overridden"]).toBeUndefined();
    await correct(score().errors[5]!, "value");
    await correct(score().errors[5]!, undefined, "");
    expect(file()).toHaveLength(1);
    writeFileSync(path, "[]");
    await correct(made[5]!, "value");
    await correct(score().errors[5]!, undefined, "");
    expect(existsSync(path)).toBe(false);
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(score().errors).toEqual(made);
  });

  test("leaves a broken file, or a file with impossible corrections, unchanged and reports the problem", async () => {
    const { path, score, correct } = await finishedRun();
    for (const [text, problem] of [
      ["[{", "to be JSON"],
      ['[{"task":"t0"}]', "to be a list of overrides"],
      ['[{"task":"t1","kind":"bad-luck","source":"a","reason":"b"}]', "to be one of value, place, order"],
      [
        '[{"task":"t0","step":1,"kind":"place","source":"a","reason":"b"}]',
        "t0, step 1 to match one error, but it matches 3",
      ],
    ] as const) {
      writeFileSync(path, text);
      await expect(correct(made[5]!, "value")).rejects.toThrow(problem);
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(score().errors).toEqual(made);
    }
  });

  test("is rejected without a reason, for an unknown kind, and for an error that does not exist", async () => {
    const { path, correct, loaded, run } = await finishedRun();
    await expect(correct(made[0]!, "place", " \n")).rejects.toThrow("Expected a reason");
    await expect(correct(made[0]!, "bad-luck")).rejects.toThrow("to be one of value, place, order");
    await expect(correct({ kind: "value", step: 9 }, "place")).rejects.toThrow("This error no longer exists");
    await expect(loaded.correct({ run, task: "t99" }, made[0]!, "place", "why")).rejects.toThrow("no score yet");
    behaviour.score = () => Promise.resolve({ value: 1, metrics: {}, checks: [], errors: [] });
    await expect(correct(made[0]!, "place")).rejects.toThrow("The scorer no longer reports this error");
    expect(existsSync(path)).toBe(false);
  });

  test("changes nothing if the file cannot be written", async () => {
    const { path, score, correct } = await finishedRun();
    fillDisk();
    await expect(correct(made[0]!, "place")).rejects.toThrow(`Could not write ${path}: the disk is full`);
    breakWhere();
    expect(score().errors).toEqual(made);
  });

  test("changes nothing if the log cannot be written", async () => {
    const { path, folder, score, correct } = await finishedRun();
    const log = join(folder, "events.jsonl");
    const text = readFileSync(log, "utf8");
    await correct(made[0]!, "place");
    const [kept, before] = [readFileSync(path, "utf8"), score()];
    behaviour.score = async () => {
      rmSync(log);
      mkdirSync(log);
      return { value: 0, metrics: { right: 0 }, checks: [], errors: made };
    };
    await expect(correct(made[2]!, "place")).rejects.toThrow("EISDIR");
    expect(readFileSync(path, "utf8")).toBe(kept);
    expect(score()).toEqual(before);
    rmSync(log, { recursive: true });
    writeFileSync(log, text);
  });

  test("is removed with a report if a new attempt at the task does not have that error", async () => {
    const { loaded, ref, score, file, correct } = await finishedRun();
    await correct(made[5]!, "place");
    behaviour.score = async () => ({ value: 0, metrics: {}, checks: [], errors: [{ kind: "value", step: 3 }] });
    await loaded.run(cellNamed(loaded, "main"), [ref]);
    expect(score().errors).toEqual([{ kind: "value", step: 3 }]);
    const note = await correct({ kind: "value", step: 3 }, "order", "new");
    expect(note).toContain(
      `Removed from overrides.json, because the error no longer exists: t0, order: place, by ${source}: it was so`,
    );
    expect(file()).toMatchObject([{ step: 3, was: "value", kind: "order" }]);
  });

  test("contains the judge's words from the log", async () => {
    const judged = session.replace("limit: 0", "judge: builtin/oracle");
    behaviour.score = async (_, __, { ask }) => {
      await ask!("judge", [{ role: "user", content: "Which?" }]);
      return { value: 0, metrics: {}, checks: [], errors: made };
    };
    const { loaded, correct, score } = await finishedRun(judged);
    const { calls } = runsOf(loaded, "main")[0]!;
    await correct(made[5]!, "value");
    expect(score().errors[5]).toMatchObject({ kind: "value" });
    expect(runsOf(loaded, "main")[0]!.calls).toBe(calls);
  });
});

describe("a mistake that the scorer reported wrongly", () => {
  test("can be corrected to no mistake: analyses do not count it, the task keeps it, and the correction can be withdrawn", async () => {
    const { loaded, run, ref, score, file, correct } = await finishedRun();
    await correct(made[5]!, "no-mistake", "any order will do");
    expect(file()).toEqual([{ task: "t0", was: "order", kind: "no-mistake", source, reason: "any order will do" }]);
    expect(score()).toMatchObject({ value: 0, errors: made.slice(0, 5), metrics: { "errors.overridden": 1 } });
    const ranked = analysisOf(loaded, "pane").figures.find(({ kind }) => kind === "bars");
    expect(ranked!.notes).toEqual(
      expect.arrayContaining([
        "1 of 12 tasks was corrected by a person",
        "builtin/oracle: labels corrected by a person: 1 of 6 errors, 1 of them to `no mistake`",
      ]),
    );
    const shown = (await loaded.trajectory(ref))!.score!.errors[5]!;
    expect(shown).toEqual({ kind: "no-mistake", ...override("order", "any order will do") });
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(score().errors).toEqual(made.slice(0, 5));
    await loaded.correct({ run, task: "t0" }, shown, undefined, "");
    expect(score().errors).toEqual(made);
  });
});

describe("a correction of a score", () => {
  test("sets right, wrong or a value, counts in measures immediately, and applies when the run is scored again", async () => {
    Object.assign(suite, { withValue: (value: number) => ({ right: value }) });
    const { loaded, run, ref, score, file } = await finishedRun();
    await loaded.correctScore(ref, 1, " the key is wrong ");
    expect(file()).toEqual([{ task: "t0", value: 1, source, reason: "the key is wrong" }]);
    const corrected = {
      value: 1,
      metrics: { right: 1 },
      override: { was: 0, metrics: { right: 0 }, source, reason: "the key is wrong" },
    };
    expect(score()).toMatchObject(corrected);
    expect(runsOf(loaded, "main")[0]).toMatchObject({ counts: { right: 12, wrong: 0 } });
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(score()).toMatchObject(corrected);
    await loaded.correctScore(ref, 0.5, "half of it");
    expect(file()).toHaveLength(1);
    expect(score()).toMatchObject({ value: 0.5, override: { was: 0, reason: "half of it" } });
    await loaded.correctScore(ref, undefined, "");
    expect(score()).toMatchObject({ value: 0, metrics: { right: 0 } });
    expect(score().override).toBeUndefined();
    expect(existsSync(join(sessions.path, "runs", run, "overrides.json"))).toBe(false);
  });

  test("can be combined with corrections of errors, and can score an unscored task", async () => {
    behaviour.score = async ({ id }) => ({ value: id === "t0" ? undefined : 1, metrics: {}, checks: [], errors: made });
    const { loaded, ref, score, correct, file } = await finishedRun();
    await correct(made[5]!, "place");
    await loaded.correctScore(ref, 0, "nothing of it is right");
    expect(file()).toHaveLength(2);
    expect(score()).toMatchObject({ value: 0, override: { was: undefined }, metrics: { "errors.overridden": 1 } });
    await correct({ ...made[5]!, kind: "place", ...override("order") }, undefined);
    expect(file()).toEqual([{ task: "t0", value: 0, source, reason: "nothing of it is right" }]);
  });

  test("is rejected without a reason, and for a value outside 0 to 1", async () => {
    const { loaded, ref, path } = await finishedRun();
    await expect(loaded.correctScore(ref, 1, " ")).rejects.toThrow("Expected a reason");
    await expect(loaded.correctScore(ref, 7, "much better")).rejects.toThrow(
      "to be a list of overrides, got a mistake in 0.value",
    );
    expect(existsSync(path)).toBe(false);
  });

  test("has a history: who changed which value to which, when and why, with all withdrawals", async () => {
    const { loaded, ref, correct } = await finishedRun();
    await loaded.correctScore(ref, 1, "the key is wrong");
    await loaded.rescore(cellNamed(loaded, "main"));
    await correct(made[5]!, "no-mistake", "any order");
    await loaded.correctScore(ref, 0.5, "half of it");
    await loaded.correctScore(ref, undefined, "");
    const { scores } = (await loaded.trajectory(ref))!;
    expect(scoreHistory(scores)).toEqual(
      [
        { from: 0, to: 1, reason: "the key is wrong" },
        { from: "order", to: "no-mistake", reason: "any order" },
        { from: 1, to: 0.5, reason: "half of it" },
        { from: 0.5, to: 0 },
      ].map((change) => ({ at: expect.any(Number), by: source, ...change })),
    );
  });
});

describe("a busy run", () => {
  test("accepts no correction", async () => {
    const { loaded, ref, path, correct } = await finishedRun(session.replace("oracle", "oracle?pace=30"));
    const running = loaded.run(cellNamed(loaded, "main"), [ref]);
    await until(() => expect(runsOf(loaded, "main")[0]!.counts.running).toBe(1));
    await expect(correct(made[0]!, "place")).rejects.toThrow("The run is not finished");
    expect(existsSync(path)).toBe(false);
    loaded.stop(cellNamed(loaded, "main"));
    await running;
  });

  test("rejects the second of two simultaneous corrections, and a new run waits until the first is written", async () => {
    const { loaded, ref, score, file, correct } = await finishedRun();
    const corrected = correct(made[0]!, "place");
    await expect(correct(made[5]!, "place")).rejects.toThrow("The run is not finished");
    await loaded.run(cellNamed(loaded, "main"), [ref]);
    await corrected;
    expect(file()).toHaveLength(1);
    expect(score().errors).toEqual(made);
    expect(loaded.rows(ref.run).find(({ task }) => task === "t0")!.counted.calls).toBe(1);
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done" });
  });

  test("a read-only session accepts no correction", async () => {
    const { run } = await finishedRun();
    const other = await sessions.open(undefined, { suites: [suite] });
    runsOf(other, "main");
    await expect(inRun(other, run).correct(made[0]!, "place")).rejects.toThrow("read-only");
  });
});

test('a person without a name is called "a person"', () => {
  expect(personName(() => " ada ")).toBe("ada");
  expect(personName(() => "")).toBe("a person");
  expect(
    personName(() => {
      throw new Error("no such user");
    }),
  ).toBe("a person");
});
