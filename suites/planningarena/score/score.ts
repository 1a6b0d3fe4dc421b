/** Scores a finished dialogue: the exact evaluation, and the judge's opinion in separate columns. */
import { field } from "../../../source/engine/text/json-record.ts";
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import type { Json, Outcome, Row, Score } from "../../../source/engine/types.ts";
import { filtered } from "../../../source/engine/work/growing-list.ts";
import { checkNames } from "./checks.ts";
import { mistakesOf } from "./error-kinds.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";
import { fingerprintOf, judge } from "./judge.ts";
import { asAsked, type ArenaTask } from "../data/task.ts";

/** The end of a dialogue with an unreadable Responder, which has no score because it is not the Planner's mistake. */
const responderUnread = "responder-unparsable";

const isOlder = ({ score }: Row): boolean => score?.value !== undefined && score.labels?.["end"] === responderUnread;

/** States how many saved scores belong to dialogues that would have no score today. */
export function findings(rows: readonly Row[]): readonly string[] {
  const { length: older } = filtered(isOlder, rows);
  if (older === 0) return [];
  const made = `${counted(older, "score")} ${older === 1 ? "was" : "were"} made`;
  return [
    `${made} when unreadable replies of the Responder still counted against the Planner: \`--rescore\` computes all scores again`,
  ];
}

/** Scores one task. Asks the judge only if the run has a judge and the plan is readable. */
export async function scoreTask(task: ArenaTask, outcome: Outcome, context: ScoreContext): Promise<Score> {
  if (readAnswer(outcome.answer)?.end === responderUnread)
    return { value: undefined, metrics: {}, checks: [], errors: [], labels: { end: responderUnread } };
  const evaluation = evaluateAnswer(task, outcome.answer, context.spec);
  const { head } = asAsked(task, context.spec);
  const base = scoreOf(evaluation);
  const answer = readAnswer(outcome.answer);
  const asked = context.ask !== undefined && answer !== undefined && !evaluation.garbled;
  const opinion = asked ? await judge(head.query, answer.dialogue, context.ask, context.spec) : {};
  const judged = Object.entries(opinion).map(([name, kept]) => ({ name: `judge.${name}`, kept }));
  const known = judged.flatMap(({ name, kept }) => (kept === undefined ? [] : [[name, kept ? 1 : 0] as const]));
  return {
    ...base,
    metrics: { ...base.metrics, ...Object.fromEntries(known) },
    checks: [...base.checks, ...judged],
    labels: {
      end: answer?.end ?? "nothing",
      profile: context.spec.options["profile"] === "off" ? "off" : "on",
      ...(judged.length === 0
        ? {}
        : { "judge.model": context.spec.judge ?? "", "judge.prompts": fingerprintOf(context.spec) }),
    },
  };
}

/** Evaluates an answer of the dialogue strategy; an unreadable answer is garbled and never throws. */
export function evaluateAnswer(task: ArenaTask, answer: Json | undefined, spec: ScoreContext["spec"]): Evaluation {
  const { offer } = task.input;
  const { gold } = task.answer;
  const { head, profile } = asAsked(task, spec);
  const read = readAnswer(answer);
  const dialogue = read === undefined || read.unread !== undefined ? [] : read.dialogue;
  return evaluate({ task: head, gold, offer, profile: profile?.sections, dialogue });
}

/** Reads a run's answer, which another program may have written; only the list of records is certain. */
export function readAnswer(answer: Json | undefined) {
  const dialogue = field(answer, "dialogue");
  if (!Array.isArray(dialogue)) return undefined;
  const end = field(answer, "end");
  return { dialogue, end: typeof end === "string" ? end : undefined, unread: field(answer, "unread") };
}

/** Returns the numbers of one evaluation. Checks that do not apply, and all checks of unreadable plans, have no numbers. */
export function scoreOf(evaluation: Evaluation): Score {
  const { checks, da, ser, lpr, smar, generated, result, garbled, findings } = evaluation;
  const numbers: Record<string, number> = {
    result: result ? 1 : 0,
    pgr: generated ? 1 : 0,
    garbled: garbled ? 1 : 0,
    "smar.eq3": smar.eq3,
    "smar.table": smar.table,
  };
  if (ser !== null) numbers["ser"] = ser;
  if (lpr !== null) numbers["lpr"] = lpr;
  if (da !== null) {
    numbers["da"] = da.value;
    if (da.recall !== null) numbers["da.recall"] = da.recall;
    if (da.literal !== null) numbers["da.literal"] = da.literal;
  }
  for (const name of checkNames) {
    const kept = checks?.[name] ?? null;
    if (kept !== null) numbers[name] = kept ? 1 : 0;
  }
  const message = (name: string) =>
    findings
      .filter(({ check }) => check === name)
      .map(({ text, got, expected }) =>
        [text, expected && `expected ${expected}`, got && `got ${got}`].filter(Boolean).join(", "),
      );
  return {
    value: result ? 1 : 0,
    metrics: numbers,
    checks: [
      {
        name: "PGR",
        kept: generated,
        ...(generated ? {} : { message: garbled ? "cannot be read" : message("generated").join("; ") }),
      },
      ...checkNames.map((name) => {
        const kept = checks?.[name] ?? undefined;
        const text = message(name).join("; ");
        return { name, kept, ...(text === "" ? {} : { message: text.slice(0, 600) }) };
      }),
    ],
    errors: mistakesOf(findings),
  };
}
