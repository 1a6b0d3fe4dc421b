import { describe, expect, test } from "vitest";
import { type Claim, readClaim } from "../../../source/engine/measures/claim.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { type Claimant, NotebookClaims } from "../../../source/engine/workbench/figures/notebook-claims.ts";
import { bareSpec } from "../../bare-spec.ts";
import { madeRun, madeSuite } from "../../analyses/made-run.ts";

const options = [{ name: "prompting", title: "Prompting", values: ["on", "off"], default: "off" }];
const suite = { ...madeSuite, options } as unknown as Suite;
const text = "prompting=on > prompting=off on right";

/** A cell that makes this claim about two runs with this many tasks; another `version` has other rows. */
function claimant(cell: string, tasks: number, { version = 1, source = text } = {}): Claimant {
  const run = (prompting: string, wrong: number) => {
    const rows = Array.from({ length: tasks }, (_, task) => ({ task: `t${task}`, right: task % wrong === 0 ? 0 : 1 }));
    return madeRun(prompting, rows, { suite, spec: bareSpec("made", { options: { prompting } }) });
  };
  const rows = [`on ${version}`, `off ${version}`];
  const claims = [readClaim(source) as Claim];
  return { cell, source, rows, claims, runs: [run("on", 4), run("off", 2)] };
}

describe("the claims of a notebook", () => {
  test("are answered immediately if there are few rows, and the same object is returned for the same inputs", () => {
    const claims = new NotebookClaims();
    const all = [claimant("a", 40), claimant("b", 40)];
    const found = claims.of(all, "a");
    expect(found).toMatchObject({ answers: [{ answer: "yes", n: 40 }], problems: [] });
    expect(claims.of([claimant("a", 40), claimant("b", 40)], "a")).toBe(found);
  });
});
