/** Scores dialogues from another program; each line is a task with its key and a dialogue (or the raw answers). */
import { z } from "zod";
import { anyJson, checkedPrediction, readOfLine } from "../../../source/engine/text/checked-record.ts";
import { type Figure, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { DialogueAnswer } from "../../../source/engine/protocol.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import type { Json } from "../../../source/engine/types.ts";
import { aggregate } from "./formulas.ts";
import { offerOf } from "../data/catalogue.ts";
import { checkNames } from "./checks.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";
import { readGold } from "../data/gold.ts";
import { relations, type RawAnswer, type Relation, rawAnswer } from "../data/records.ts";
import { scoreOf } from "./score.ts";
import { headOf, headRecord, readWorld, type World } from "../data/task-files.ts";
import { arenaTask, type ArenaTask } from "../data/task.ts";
import { readPlannerReply, recordOf } from "./transcript.ts";

type Line = {
  readonly task: ArenaTask;
  readonly dialogue: readonly Json[] | undefined;
  readonly raw: readonly RawAnswer[] | undefined;
};

/** Scores the lines. Throws `PredictionProblem` for an invalid line, `DataProblem` for an incomplete folder. */
export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const world = await readWorld(request.folder);
  const lines = request.lines.map(({ number, value }) => readLine(number, value, world));
  const scored = lines.map((line) => {
    request.signal.throwIfAborted();
    return evaluateLine(line);
  });
  const groups = lines.map(({ task }, index) => ({ relation: task.input.head.relation, evaluation: scored[index]! }));
  return {
    records: scored.map(evaluationRecord),
    aggregate: aggregateOf(groups),
    figures: figuresOf(groups, foreignKeys(lines, request.folder)),
    entries: lines.map(({ task, dialogue, raw }, index) => ({
      task,
      answer: answerOf(dialogue, raw),
      score: {
        ...scoreOf(scored[index]!),
        labels: { end: "scored elsewhere", profile: task.input.profile === undefined ? "off" : "on" },
      },
    })),
  };
}

/** Warns about answer keys with tools missing from the catalogue, which then probably belongs to other tasks. */
function foreignKeys(lines: readonly Line[], folder: string): readonly string[] {
  const foreign = lines.filter(({ task }) =>
    task.answer.gold.subtasks.some(({ tool }) => tool !== undefined && !task.input.offer.apis.has(tool)),
  ).length;
  if (foreign === 0) return [];
  return [
    `${foreign} of ${lines.length} answer keys call tools that ${folder} does not offer, so right calls count as fictitious: check that \`--data\` is the folder of these tasks`,
  ];
}

/** Returns the answer that a run would have stored: raw answers as records, up to the first unreadable answer. */
function answerOf(dialogue: readonly Json[] | undefined, raw: readonly RawAnswer[] = []): DialogueAnswer {
  if (dialogue !== undefined) return { end: "complete", dialogue };
  const records: Json[] = [];
  let plan: RawAnswer | undefined;
  for (const reply of raw) {
    const { role, content } = reply;
    const record = role === "responder" && plan !== undefined ? recordOf(plan.content, content) : undefined;
    const unread = role === "planner" ? readPlannerReply(content) === undefined : record === undefined;
    if (unread) return { end: `${role}-unparsable`, dialogue: records, unread: { role, content } };
    if (record !== undefined) records.push(record);
    plan = role === "planner" ? reply : undefined;
  }
  return { end: "complete", dialogue: records };
}

function evaluateLine({ task, dialogue, raw }: Line): Evaluation {
  const { head, offer, profile } = task.input;
  const given = raw === undefined ? { dialogue: dialogue ?? [] } : { raw };
  return evaluate({ task: head, gold: task.answer.gold, offer, profile: profile?.sections, ...given });
}

const written = z.object(
  {
    task: headRecord,
    gold: anyJson,
    offeredSet: z.string("`apps` or the name of a set in the catalogue"),
    dialogue: anyJson.optional(),
    raw: anyJson.optional(),
  },
  "an object `{task, gold, offeredSet, dialogue or raw}`",
);
const records = z.array(anyJson);
const rawAnswers = z.array(rawAnswer);

