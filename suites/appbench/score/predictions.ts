/** Scores answers from another program: lines `{task, output, apps?}`. */
import { type Figure, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { type Answer, type AppTask, categories } from "../data/gold.ts";
import { loadFolder, tasksOf } from "../data/load.ts";
import { type Aggregate, type Scores, aggregateOf, recordOf } from "./record.ts";
import { scoredOf } from "./score.ts";

/** Scores the lines. Throws `PredictionProblem` for an invalid line, `DataProblem` for an incomplete folder. */
export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const { catalogue, samples } = await loadFolder(request.folder, request.data, { part: true });
  const names = catalogue.apps.map((app) => app.name);
  const all = categories.flatMap((category) => tasksOf(category, samples.get(category)!));
  const tasks = new Map(all.map((task) => [task.id, task]));
  const answered = request.lines.map(({ number, value }) => readLine(number, value, tasks));
  const both = answered.map(({ task, answer }) => {
    request.signal.throwIfAborted();
    return scoredOf(answer, task.answer, names);
  });
  const scored = both.map(({ scores }) => scores);
  const { records: _, ...aggregate } = aggregateOf(scored);
  return {
    records: scored.map((scores, index) => ({ task: answered[index]!.task.id, ...recordOf(scores) })),
    aggregate,
    figures: figuresOf(answered, scored),
    entries: answered.map(({ task, answer }, index) => ({
      task,
      answer: {
        output: answer.output,
        ...(answer.apps === undefined ? {} : { stages: stagesOf(answer.apps, answer) }),
      },
      score: both[index]!.score,
    })),
  };
}

const stagesOf = (apps: string, { output }: Answer): Json => ({ apps, plan: output });

function readLine(
  line: number,
  value: Json,
  tasks: ReadonlyMap<string, AppTask>,
): { readonly task: AppTask; readonly answer: Answer } {
  if (!isRecord(value)) throw new PredictionProblem(line, "Expected an object `{task, output, apps?}`");
  const id = field(value, "task");
  const output = field(value, "output");
  const apps = field(value, "apps") ?? undefined;
  const task = typeof id === "string" ? tasks.get(id) : undefined;
  if (task === undefined) {
    throw new PredictionProblem(line, `Expected \`task\` to be the id of a task, such as \`mm-010\`, got ${shown(id)}`);
  }
  if (typeof output !== "string") {
    throw new PredictionProblem(line, `Expected \`output\` to be the text of an answer, got ${shown(output)}`);
  }
  if (apps !== undefined && typeof apps !== "string") {
    throw new PredictionProblem(
      line,
      `Expected \`apps\` to be the text of the first stage's answer, got ${shown(apps)}`,
    );
  }
  return { task, answer: apps === undefined ? { output } : { output, apps } };
}

const shown = (value: Json | undefined): string =>
  value === undefined ? "nothing" : `\`${(JSON.stringify(value) ?? "").slice(0, 80)}\``;

type Answered = readonly { readonly task: AppTask }[];

/** Builds one table per mode, with a line per category present and one for all if there are several. */
function figuresOf(answered: Answered, scored: readonly Scores[]): readonly Figure[] {
  const byCategory = categories.map((category) => [
    category,
    scored.filter((_, index) => answered[index]!.task.input.category === category),
  ]) satisfies (readonly [string, readonly Scores[]])[];
  const present = byCategory.filter(([, group]) => group.length > 0);
  const groups = present.length === 1 ? present : [...present, ["all", scored] as const];
  return modes.map(({ title, note, columns }) => ({
    kind: "table",
    title,
    notes: [note],
    columns: tableColumns(["Category"], ["n", ...columns.map(([name]) => name)]),
    rows: groups.map(([name, group]) => rowOf(name, group, columns)),
  }));
}

type Column = readonly [string, (aggregate: Aggregate) => number];

const modes: readonly { readonly title: string; readonly note: string; readonly columns: readonly Column[] }[] = [
  {
    title: "official: scores as in evaluation.py, percent",
    note: "F1 counts at most one hit per task: a perfect plan reaches 100 (SS), 45 (SM), 37 (MS) and 27 (MM).",
    columns: [
      ["F1 app", ({ official }) => official.derived.app_hit_f1],
      ["F1 API", ({ official }) => official.derived.api_hit_f1],
      ["Succ", ({ official }) => official.derived.complete_match],
      ["EM app", ({ official }) => official.derived.app_exact_match],
      ["EM API", ({ official }) => official.derived.api_exact_match],
      ["Arg. EM", ({ official }) => official.derived.argu_exact_match],
    ],
  },
  {
    title: "official-analysis: scores as in analysis.py, percent",
    note: "F1 is the mean over tasks; names that repeat in a plan count as one hit.",
    columns: [
      ["F1 app", ({ official_analysis }) => official_analysis.app_f1],
      ["F1 API", ({ official_analysis }) => official_analysis.api_f1],
      ["Succ", ({ official_analysis }) => official_analysis.succ],
      ["EM app", ({ official_analysis }) => official_analysis.app_em],
      ["EM API", ({ official_analysis }) => official_analysis.api_em],
    ],
  },
  {
    title: "paper: scores as defined in the paper, percent",
    note: "Every hit counts; success needs the same calls with the same arguments, including references to results.",
    columns: [
      ["F1 app", ({ paper }) => paper.f1_app],
      ["F1 API", ({ paper }) => paper.f1_api],
      ["Succ", ({ paper }) => paper.succ],
      ["EM app", ({ paper }) => paper.em_app],
      ["EM API", ({ paper }) => paper.em_api],
    ],
  },
];

function rowOf(name: string, group: readonly Scores[], columns: readonly Column[]): TableFigure["rows"][number] {
  const aggregate = aggregateOf(group);
  const values = columns.map(([, of]) => of(aggregate));
  return [
    { text: name },
    { text: String(group.length), value: group.length },
    ...values.map((value) => ({ text: (100 * value).toFixed(2), value, n: group.length })),
  ];
}
