/** Evaluates one dialogue exactly against its answer key. */
import type { Json } from "../../../source/engine/types.ts";
import type { Offer } from "../data/catalogue.ts";
import { checkDialogue, type Checks, type Finding } from "./checks.ts";
import { dependenciesOf, type Dependencies } from "./dependencies.ts";
import { mistakeAvoidance, subtaskExecution } from "./formulas.ts";
import { givenBy } from "./given.ts";
import { matchSubtasks, rightArguments } from "./matching.ts";
import type { Gold, PlanStepRecord, RawAnswer, TaskHead } from "../data/records.ts";
import { transcriptOfRaw, transcriptOfRecords } from "./transcript.ts";

export type EvaluationInput = {
  readonly task: TaskHead;
  readonly gold: Gold;
  readonly offer: Offer;
  /** The user's profile; undefined if there is none or the run disables it. */
  readonly profile: Json | undefined;
  readonly dialogue?: readonly Json[];
  readonly raw?: readonly RawAnswer[];
};

export type Evaluation = {
  readonly garbled: boolean;
  /** True if the plan has 1 to 20 steps, as many as announced, numbered in order. */
  readonly generated: boolean;
  readonly checks: Checks | null;
  readonly ser: number | null;
  readonly da: Dependencies | null;
  readonly lpr: number | null;
  readonly smar: { readonly eq3: number; readonly table: number };
  readonly result: boolean;
  readonly findings: readonly Finding[];
  readonly steps: readonly PlanStepRecord[];
  /** Step index by subtask index. */
  readonly matches: readonly (number | undefined)[];
};

/** Maximum number of steps a plan may announce. */
export const maxSteps = 20;

/** Scores any dialogue; an unreadable dialogue gets the lowest evaluation. */
export function evaluate(input: EvaluationInput): Evaluation {
  const api = input.task.operationalScenario === "API";
  const transcript =
    input.raw === undefined ? transcriptOfRecords(input.dialogue ?? [], api) : transcriptOfRaw(input.raw, api);
  if (transcript.garbled) return garbledEvaluation(transcript.reason);
  const { steps } = transcript;
  const { gold, offer } = input;
  const given = givenBy(input.task.query, input.profile);
  const matches = matchSubtasks(gold.subtasks, steps);
  const dependencies = dependenciesOf(steps, gold, matches, given);
  const { checks, findings } = checkDialogue({ api, gold, offer, steps, matches, dependencies, given });
  const misnumbered = stepNumberFindings(steps);
  const generated = misnumbered.length === 0;
  const ser = executed(gold, steps, matches);
  return {
    garbled: false,
    generated,
    checks,
    ser,
    da: dependencies,
    lpr: ser === null ? null : ser * dependencies.value,
    smar: { eq3: equationThree(checks), table: tableMean(checks) },
    result: generated && Object.values(checks).every((kept) => kept !== false),
    findings: [...findings, ...misnumbered],
    steps,
    matches,
  };
}

const garbledEvaluation = (reason: string): Evaluation => ({
  garbled: true,
  generated: false,
  checks: null,
  ser: 0,
  da: null,
  lpr: 0,
  smar: { eq3: 0, table: 0 },
  result: false,
  findings: [{ check: "garbled", text: reason }],
  steps: [],
  matches: [],
});

/** Checks step numbers; later changes of the announced number are ignored. */
function stepNumberFindings(steps: readonly PlanStepRecord[]): Finding[] {
  const check = "generated";
  const announced = steps[0]!.totalSteps;
  const findings: Finding[] = [];
  if (announced < 1 || announced > maxSteps)
    findings.push({ check, step: 0, expected: `1 to ${maxSteps} steps`, got: `${announced}`, text: "announced steps" });
  else if (steps.length !== announced)
    findings.push({ check, expected: `${announced} steps`, got: `${steps.length}`, text: "steps found" });
  const at = steps.findIndex(({ stepNumber }, index) => stepNumber !== index + 1);
  if (at >= 0)
    findings.push({
      check,
      step: at,
      expected: `step ${at + 1}`,
      got: `${steps[at]!.stepNumber}`,
      text: "step number",
    });
  return findings;
}

const executed = (gold: Gold, steps: readonly PlanStepRecord[], matches: readonly (number | undefined)[]) =>
  subtaskExecution(
    gold.subtasks.map((subtask, index) => {
      const w = subtask.weight ?? 1;
      const step = matches[index];
      const bound = subtask.args?.length ?? 0;
      const q = step === undefined || bound === 0 ? 1 : rightArguments(subtask, steps[step]!) / bound;
      return { w, c: step === undefined ? 0 : 1, q };
    }),
  );

/**
 * Scores missing steps, redundant steps, fictitious parameters, fictitious tools and, if applicable, time inference.
 */
function equationThree(checks: Checks): number {
  const mistake = (made: boolean) => (made ? 1 : 0);
  const five = [
    { name: "MS", b: mistake(checks.SC === false), w: 1 },
    { name: "RS", b: mistake(checks.SR === false), w: 1 },
    { name: "FP", b: mistake(checks.PC === false), w: 1 },
    { name: "FT", b: mistake(checks["FD-APP"] === false || checks["FD-API"] === false), w: 1 },
  ];
  if (checks.TR !== null) five.push({ name: "TIE", b: mistake(!checks.TR), w: 1 });
  return mistakeAvoidance(false, five);
}

/** Returns the mean over the applicable checks that the paper's tables list under SMAR. */
function tableMean(checks: Checks): number {
  const listed = [checks["FD-APP"], checks.OSC, checks["FD-API"], checks.PC, checks.TR].filter((kept) => kept !== null);
  return listed.filter(Boolean).length / listed.length;
}
