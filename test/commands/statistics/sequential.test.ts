import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describePublished, sharedJson, sharedLines } from "../../shared.ts";
import { temporaryFolder, typed } from "../typed.ts";

const at = temporaryFolder();

type Matrix = { readonly tasks: readonly (string | number)[]; readonly models: Readonly<Record<string, string>> };
type Repeats = { readonly tasks: readonly (string | number)[]; readonly runs: Readonly<Record<string, string>> };
type Matrices = {
  readonly matrices: Readonly<Record<string, Matrix>>;
  readonly repeats: Readonly<Record<string, Repeats>>;
};
type Found = { readonly [name: string]: unknown };

function scoresFile(header: string, rows: readonly string[]): string {
  writeFileSync(at("scores.csv"), [header, ...rows].join("\n"));
  return at("scores.csv");
}

async function foundBy(...args: string[]): Promise<Found> {
  const said = await typed("sequential", ...args, "--json");
  expect(said.status, said.err).toBe(0);
  return JSON.parse(said.out) as Found;
}

/** Stops, decisions and counts equal; logarithms and p within 1e-6. */
function expectEqual(found: Found, expected: Found): void {
  for (const [name, value] of Object.entries(expected))
    if (typeof value === "number" && /log|p_always/.test(name))
      expect(Math.abs((found[name] as number) - value), name).toBeLessThan(1e-6);
    else expect(found[name], name).toEqual(value);
}

describePublished("sequential tests of real models on PlanBench", () => {
  const { matrices, repeats } = sharedJson<Matrices>("conformance", "sequential", "matrices.json");
  const runs = Object.values(repeats)[0]!;
  const pairs = sharedLines<Found & { matrix: string; a: string; b: string }>(
    "conformance",
    "sequential",
    "pairs.jsonl.gz",
  );

  it.each(Object.keys(matrices))("decide each pair of %s at the recorded task, in each order", async (name) => {
    const { tasks, models } = matrices[name]!;
    for (const { matrix, a, b, ...expected } of pairs) {
      if (matrix !== name) continue;
      const rows = tasks.map((task, index) => `${task},${models[a]![index]},${models[b]![index]}`);
      const file = scoresFile("task,a,b", rows);
      const args = [file, "--task", "task", "--a", "a", "--b", "b"];
      for (const seed of ["1", "2", "3"])
        expectEqual(await foundBy(...args, "--seed", seed), expected[`order_${seed}`] as Found);
      expectEqual(await foundBy(...args, "--order", "natural"), expected["order_natural"] as Found);
    }
  });

  it("count several repeats of a task once", async () => {
    type Pair = { readonly b: string; readonly sign: Found; readonly bounded: Found };
    const expected = sharedJson<readonly Pair[]>("conformance", "sequential", "pairs-repeats.json");
    const { models } = matrices["mystery_blocksworld/task_1_plan_generation_zero_shot"]!;
    for (const { b, sign, bounded } of expected) {
      const rows = Object.values(runs.runs).flatMap((run) =>
        runs.tasks.map((task, index) => `${task},${run[index]},${models[b]![index]}`),
      );
      const found = await foundBy(scoresFile("task,a,b", rows), "--task", "task", "--a", "a", "--b", "b");
      expectEqual(found["sign"] as Found, sign);
      expectEqual(found["bounded"] as Found, bounded);
    }
  });

  it("have the recorded confidence sequences", async () => {
    type Row = { readonly matrix: string; readonly model: string; readonly at: Readonly<Record<string, Found>> };
    for (const row of sharedLines<Row>("conformance", "sequential", "confidence-sequences.jsonl.gz")) {
      const matrix = matrices[row.matrix];
      const { tasks } = matrix ?? runs;
      const scores = matrix === undefined ? Object.values(runs.runs) : [matrix.models[row.model]!];
      const lines = scores.flatMap((run) => tasks.map((task, index) => `${task},${run[index]}`));
      const looks = Object.keys(row.at).join(",");
      const found = await foundBy(scoresFile("task,score", lines), "--task", "task", "--score", "score", "--at", looks);
      for (const [look, { betting, normal }] of Object.entries(row.at)) {
        const at = (found["at"] as Readonly<Record<string, Found>>)[look]!;
        expect(at["betting"]).toEqual(betting);
        for (const [end, bound] of (normal as readonly number[]).entries())
          expect(Math.abs((at["normal"] as readonly number[])[end]! - bound)).toBeLessThan(1e-6);
      }
    }
  });
});

describe("planwright sequential", () => {
  it("decides after eight wins without a loss, but not after seven", async () => {
    const file = scoresFile(
      "task,a,b",
      Array.from({ length: 8 }, (_, task) => `${task},1,0`),
    );
    expect(await foundBy(file, "--task", "task", "--a", "a", "--b", "b")).toMatchObject({ stop: 8, decision: "a" });
  });

  it("omits tasks without both scores, and rejects an invalid score", async () => {
    const args = (file: string) => ["sequential", file, "--task", "task", "--a", "a", "--b", "b"];
    expect(await foundBy(scoresFile("task,a,b", ["1,1,", "2,0,1"]), ...args("").slice(2))).toMatchObject({ n: 1 });
    expect(await typed(...args(scoresFile("task,a,b", ["1,2,0"])))).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected `a` to be a number from 0 to 1"),
    });
  });
});
