/** A scan of a saved run: its trajectories are the tasks, and the findings of a model are labels of the codebook. */
import { meanMeasure } from "../../measures/measure.ts";
import type { LoadedSuite } from "../../loaded-suite.ts";
import type { Suite } from "../../suite.ts";
import type { Json, Outcome, Score } from "../../types.ts";
import { isRecord, textAt, field } from "../../text/json-record.ts";
import { speakerName } from "../recordings/who-and-when-recording.ts";
import { attributionMethods } from "./attribution-methods.ts";
import { mergedKinds, type MergedKind } from "./merged-kinds.ts";
import { openCodes, type ProposedKind } from "./open-codes.ts";
import { type Findings, rubric } from "./rubric.ts";
import { type ScannedTask, scannedTasks } from "./scanned-task.ts";

const prefix = "scan/";

/** Why a scan is not executed on workers. */
export const scanElsewhere =
  "A scan reads trajectories of this notebook, which workers do not have: execute it here (`--workers none`)";

/** Returns the run that a suite of this name scans; undefined for other suites. */
export const scannedRun = (suite: string): string | undefined =>
  suite.startsWith(prefix) ? suite.slice(prefix.length) : undefined;

/** The split with one task: merging the kinds that were named. */
const kindsSplit = "kinds";

const kindsTask: ScannedTask = {
  id: "kinds",
  question: "Which of the proposed kinds have the same meaning?",
  input: { run: "", task: "", attempt: "", steps: [], reference: undefined },
  answer: null,
  facets: {},
};

const options: Suite["options"] = [
  {
    name: "question",
    title: "Question",
    values: "text",
    default: "",
    quiet: true,
    when: { strategy: ["rubric", "open-codes", "merged-kinds"] },
  },
  { name: "kinds", title: "Kinds", values: "text", default: "", quiet: true, when: { strategy: ["merged-kinds"] } },
  { name: "labels", title: "Labels", values: "text", default: "", quiet: true, when: { strategy: ["rubric"] } },
  { name: "quote", title: "Quote", values: ["on", "off"], default: "on", when: { strategy: ["rubric"] } },
  {
    name: "answer",
    title: "Right answer shown",
    values: ["off", "on"],
    default: "off",
    when: { strategy: attributionMethods.map(({ name }) => name) },
  },
];

/** Makes the suite that scans a run of the session. */
export function scanSuite(run: string, session: string): Suite<"stages"> {
  const suite: Suite<"stages"> = {
    name: `${prefix}${run}`,
    title: `Scan of ${run}`,
    revision: 1,
    paper: { title: "", venue: "", url: "" },
    licence: "Your own trajectories.",
    splits: [
      { name: "all", title: "all trajectories" },
      { name: kindsSplit, title: "the kinds proposed for all trajectories" },
    ],
    facets: [{ name: "set", title: "Set" }],
    strategies: [rubric, openCodes, ...attributionMethods, mergedKinds],
    options,
    maxShots: 0,
    measures: [
      meanMeasure("step.exact", {
        name: "step",
        title: "Step",
        mode: "exact",
        note: "A missing prediction counts as wrong.",
      }),
      meanMeasure("agent.exact", { name: "agent", title: "Agent", mode: "exact" }),
      meanMeasure("found", {
        name: "found",
        title: "Labelled",
        mode: "labels",
        note: "Trajectories that have a label.",
      }),
      meanMeasure("unread", { name: "unread", title: "Unreadable reply", mode: "labels", better: "lower" }),
    ],
    errorKinds: [
      { name: "wrong-step", title: "Wrong step" },
      { name: "no-prediction", title: "No prediction" },
    ],
    faultKinds: [],
    analyses: ["attribution", "overview", "compare", "errors", "cost"],
    data: { files: [], source: "the session" },
    async open(): Promise<LoadedSuite<ScannedTask, "stages">> {
      const tasks = await scannedTasks(session, run);
      return {
        suite,
        warnings: [],
        tasks: (split) => Promise.resolve(split === kindsSplit ? [kindsTask] : tasks),
        shots: () => [],
        asks: { stages: () => [] },
        score: async (task, outcome, { spec }) => scoreOf(task, outcome, spec.strategy),
      };
    },
  };
  return suite;
}

function scoreOf(task: ScannedTask, outcome: Outcome, strategy: string): Score {
  if (strategy === rubric.name) return scoredFindings(outcome);
  if (strategy === mergedKinds.name) return scoredMerging(outcome);
  return strategy === openCodes.name ? scoredKinds(outcome) : scoredAttribution(task, outcome);
}

/** The label of a score that contains the findings of a rubric, as JSON. */
export const findingsLabel = "findings";

/**
 * Returns a score without a value, because only people know whether a label is right. Metrics are undefined if no window was
 * read.
 */
