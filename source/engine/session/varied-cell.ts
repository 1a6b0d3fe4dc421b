/** Decides which runs can vary the parts of a task that should not matter. */
import type { VariedKind } from "../run-settings.ts";
import { variedKind } from "../settings/varied.ts";
import type { Strategy } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import type { RunSpec } from "../types.ts";

type VaryingSuite = Pick<Suite, "name" | "varies" | "actsInText">;

/** Returns the parts that runs of a suite and one of its strategies can vary. */
export function variableIn(
  { varies = [], actsInText }: VaryingSuite,
  { needs, offersFunctions }: Pick<Strategy, "needs" | "offersFunctions">,
): readonly VariedKind[] {
  const isFunctional = offersFunctions === true && actsInText !== true;
  const showsTools = (needs === "stages" || needs === "dialogue") && varies.includes("tools");
  return [
    ...(isFunctional || showsTools ? (["tools"] as const) : []),
    ...(isFunctional ? (["names"] as const) : []),
    ...varies.filter((kind) => kind !== "tools"),
  ];
}

const why: Readonly<Record<VariedKind, string>> = {
  tools: "strategies that offer functions, or show tools in their own prompt",
  names: "strategies that offer tools only as functions, because new names cannot be mapped back in prose",
  options: "benchmarks whose questions have answer options",
  questions: "benchmarks that ask one question per task",
};

/** Returns the field of a run's variant that its suite and strategy cannot vary, and why; undefined if they can vary it. */
export function whyUnvaried(
  { vary, strategy: name }: Pick<RunSpec, "vary" | "strategy">,
  suite: VaryingSuite & Pick<Suite, "strategies">,
): { readonly field: string; readonly message: string } | undefined {
  const kind = variedKind(vary);
  const strategy = suite.strategies.find((each) => each.name === name);
  if (kind === undefined || strategy === undefined) return undefined;
  const known = variableIn(suite, strategy);
  if (known.includes(kind)) return undefined;
  const others = known.length === 0 ? "nothing" : known.join(", ");
  return {
    field: `vary.${kind}`,
    message: `Expected \`vary.${kind}\` only for ${why[kind]}, got \`${suite.name}\` with \`${name}\`, which can vary ${others}`,
  };
}
