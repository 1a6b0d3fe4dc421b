/** The eight checks of a dialogue. A finding names the violated check, its cause and its position. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { type Offer, operations } from "../data/catalogue.ts";
import { canon, collapsed } from "../data/canonical.ts";
import { datesIn } from "../data/calendar.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Given } from "./given.ts";
import { isRight, joinedText } from "./matching.ts";
import { appMentions, appName } from "./mentions.ts";
import { argumentProblems } from "../data/parameters.ts";
import type { Gold, PlanStepRecord } from "../data/records.ts";
import { actionTexts } from "./transcript.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

export const checkNames = ["SC", "SR", "TD", "FD-APP", "OSC", "FD-API", "PC", "TR"] as const;
export type CheckName = (typeof checkNames)[number];
/** Null if a check does not apply. */
export type Checks = Readonly<Record<CheckName, boolean | null>>;

export type Finding = {
  readonly check: CheckName | "garbled" | "generated";
  readonly text: string;
  /** Zero-based. */
  readonly step?: number;
  readonly subtask?: string;
  readonly key?: string;
  readonly expected?: string;
  readonly got?: string;
};

export type CheckInput = {
  readonly api: boolean;
  readonly gold: Gold;
  readonly offer: Offer;
  readonly steps: readonly PlanStepRecord[];
  readonly matches: readonly (number | undefined)[];
  readonly dependencies: Dependencies;
  readonly given: Given;
};

/** Runs every check and collects the findings. */
export function checkDialogue(input: CheckInput): { readonly checks: Checks; readonly findings: readonly Finding[] } {
  const { api, gold } = input;
  const invented = api ? inventedTools(input) : [...inventedApps(input), ...foreignOperations(input)];
  const timed = (gold.dates ?? []).length > 0 || gold.subtasks.some(({ args }) => args?.some((a) => a.check === "TR"));
  const findings = [
    ...missingSteps(input),
    ...redundantSteps(input, invented),
    ...brokenDependencies(input.dependencies),
    ...invented,
    ...wrongParameters(input),
    ...(timed ? wrongTimes(input) : []),
  ];
  const broken = new Set(findings.map(({ check }) => check));
  const app = (name: CheckName) => (api ? null : !broken.has(name));
  const checks: Checks = {
    SC: !broken.has("SC"),
    SR: !broken.has("SR"),
    TD: input.dependencies.value === 1,
    "FD-APP": app("FD-APP"),
    OSC: app("OSC"),
    "FD-API": api ? !broken.has("FD-API") : null,
    PC: !broken.has("PC"),
    TR: timed ? !broken.has("TR") : null,
  };
  return { checks, findings };
}

function missingSteps({ gold, matches }: CheckInput): Finding[] {
  return gold.subtasks
    .filter((_, index) => matches[index] === undefined)
    .map(({ id, tool, text }) => ({
      check: "SC",
      subtask: id,
      expected: tool ?? text ?? id,
      text: "no step does this",
    }));
}

/** Reports redundant steps, except those already reported as invented. */
function redundantSteps({ steps, matches }: CheckInput, invented: readonly Finding[]): Finding[] {
  const accounted = new Set([...matches, ...invented.map(({ step }) => step)]);
  return steps.flatMap((step, index) =>
    accounted.has(index)
      ? []
      : [{ check: "SR", step: index, got: step.description, text: "no subtask needs this step" }],
  );
}

const brokenDependencies = ({ missed, extra, reversed }: Dependencies): Finding[] => [
  ...missed.map(({ from, to }) => ({
    check: "TD" as const,
    subtask: to,
    expected: `${from} → ${to}`,
    text: "dependency not found",
  })),
  ...extra.map(({ from, to, toStep }) => ({
    check: "TD" as const,
    step: toStep,
    got: `${from} → ${to}`,
    text: "dependency that is not required",
  })),
  ...reversed.map(({ from, to, toStep }) => ({
    check: "TD" as const,
    step: toStep,
    subtask: to,
    expected: `${from} → ${to}`,
    got: `${to} → ${from}`,
    text: "comes before a step it depends on",
  })),
];

