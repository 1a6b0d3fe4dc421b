/** Plans validated as VAL validates them: a sample of the published ones, each with its kind, its failing step and what is unmet. */
import { expect, it } from "vitest";
import { PlanbenchFolder } from "../../../suites/planbench/data/folder.ts";
import type { Domain, Problem } from "../../../suites/planbench/score/pddl.ts";
import { readPlan } from "../../../suites/planbench/score/plan-steps.ts";
import { validate } from "../../../suites/planbench/score/validate.ts";
import { describePublished, shared, sharedLines } from "../../shared.ts";

type Verdict = {
  readonly id: string;
  readonly domain: string;
  readonly problem: string;
  readonly plan: string;
  readonly kind: string;
  readonly step: number | null;
  readonly unmet: readonly string[];
  readonly steps: number | null;
};

describePublished("published plans", () => {
  it("have VAL's verdict: forty plans of each kind and domain", async () => {
    const data = new PlanbenchFolder(shared("data", "planbench"));
    const all = sharedLines<Verdict>("conformance", "planbench", "verdicts.jsonl.gz");
    const alike = Map.groupBy(all, ({ kind, domain }) => `${kind} ${domain}`);
    const domains = new Map<string, Domain>();
    let count = 0;
    for (const of of alike.values()) {
      const some = of.filter((_, at) => at % Math.ceil(of.length / 40) === 0);
      for (const { id, domain: path, problem: place, plan, kind, step, unmet, steps } of some) {
        const domain = domains.get(path) ?? (await data.domainAt(path));
        domains.set(path, domain);
        const problem: Problem = await data.problemAt(place);
        const found = validate(domain, problem, plan);
        expect({ id, kind: found.kind, step: found.step, unmet: found.unmet }).toEqual({ id, kind, step, unmet });
        expect([id, readPlan(plan)?.length ?? null]).toEqual([id, steps]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(500);
  });
});
