/** Replies read as the official program reads them: every one of the published answers about plans, and a sample of the plans. */
import { expect, it } from "vitest";
import { executionMarks, verificationMarks } from "../../../suites/planbench/score/answers.ts";
import { extractOfficial, type Extractor, pythonWords } from "../../../suites/planbench/score/extract-official.ts";
import { inWords } from "../../../suites/planbench/score/words.ts";
import { describePublished, sharedLines } from "../../shared.ts";

type Reply = { readonly id: string; readonly config: string; readonly task: string; readonly raw: string };
type Checked = Reply & { readonly answer: string; readonly [mark: string]: unknown };
type Played = Reply & {
  readonly answer: readonly string[];
  readonly parsed: readonly string[];
  readonly correct: boolean;
};
type Extracted = Reply & { readonly plan_bench: string | null; readonly analysis: string | null };

const fixture = <Line>(name: string) => sharedLines<Line>("conformance", "planbench", `${name}.jsonl.gz`);

describePublished("published replies", () => {
  it("get the official results of plan verification", () => {
    for (const { id, config, raw, answer, parsed, binary, type, explanation } of fixture<Checked>("verification"))
      expect({ id, ...verificationMarks(config, raw, answer) }).toEqual({ id, parsed, binary, type, explanation });
  });

  it("have the official facts of plan execution", () => {
    for (const { id, config, raw, answer, parsed, correct } of fixture<Played>("execution"))
      expect({ id, ...executionMarks(config, raw, answer) }).toEqual({ id, parsed, correct });
  });

  it("have the same plans as with both official extractors: every fourth reply, and all replies in the rarer domains", () => {
    const replies = fixture<Extracted>("extraction").filter(
      ({ config }, at) => at % 4 === 0 || !config.includes("blocksworld"),
    );
    expect(replies.length).toBeGreaterThan(1000);
    for (const { id, config, task, raw, plan_bench, analysis } of replies)
      expect([
        id,
        ...(["plan-bench", "analysis"] as const).map((one) => extractOfficial(config, task, raw, one)),
      ]).toEqual([id, plan_bench, analysis]);
  });
});

const plan = (config: string, raw: string, extractor: Extractor = "plan-bench", task = "task_1_plan_generation") =>
  extractOfficial(config, task, raw, extractor);

it("words are separated as by Python's split()", () => {
  expect(pythonWords("  a\tb\n\u2003c ")).toEqual(["a", "b", "c"]);
  expect([pythonWords(""), pythonWords(" \n")]).toEqual([[], []]);
});

it("a step of Logistics has the kind of its vehicle, and the city in which a truck drives", () => {
  expect(plan("logistics", "1. load package_0 into truck_1 at location_0_1.")).toBe("(load-truck p0 t1 l0-1)");
  expect(plan("logistics", "10. unload package_0 from airplane_1 at location_0_1")).toBe(
    "(unload-airplane p0 a1 l0-1)",
  );
  expect(plan("logistics", "fly airplane_1 from location_0_0 to location_1_0")).toBe("(fly-airplane a1 l0-0 l1-0)");
  expect(plan("logistics", "drive truck_0 from location_2_1 to location_2_0 in city_2")).toBe(
    "(drive-truck t0 l2-1 l2-0 c2)",
  );
  expect(plan("logistics", "drive truck_0 from location_2_1 to location_2_0")).toBe("(drive-truck t0 l2-1 l2-0 c2)");
  expect(plan("logistics", "Then I rest.\n\nfly airplane_1 from location_0_0 to location_1_0")).toBe(
    "(fly-airplane a1 l0-0 l1-0)",
  );
  // The official program raises, and scores the reply 0.
  for (const raised of ["load package_0", "fly", "1", "12", "load package_0 into x_1", "7."])
    expect(plan("logistics", raised)).toBeNull();
});

it("a step of Depots is the last action that a line names, with those of its words that contain a digit", () => {
  expect(plan("depots", "1. Use hoist0 to lift crate1 from pallet0 at depot0.")).toBe(
    "(lift hoist0 crate1 pallet0 depot0)",
  );
  expect(plan("depots", "Use hoist0 to unload crate1 from truck1 at depot0")).toBe(
    "(unload hoist0 crate1 truck1 depot0)",
  );
  expect(plan("depots", "nothing\ndrive truck1 from depot0 to distributor1")).toBe(
    "(drive truck1 depot0 distributor1)",
  );
});

it("plans of other domains are read unchanged, or not at all", () => {
  expect(plan("obfuscated_deceptive_logistics", "x")).toBeNull();
  expect(plan("sokoban", "(move a b)")).toBe("(move a b)");
});

it("the analysis reads the text between the markers of a plan, without Markdown", () => {
  const raw = "First pick up the blue block.\n[PLAN]\n**pick up the red block**\n[PLAN END]\nput down the red block";
  expect(plan("blocksworld", raw, "analysis")).toBe("(pick-up a)");
  // The other one looks at all lines, in which `**pick` is no action.
  expect(plan("blocksworld", raw)).toBe("(pick-up b)\n(put-down a)");
  expect(plan("blocksworld", "x ### Plan: pick up the red block ### plan: put down", "analysis")).toBe("(pick-up a)");
  expect(plan("blocksworld", "Action: pick up the red block\nState: x", "plan-bench", "state_tracking")).toBe(
    "(pick-up a)",
  );
  expect(plan("blocksworld", "pick up the red block", "plan-bench", "state_tracking")).toBe("");
});

it("steps and facts are written in the words of the domain", () => {
  expect(inWords("blocksworld", ["pick-up", "a"])).toBe("pick up the red block");
  expect(inWords("blocksworld", ["stack", "a", "b"])).toBe("stack the red block on top of the blue block");
  expect(inWords("blocksworld", ["handempty"])).toBe("the hand is empty");
  expect(inWords("mystery_blocksworld", ["overcome", "a", "l"])).toBe("overcome object a from object l");
  expect(inWords("logistics", ["load-truck", "p0", "t1", "l0-1"])).toBe("load package_0 into truck_1 at location_0_1");
  expect(inWords("depots", ["lift", "hoist0", "crate1", "pallet0", "depot0"])).toBe(
    "Use hoist0 to lift crate1 from pallet0 at depot0",
  );
  expect(inWords("obfuscated_deceptive_logistics", ["jump", "o12", "o3"])).toBe("jump object_12 object_3");
  expect(inWords("sokoban", ["move", "a", "b"])).toBe("move a b");
});

it("a number of one or two digits and a dot are removed from the start of a line of Logistics", () => {
  const step = "fly airplane_1 from location_0_0 to location_1_0";
  for (const line of [`7. ${step}`, `17. ${step}.`, `7.${step}`])
    expect(plan("logistics", line)).toBe("(fly-airplane a1 l0-0 l1-0)");
  // A line of digits without a dot has no action, and the official program raises at the shortest ones.
  expect([plan("logistics", "7a"), plan("logistics", "123"), plan("logistics", "7 a")]).toEqual(["", "", ""]);
  expect([plan("logistics", "7"), plan("logistics", "17")]).toEqual([null, null]);
});
