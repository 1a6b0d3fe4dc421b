import { describe, expect, it } from "vitest";
import { cannotDiffer } from "../../../source/engine/session/alike-replies.ts";
import { alikeForks, forkShares, forkShareText } from "../../../source/engine/workbench/runs/fork-share.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";

const fork = { run: "0123456789abcdef", task: "t", request: 1 };
const spec = bareSpec("suite", { fork, model: "lab/model", temperature: 1 });
const rowOf = (value: number | undefined): Row =>
  bareRow("run", "t", { score: { value, metrics: {}, checks: [], errors: [] } });
const repeats = (values: readonly (number | undefined)[], own = spec, pool = "model") =>
  values.map((value, index) => ({ label: `trial ${index + 1}`, pool, spec: own, row: () => rowOf(value) }));
const ten = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0];
const textsOf = (...given: Parameters<typeof forkShares>) => forkShares(...given).map(forkShareText);

describe("the share of right continuations of a fork", () => {
  // Wilson's interval of 6 of 10: R's `binom::binom.confint(6, 10, methods = "wilson")` gives 0.3126738 and 0.8318197.
  it("has Wilson's interval, next to the original's result", () => {
    const [share] = forkShares(repeats(ten), () => rowOf(0));
    expect(share!.interval!.low).toBeCloseTo(0.3126738, 6);
    expect(share!.interval!.high).toBeCloseTo(0.8318197, 6);
    expect(forkShareText(share!)).toBe("6 of 10 right: 60 % [31, 83]; the original: wrong");
  });

  it("counts only scored continuations, and reports the number of all continuations", () => {
    expect(textsOf(repeats([1, 0, undefined]), () => undefined)).toEqual(["1 of 2 (of 3) right: 50 % [9, 91]"]);
    expect(textsOf(repeats([undefined, undefined]), () => rowOf(1))).toEqual([""]);
  });

  it("has a line for each other value of the cell's grid", () => {
    const other = repeats([1, 1], { ...spec, model: "lab/other" }, "other");
    expect(textsOf([...repeats([0, 0]), ...other], () => undefined)).toEqual([
      "model: 0 of 2 right: 0 % [0, 66]",
      "other: 2 of 2 right: 100 % [34, 100]",
    ]);
  });

  it("is undefined without variation between replies, and a warning precedes the requests", () => {
    const alike = { ...spec, temperature: 0 };
    const remark = "2 repeats at temperature 0 without a seed cannot differ, so there is no interval";
    expect(textsOf(repeats([undefined, undefined], alike), () => undefined)).toEqual([remark]);
    expect(textsOf(repeats([1, 1], alike), () => rowOf(0))).toEqual([`2 of 2 right; ${remark}; the original: wrong`]);
  });

  it("is undefined for runs that are not forks, or have no repeats", () => {
    const { fork: _, ...plain } = spec;
    expect(forkShares(repeats(ten, plain), () => undefined)).toEqual([]);
    const single = repeats([1]).map((each) => ({ ...each, pool: undefined }));
    expect(forkShares(single, () => undefined)).toEqual([]);
  });
});

describe("whether replies can differ", () => {
  it.each([
    [{ temperature: 0 }, true],
    [{ temperature: 0.1 }, false],
    [{ temperature: 0, seed: 3 }, false],
    // A seed of 0 that the cell sets is sent.
    [{ temperature: 0, seed: 0, set: ["seed"] as const }, false],
    [{ temperature: 0, user: "lab/user", roles: { user: { temperature: 1 } } }, false],
    [{ temperature: 0, judge: "lab/judge", roles: { judge: { temperature: 1 } } }, true],
    [{ model: "builtin/oracle", temperature: 1 }, true],
    [{ model: "builtin/slips?rate=0.5", temperature: 0 }, false],
  ])('depends on the settings: with %j, "cannot differ" is %s', (settings, expected) => {
    expect(cannotDiffer({ ...spec, ...settings })).toBe(expected);
  });

  it("count the repeats of forks of many tasks that cannot differ, as long as some are unfinished", () => {
    const forks = { of: "0123456789abcdef" };
    const of = (more: object, trial: number) =>
      bareSpec("suite", { forks, model: "lab/model", temperature: 0, trial, ...more });
    const states = (more: object, status: "ready" | "done" = "ready") =>
      [1, 2, 3].map((trial) => ({ spec: of(more, trial), status }));
    expect(alikeForks(states({}))).toBe(3);
    expect(alikeForks(states({}).slice(0, 1))).toBeUndefined();
    expect(alikeForks(states({}, "done"))).toBeUndefined();
    expect(alikeForks(states({ temperature: 0.7 }))).toBeUndefined();
    expect(alikeForks(states({ seed: 1 }))).toBeUndefined();
    expect(alikeForks(states({ model: "builtin/oracle" }))).toBeUndefined();
    expect(alikeForks(states({ forks: undefined }))).toBeUndefined();
  });
});
