/** Scores files of plans and replies that another program produced, line by line. */
import { z } from "zod";
import type { TableFigure } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import { checkedPrediction } from "../../../source/engine/text/checked-record.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import { splitOf } from "../data/catalogue.ts";
import { PlanbenchFolder } from "../data/folder.ts";
import { readTasks } from "../data/tasks.ts";
import { executionMarks, verificationMarks } from "./answers.ts";
import { extractOfficial } from "./extract-official.ts";
import { extractors, isRight, planRecord, replyRecord } from "./record.ts";
import { scoreReply } from "./score.ts";

const name = z.string();
const id = z.union([z.number(), z.string()]);
const of = { config: name, task: name, instance: id };
const verdictLine = z.object({ ...of, domain: name, problem: name, plan: z.string() });
const replyLine = z.object({ ...of, raw: z.string() });
const verificationLine = z.object({ ...of, raw: z.string(), answer: z.string() });
const executionLine = z.object({ ...of, raw: z.string(), answer: z.array(z.string()) });
const outputLine = z.object({ id, output: z.string("the text of the reply") });

/** Returns the records and sums of these lines. Throws `PredictionProblem` for an invalid line. */
export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const folder = new PlanbenchFolder(request.folder);
  switch (request.split) {
    case "verdicts":
      return scoreVerdicts(request, folder);
    case "extraction":
      return sums(
        await each(request, replyLine, ({ config, task, raw }) => ({
          plan_bench: extractOfficial(config, task, raw, "plan-bench"),
          analysis: extractOfficial(config, task, raw, "analysis"),
        })),
        request,
        () => ({}),
      );
    case "verification":
      return sums(
        await each(request, verificationLine, ({ config, raw, answer }) => verificationMarks(config, raw, answer)),
        request,
        shares("binary", "type", "explanation"),
      );
    case "execution":
      return sums(
        await each(request, executionLine, ({ config, raw, answer }) => executionMarks(config, raw, answer)),
        request,
        shares("correct"),
      );
    default:
      return scoreSplit(request, folder);
  }
}

async function scoreVerdicts(request: PredictionRequest, folder: PlanbenchFolder): Promise<Predictions> {
  const records = await each(request, verdictLine, async ({ config, task, instance, domain, problem, plan }, line) => {
    const scored = await placed(line, async () => ({
      domain: await folder.domainAt(domain),
      problem: await folder.problemAt(problem),
    }));
    const isOptimality = task.startsWith("task_2");
    const row = isOptimality
      ? (await placed(line, () => folder.prompts(`${config}/${task}`))).get(String(instance))
      : undefined;
    return planRecord({ config, task, scored, reference: row?.plan ?? undefined }, plan);
  });
  return sums(records, request, (all) => ({ valid: all.filter(({ valid }) => valid).length }));
}

async function scoreSplit(request: PredictionRequest, folder: PlanbenchFolder): Promise<Predictions> {
  const split = splitOf(request.split);
  if (split === undefined) throw new DataProblem(`Expected a split of PlanBench, got \`${request.split}\``);
  const tasks = new Map((await readTasks(folder, request.split)).map((task) => [task.id, task]));
  const extractor = extractors.find((each) => each === request.flags["extractor"]) ?? "official";
  const entries: Predictions["entries"][number][] = [];
  const records = await each(request, outputLine, async ({ id: wanted, output }, line) => {
    const task = tasks.get(String(wanted));
    if (task === undefined)
      throw new PredictionProblem(
        line,
        `Expected \`id\` to be the id of a task of ${request.split}, got \`${wanted}\``,
      );
    entries.push({ task, answer: output, score: scoreReply(task, output, extractor) });
    return replyRecord(task.input.asked, output, extractor);
  });
  const scored = sums(records, request, (all) => ({ right: all.filter(isRight).length }));
  return { ...scored, entries };
}

/** The records of all lines, in order. */
async function each<Line, Record>(
  { lines, signal }: PredictionRequest,
  schema: z.ZodType<Line>,
  score: (line: Line, number: number) => Record | Promise<Record>,
): Promise<readonly Record[]> {
  const yieldIfDue = eventLoopYielder(signal);
  const read = lines.map(({ number, value }) => ({ number, line: checkedPrediction(schema, value, number) }));
  const records: Record[] = [];
  for (const { number, line } of read) {
    records.push(await score(line, number));
    await yieldIfDue();
  }
  return records;
}

/** Reads data for a line; if they are missing, throws with the line's number. */
async function placed<Value>(line: number, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof DataProblem ? new PredictionProblem(line, error.message) : error;
  }
}

type Sums<Record> = (records: readonly Record[]) => Readonly<{ [key: string]: number }>;

/** The share of records with each of these marks. */
function shares<Mark extends string>(...marks: readonly Mark[]): Sums<Readonly<{ [key in Mark]: boolean }>> {
  return (records) =>
    Object.fromEntries(
      marks.map((mark) => [mark, records.filter((record) => record[mark]).length / Math.max(1, records.length)]),
    );
}

function sums<Record extends object>(
  records: readonly Record[],
  { split }: PredictionRequest,
  sum: Sums<Record>,
): Predictions {
  const aggregate = { n: records.length, ...sum(records) };
  const figure: TableFigure = {
    kind: "table",
    title: `PlanBench, ${split}`,
    notes: [],
    columns: [
      { title: "", align: "left" },
      { title: "value", align: "right" },
    ],
    rows: Object.entries(aggregate).map(([title, value]) => [
      { text: title },
      { text: Number.isInteger(value) ? String(value) : value.toFixed(4), value },
    ]),
  };
  return { records: records as readonly object[] as readonly Json[], aggregate, figures: [figure], entries: [] };
}
