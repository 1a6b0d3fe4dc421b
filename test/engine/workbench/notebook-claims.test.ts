import { describe, expect, test } from "vitest";
import { type Claim, readClaim } from "../../../source/engine/measures/claim.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { type Claimant, NotebookClaims } from "../../../source/engine/workbench/notebook-claims.ts";
import { bareSpec } from "../../bare-spec.ts";
import { madeRun, madeSuite } from "../../analyses/made-run.ts";

const options = [{ name: "prompting", title: "Prompting", values: ["on", "off"], default: "off" }];
const suite = { ...madeSuite, options } as unknown as Suite;
const text = "prompting=on > prompting=off on right";

/** A cell that claims this of two runs of so many tasks; `version` is another one where their rows are others. */
function claimant(cell: string, tasks: number, { version = 1, source = text } = {}): Claimant {
  const run = (prompting: string, wrong: number) => {
    const rows = Array.from({ length: tasks }, (_, task) => ({ task: `t${task}`, right: task % wrong === 0 ? 0 : 1 }));
    return madeRun(prompting, rows, { suite, spec: bareSpec("made", { options: { prompting } }) });
  };
  const rows = [`on ${version}`, `off ${version}`];
  const claims = [readClaim(source) as Claim];
  return { cell, source, rows, count: 2 * tasks, claims, runs: () => [run("on", 4), run("off", 2)] };
}

/** The claims of a notebook, and what of them is being worked out. */
function notebook(): { readonly claims: NotebookClaims; readonly works: Promise<void>[] } {
  const works: Promise<void>[] = [];
  return { claims: new NotebookClaims((work) => void works.push(work)), works };
}

describe("the claims of a notebook", () => {
  test("are answered at once where there are few rows, and stay the same object", () => {
    const { claims, works } = notebook();
    const all = [claimant("a", 40), claimant("b", 40)];
    const found = claims.of(all, "a");
    expect(found).toMatchObject({ answers: [{ answer: "yes", n: 40 }], problems: [] });
    expect(claims.of([claimant("a", 40), claimant("b", 40)], "a")).toBe(found);
    expect(works).toEqual([]);
  });

  test("are worked out beside the screen where there are many, once for all cells", async () => {
    const { claims, works } = notebook();
    const all = [claimant("a", 2_000), claimant("b", 2_000)];
    expect([claims.of(all, "a"), claims.of(all, "b"), claims.of(all, "a")]).toEqual([undefined, undefined, undefined]);
    expect(works).toHaveLength(1);
    await works[0];
    const found = claims.of(all, "a")!;
    expect(found.answers).toMatchObject([{ answer: "yes", n: 2_000, difference: 0.25 }]);
    expect(found.figures).toMatchObject([{ notes: [expect.anything(), expect.stringContaining("all 2 answers")] }]);
    expect(claims.of(all, "b")!.answers).toHaveLength(1);
    expect(works).toHaveLength(1);
  });

  test("show what they were until other rows are tested, but never under another text", async () => {
    const { claims, works } = notebook();
    claims.of([claimant("a", 2_000)], "a");
    await works[0];
    const found = claims.of([claimant("a", 2_000)], "a");
    const later = [claimant("a", 3_000, { version: 2 })];
    expect(claims.of(later, "a")).toBe(found);
    await works[1];
    expect(claims.of(later, "a")).toMatchObject({ answers: [{ n: 3_000 }] });
    expect(claims.of([claimant("a", 3_000, { version: 2, source: `${text} by 90` })], "a")).toBeUndefined();
    await works[2];
    expect(works).toHaveLength(3);
  });
});
