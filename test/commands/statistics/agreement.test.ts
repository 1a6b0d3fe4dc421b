import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describePublished, shared, sharedJson } from "../../shared.ts";
import { temporaryFolder, typed } from "../typed.ts";
import { readFileSync } from "node:fs";

const at = temporaryFolder();
const columns = ["--task", "task_id", "--people", "people", "--by", "judge"];

type Fixture = {
  readonly task_ids: readonly string[];
  readonly labelled: readonly number[];
  readonly official: Readonly<Record<string, unknown>>;
  readonly stated: Readonly<Record<string, unknown>>;
  readonly group: Readonly<Record<string, unknown>>;
};

/** Numbers within 1e-9 of each other, everything else equal. */
function expectClose(actual: unknown, expected: unknown, path = ""): void {
  if (typeof expected === "number") {
    expect(typeof actual, path).toBe("number");
    expect(Math.abs((actual as number) - expected), path).toBeLessThan(1e-9);
  } else if (typeof expected === "object" && expected !== null) {
    expect(Object.keys(actual as object).toSorted(), path).toEqual(Object.keys(expected).toSorted());
    for (const [name, value] of Object.entries(expected))
      expectClose((actual as Record<string, unknown>)[name], value, `${path}/${name}`);
  } else expect(actual, path).toEqual(expected);
}

describePublished("ten judges of 95 trajectories, compared with scikit-learn, statsmodels and scipy", () => {
  it.each(["official", "stated"] as const)(
    "have the recorded agreement with people in their %s verdicts",
    async (label) => {
      const fixture = sharedJson<Fixture>("conformance", "judges", "livemcpbench.json");
      const labelled = new Map(fixture.task_ids.map((task, index) => [task, fixture.labelled[index]]));
      const [header, ...rows] = readFileSync(shared("data", "judges", "livemcpbench.csv"), "utf8")
        .trim()
        .split(/\r?\n/);
      writeFileSync(
        at("labels.csv"),
        [`${header},half`, ...rows.map((row) => `${row},${labelled.get(row.split(",")[0]!)}`)].join("\n"),
      );
      const said = await typed(
        "agreement",
        at("labels.csv"),
        ...columns,
        "--judge",
        label,
        "--labelled",
        "half",
        "--json",
      );
      expect(said).toMatchObject({ status: 0, err: "" });
      const found = JSON.parse(said.out) as { readonly judges: unknown; readonly group: unknown };
      expectClose(found.judges, fixture[label]);
      expectClose(found.group, fixture.group[label]);
    },
  );
});

describe("planwright agreement of a judge with people", () => {
  const file = (rows: readonly string[]) => {
    writeFileSync(at("labels.csv"), ["task_id,judge,people,said", ...rows].join("\n"));
    return typed("agreement", at("labels.csv"), ...columns, "--judge", "said", "--json");
  };

  it("omits tasks without a verdict, and has no kappa if both always give the same verdict", async () => {
    const said = await file(["1,j,success,success", "2,j,1,1", "3,j,success,", "4,j,,success"]);
    const { j } = (JSON.parse(said.out) as { judges: { j: { all: Record<string, unknown> } } }).judges;
    expect(j.all).toMatchObject({
      n: 2,
      tp: 2,
      agreement: 1,
      kappa: null,
      kappa_se: null,
      specificity: null,
      npv: null,
    });
  });

  it.each([
    ["always says success", 1, 0],
    ["is always right", undefined, 1],
  ])("has an exact kappa if the judge %s", async (_, constant, kappa) => {
    const said = await file(Array.from({ length: 51 }, (__, task) => `${task},j,${task % 2},${constant ?? task % 2}`));
    const { j } = (JSON.parse(said.out) as { judges: { j: { all: Record<string, unknown> } } }).judges;
    expect(j.all).toMatchObject({ kappa, kappa_se: 0, kappa_ci: [kappa, kappa] });
  });

  it("prints null for every estimate if no task is labelled", async () => {
    writeFileSync(at("labels.csv"), "task_id,judge,people,said,half\n1,j,1,1,0\n2,j,0,1,0");
    const { out } = await typed(
      "agreement",
      at("labels.csv"),
      ...columns,
      "--judge",
      "said",
      "--labelled",
      "half",
      "--json",
    );
    expect((JSON.parse(out) as { judges: { j: { half: object } } }).judges.j.half).toMatchObject({
      unlabelled: { k: 2, n: 2 },
      classical: null,
      rogan_gladen: null,
      ppi: null,
      truth_unlabelled: 0.5,
    });
  });

  it("rejects an invalid verdict and a second verdict of a judge on a task, and reports the line", async () => {
    expect(await file(["1,j,success,perhaps"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected `said` to be success, failure, 1, 0 or empty in"),
    });
    expect(await file(["1,j,success,1", "1,j,success,0"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected each task once for judge `j`, got `1` again"),
    });
  });

  it("rejects a file without a requested column", async () => {
    writeFileSync(at("labels.csv"), "task_id,judge\n1,j");
    expect(await typed("agreement", at("labels.csv"), ...columns, "--judge", "said")).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected a column `people` in"),
    });
  });
});