function scoredFindings({ answer }: Outcome): Score {
  const found = answer as unknown as Findings | undefined;
  const isRead = found !== undefined && found.unread < found.windows;
  const labels = [...new Set((found?.findings ?? []).map(({ label }) => label))];
  return {
    value: undefined,
    metrics: {
      ...(isRead && { found: labels.length > 0 ? 1 : 0 }),
      ...(found !== undefined && { unread: found.unread / Math.max(1, found.windows), refused: found.refused }),
    },
    checks: [],
    errors: [],
    labels: { ...(isRead && { [findingsLabel]: JSON.stringify(found.findings) }) },
  };
}

/** The label of a score that contains the kinds that a model named, as JSON. */
export const kindsLabel = "kinds";

function scoredKinds({ answer }: Outcome): Score {
  const found = answer as unknown as {
    readonly kinds: readonly ProposedKind[];
    readonly windows: number;
    readonly unread: number;
  };
  const isRead = found !== undefined && found.unread < found.windows;
  return {
    value: undefined,
    metrics: { ...(isRead && { found: found.kinds.length > 0 ? 1 : 0 }) },
    checks: [],
    errors: [],
    labels: { ...(isRead && { [kindsLabel]: JSON.stringify(found.kinds) }) },
  };
}

/** The label of a score that contains merged kinds, as JSON. */
export const mergedLabel = "merged";

function scoredMerging({ answer }: Outcome): Score {
  const merged = answer as unknown as readonly MergedKind[] | null | undefined;
  const isRead = Array.isArray(merged);
  return {
    value: undefined,
    metrics: { unread: isRead ? 0 : 1 },
    checks: [],
    errors: [],
    labels: { ...(isRead && { [mergedLabel]: JSON.stringify(merged) }) },
  };
}

/** Labels of a prediction and of an annotation. */
export const predictionLabels = {
  agent: "predicted agent",
  step: "predicted step",
  /** The predicted request, from 0: the step is its reply, or came after the reply. */
  request: "predicted request",
} as const;

function scoredAttribution({ answer: annotated, input }: ScannedTask, { answer }: Outcome): Score {
  const agent = isRecord(answer as Json) ? textAt(answer as Json, "agent") : "";
  const written = isRecord(answer as Json) ? field(answer as Json, "step") : undefined;
  const step = typeof written === "number" ? written : undefined;
  const asked = step === undefined ? [] : input.steps.slice(0, step + 1);
  const request = asked.findLast(({ place }) => place.request !== undefined)?.place.request;
  const labels = {
    ...(agent !== "" && { [predictionLabels.agent]: agent }),
    ...(step !== undefined && { [predictionLabels.step]: String(step) }),
    ...(request !== undefined && { [predictionLabels.request]: String(request) }),
    ...(annotated !== null && { mistake_agent: annotated.agent, mistake_step: String(annotated.step) }),
    steps: String(input.steps.length),
    speakers: String(new Set(input.steps.map(({ speaker }) => speakerName(speaker))).size),
  };
  if (annotated === null) return { value: undefined, metrics: {}, checks: [], errors: [], labels };
  const { exact, official } = compared(annotated, { agent, step: step === undefined ? "" : String(step) });
  const isRight = exact.step;
  const expected = `step ${annotated.step}, ${annotated.agent}`;
  const kind = agent === "" && step === undefined ? "no-prediction" : "wrong-step";
  return {
    value: isRight ? 1 : 0,
    metrics: {
      "step.exact": Number(exact.step),
      "agent.exact": Number(exact.agent),
      "step.official": Number(official.step),
      "agent.official": Number(official.agent),
      ...(step !== undefined && { "step.distance": Math.abs(step - annotated.step) }),
    },
    checks: [],
    errors: isRight ? [] : [{ kind, expected, got: step === undefined ? "nothing" : `step ${step}, ${agent}` }],
    labels,
  };
}

/**
 * Compares a prediction with the annotation: exactly, without brackets and ignoring case; and by the publishers' rule, which
 * searches for the annotated text in the predicted text and requires both halves to be readable.
 */
export function compared(
  annotated: { readonly agent: string; readonly step: number },
  predicted: { readonly agent: string; readonly step: string },
) {
  const [name] = /^\w+/.exec(predicted.agent) ?? [];
  const [digits] = /^\d+/.exec(predicted.step) ?? [];
  const isReadable = name !== undefined && digits !== undefined;
  const plain = (agent: string) => speakerName(agent).toLowerCase();
  return {
    exact: {
      agent: plain(predicted.agent) === plain(annotated.agent),
      step: /^\d+$/.test(predicted.step) && Number(predicted.step) === annotated.step,
    },
    official: {
      agent: isReadable && name.includes(annotated.agent),
      step: isReadable && digits.includes(String(annotated.step)),
    },
  };
}