const namesOf = factOf(({ apps }: Offer): ReadonlySet<string> => new Set(apps.map(appName)));

function inventedApps({ steps, offer, given }: CheckInput): Finding[] {
  const offered = namesOf(offer);
  return steps.flatMap((step, index) =>
    actionTexts(step.action)
      .flatMap(appMentions)
      .filter((mention) => !offered.has(appName(mention)) && !given(appName(mention)))
      .map((got) => ({
        check: "FD-APP" as const,
        step: index,
        got,
        text: "neither offered nor in the query or profile",
      })),
  );
}

function foreignOperations({ steps }: CheckInput): Finding[] {
  const known: readonly string[] = operations;
  return steps.flatMap(({ action }, step) => {
    const entries = isRecord(action) ? Object.entries(action) : [];
    const foreign = entries.filter(([name, text]) => !known.includes(name) || typeof text !== "string" || text === "");
    if (entries.length > 0 && foreign.length === 0) return [];
    const got = entries.length === 0 ? "no operation" : foreign.map(([name]) => name).join(", ");
    return [{ check: "OSC" as const, step, got, expected: operations.join(", "), text: "not in the operation space" }];
  });
}

function inventedTools({ steps, offer }: CheckInput): Finding[] {
  return steps.flatMap(({ call }, step) =>
    call === undefined || offer.apis.has(call.tool)
      ? []
      : [{ check: "FD-API" as const, step, got: call.tool, text: "not offered to this task" }],
  );
}

function wrongParameters({ gold, offer, steps, matches }: CheckInput): Finding[] {
  const findings: Finding[] = steps.flatMap(({ call }, step) => {
    const api = call === undefined ? undefined : offer.apis.get(call.tool);
    if (api === undefined) return [];
    return argumentProblems(api, call!.args).map(({ name, problem }) => {
      const value = field(call!.args, name);
      const got = value === undefined ? {} : { got: canon(value) };
      return { check: "PC" as const, step, key: name, ...got, text: problem };
    });
  });
  findings.push(...wrongValues(gold, steps, matches, "PC"));
  const text = joinedText(steps).toLowerCase();
  for (const literal of gold.literals ?? [])
    if (!text.includes(collapsed(literal).toLowerCase()))
      findings.push({ check: "PC", expected: literal, text: "missing from the plan" });
  return findings;
}

/** Reports arguments of matched subtasks that contradict profile and query, or the calendar. */
const wrongValues = (
  gold: Gold,
  steps: readonly PlanStepRecord[],
  matches: readonly (number | undefined)[],
  check: "PC" | "TR",
): Finding[] =>
  gold.subtasks.flatMap(({ id, args = [] }, index) => {
    const step = matches[index];
    if (step === undefined) return [];
    return args
      .filter((argument) => argument.check === check && !isRight(argument, steps[step]!))
      .map(({ name, value }) => {
        const written = field(steps[step]!.call?.args, name.trim());
        const got = written === undefined ? {} : { got: canon(written) };
        return { check, step, subtask: id, key: name, expected: canon(value), ...got, text: "value" };
      });
  });

function wrongTimes({ gold, steps, matches }: CheckInput): Finding[] {
  const findings = wrongValues(gold, steps, matches, "TR");
  for (const [index, { id, args = [] }] of gold.subtasks.entries())
    if (matches[index] === undefined && args.some(({ check }) => check === "TR"))
      findings.push({ check: "TR", subtask: id, text: "the step with this date is missing" });
  const dates = datesIn(joinedText(steps));
  for (const date of gold.dates ?? [])
    if (!dates.has(date)) findings.push({ check: "TR", expected: date, text: "date missing from the plan" });
  return findings;
}
