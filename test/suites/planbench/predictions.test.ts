/** Verdicts, extractions and answers of published runs, passed through the command. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { jsonLines, temporaryFolder, typed } from "../../commands/typed.ts";
import { describePublished, shared, sharedLines } from "../../shared.ts";

type Line = Readonly<Record<string, unknown>>;
type Scored = { readonly records: readonly Line[]; readonly aggregate: Line };
const at = temporaryFolder();

async function scored(split: string, lines: readonly Line[], ...more: string[]): Promise<Scored> {
  const file = jsonLines(at("lines.jsonl"), lines);
  const { status, out, err } = await typed(
    "score",
    "planbench",
    "--split",
    split,
    "--predictions",
    file,
    "--json",
    ...more,
  );
  expect({ status, err }).toEqual({ status: 0, err: "" });
  return JSON.parse(out) as Scored;
}

/** Compares each record with the fields of its fixture and names the first that differ. */
function expectEqual(records: readonly Line[], fixtures: readonly Line[], fields: (fixture: Line) => Line): void {
  expect(records).toHaveLength(fixtures.length);
  const differing = records.flatMap((record, index) => {
    const wanted = fields(fixtures[index]!);
    const sameOrder = JSON.stringify(record) === JSON.stringify(wanted);
    return sameOrder && isDeepStrictEqual(record, wanted) ? [] : [{ id: fixtures[index]!["id"], record, wanted }];
  });
  expect(differing.slice(0, 3)).toEqual([]);
}

const pick = (fields: readonly string[]) => (line: Line) =>
  Object.fromEntries(fields.filter((field) => field in line).map((field) => [field, line[field]]));

describePublished("PlanBench's published results", () => {
  const data = ["--data", shared("data", "planbench")];
  const fixture = (name: string) => sharedLines<Line>("conformance", "planbench", `${name}.jsonl.gz`);

  it("have VAL's verdict, step and unmet facts in every record", async () => {
    const fixtures = fixture("verdicts");
    const { records, aggregate } = await scored("verdicts", fixtures, ...data);
    expectEqual(records, fixtures, pick(["valid", "kind", "step", "unmet", "optimal", "unsolvable"]));
    expect(aggregate).toEqual({ n: fixtures.length, valid: fixtures.filter(({ valid }) => valid).length });
    const unlike = records.filter((record, index) => {
      const recorded = record["optimal"] ?? record["unsolvable"] ?? record["valid"];
      return recorded !== fixtures[index]!["recorded"] && fixtures[index]!["odd"] !== true;
    });
    expect(unlike).toEqual([]);
  });

  it("are extracted as by both official extractors", async () => {
    const fixtures = fixture("extraction");
    const { records, aggregate } = await scored("extraction", fixtures, ...data);
    expectEqual(records, fixtures, pick(["plan_bench", "analysis"]));
    expect(aggregate).toEqual({ n: fixtures.length });
  });

  it("get the official results of plan verification", async () => {
    const fixtures = fixture("verification");
    const { records } = await scored("verification", fixtures, ...data);
    expectEqual(records, fixtures, pick(["parsed", "binary", "type", "explanation"]));
  });

  it("have the official facts of plan execution", async () => {
    const fixtures = fixture("execution");
    const { records } = await scored("execution", fixtures, ...data);
    expectEqual(records, fixtures, pick(["parsed", "correct"]));
  });
});

it("replies to a split of PlanBench are scored with the official or the lenient extractor", async () => {
  const reply =
    "Sure:\n```\n1. **unstack the blue block** from on top of the orange block.\n2. put down the blue block.\n```";
  const lines = [{ id: 1, output: reply }];
  const official = await scored("blocksworld/task_1_plan_generation_zero_shot", lines);
  const plan = "(unstack b c)\n(put-down b)";
  const verdict = { valid: false, kind: "goal", step: null, unmet: ["(on c b)"] };
  expect(official).toMatchObject({ records: [{ ...verdict, plan }], aggregate: { n: 1, right: 0 } });
  const pddl = [
    { id: 1, output: "1. (unstack blue orange)\n```pddl\n(unstack b c)\n(put-down b)\n(pick-up c)\n(stack c b)\n```" },
  ];
  const split = "blocksworld/task_1_plan_generation_zero_shot_pddl";
  expect(await scored(split, pddl)).toMatchObject({ records: [{ kind: "unreadable" }], aggregate: { right: 0 } });
  expect(await scored(split, pddl, "--extractor", "lenient")).toMatchObject({ aggregate: { n: 1, right: 1 } });
});

it("predictions for PlanBench reject an invalid line, and paths that lead out of the data", async () => {
  const line = { config: "blocksworld", task: "task_1_plan_generation", instance: 1, plan: "" };
  const domain = "instances/blocksworld/generated_domain.pddl";
  for (const [split, value, message] of [
    ["verdicts", { ...line, domain, problem: "instances/../../x#1" }, "Line 1: Expected a path inside the data folder"],
    [
      "verdicts",
      { ...line, domain, problem: "instances/blocksworld/generated_basic#99" },
      "Line 1: Expected a PDDL problem",
    ],
    ["verdicts", line, "Line 1: Expected `domain`"],
    ["blocksworld/task_6_replanning", { id: 77, output: "" }, "Line 1: Expected `id` to be the id of a task"],
  ] as const) {
    const file = jsonLines(at("wrong.jsonl"), [value]);
    const data = sampleFolder("planbench");
    const said = await typed("score", "planbench", "--split", split, "--predictions", file, "--data", data, "--json");
    expect({ status: said.status, out: said.out }).toEqual({ status: 2, out: "" });
    expect(said.err).toContain(message);
  }
});