function readLine(number: number, value: Json, { catalogue, profiles }: World): Line {
  const refuse = (message: string): never => {
    throw new PredictionProblem(number, message);
  };
  const line = checkedPrediction(written, value, number);
  const offer = offerOf(catalogue, line.offeredSet);
  if (offer === undefined)
    return refuse(
      `Expected \`offeredSet\` to be \`apps\` or the name of a set in the catalogue, got \`${line.offeredSet}\``,
    );
  const raw = rawAnswers.safeParse(line.raw).data;
  const dialogue = records.safeParse(line.dialogue).data;
  if (raw === undefined && dialogue === undefined)
    return refuse("Expected `dialogue` to be a list of records, or `raw` a list of {role, content}");
  const head = headOf(line.task);
  const profile = head.userId === null ? undefined : profiles.get(head.userId);
  if (head.userId !== null && profile === undefined)
    return refuse(`Expected \`task.userId\` to be the id of a profile, got \`${head.userId}\``);
  const gold = readOfLine(number, () => readGold(line.gold, "`gold`"));
  const input = { head, queryZh: undefined, offer, profile };
  return { task: arenaTask(input, { gold, reference: [] }), raw, dialogue: raw === undefined ? dialogue : undefined };
}

/** Formats the evaluation like the fixtures. */
function evaluationRecord({ garbled, generated, checks, ser, da, lpr, smar, result }: Evaluation): Json {
  const counted =
    da === null
      ? null
      : { n: da.n, m: da.m, correct: da.correct, value: da.value, recall: da.recall, literal: da.literal };
  return { garbled, generated, checks, ser, da: counted, lpr, smar, result };
}

type Scored = readonly { readonly relation: Relation; readonly evaluation: Evaluation }[];
type Column = readonly [string, (evaluation: Evaluation) => number | null];

const flag = (kept: boolean | null | undefined) => (kept === null || kept === undefined ? null : kept ? 1 : 0);
const columns: readonly Column[] = [
  ["Result", ({ result }) => flag(result)],
  ["PGR", ({ generated }) => flag(generated)],
  ...checkNames.map((name): Column => [name, ({ checks }) => flag(checks?.[name])]),
  ["SER", ({ ser }) => ser],
  ["DA", ({ da }) => da?.value ?? null],
  ["LPR", ({ lpr }) => lpr],
  ["SMAR", ({ smar }) => smar.eq3],
  ["SMAR table", ({ smar }) => smar.table],
];

function meanOf(group: Scored, of: Column[1]): { readonly value: number | null; readonly n: number } {
  const values = group.map(({ evaluation }) => of(evaluation)).filter((value) => value !== null);
  return {
    n: values.length,
    value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  };
}

/**
 * Returns Result in percent by relation and overall, as in the paper's tables, and every measure with its denominator.
 */
function aggregateOf(scored: Scored): Json {
  const groups = Map.groupBy(scored, ({ relation }) => relation);
  const cells: Partial<Record<Relation, number>> = {};
  const weights: Partial<Record<Relation, number>> = {};
  for (const [relation, group] of groups) {
    cells[relation] = 100 * meanOf(group, columns[0]![1]).value!;
    weights[relation] = group.length;
  }
  const measures = Object.fromEntries(columns.map(([name, of]) => [name, meanOf(scored, of)]));
  return { ...aggregate(cells, weights), cells, weights, measures };
}

function figuresOf(scored: Scored, caveats: readonly string[]): readonly Figure[] {
  const groups = relations.flatMap((relation) => {
    const group = scored.filter((each) => each.relation === relation);
    return group.length === 0 ? [] : [[relation, group] as const];
  });
  const rows = groups.length > 1 ? [...groups, ["all", scored] as const] : groups;
  const figure: TableFigure = {
    kind: "table",
    title: "Scores by relation, percent",
    columns: tableColumns(["Relation"], ["n", ...columns.map(([name]) => name)]),
    rows: rows.map(([name, group]) => [
      { text: name },
      { text: String(group.length), value: group.length },
      ...columns.map(([, of]) => {
        const { value, n } = meanOf(group, of);
        return value === null ? { text: "-", n } : { text: (100 * value).toFixed(1), value, n };
      }),
    ]),
    notes: [
      ...caveats,
      "Each check is a share of the tasks it applies to; plans that cannot be read have no checks and count 0 in Result, PGR, LPR and SMAR.",
    ],
  };
  return [figure];
}
