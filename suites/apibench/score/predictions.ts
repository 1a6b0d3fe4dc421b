/** Scores a file of replies from another program, line by line. */
import { z } from "zod";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { tableColumns, type Figure } from "../../../source/engine/figure.ts";
import { PredictionProblem, type PredictionRequest, type Predictions } from "../../../source/engine/prediction.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import { checkedPrediction } from "../../../source/engine/text/checked-record.ts";
import type { Score, Task } from "../../../source/engine/types.ts";
import { loadHub, taskOf, type HubData, type Question } from "../data/catalogue.ts";
import { hubs, type Hub } from "./extraction.ts";
import { nodesHere } from "../data/grammar-thread.ts";
import { aggregate, judgeReply, scoreOf, type Aggregate, type Verdict } from "./verdict.ts";

const predictionLine = z.object({
  question_id: z.union([z.number(), z.string()]),
  text: z.string("the text of the reply"),
});

/** Returns records and official rates of `{question_id, text}` lines. Throws `PredictionProblem` for any other line. */
export async function scorePredictions(request: PredictionRequest): Promise<Predictions> {
  const hub = hubs.find((name) => name === request.split);
  if (hub === undefined)
    throw new DataProblem(`Expected \`split\` to be one of ${hubs.join(", ")}, got \`${request.split}\``);
  const [data, { findNodes, warning }] = await Promise.all([loadHub(request.folder, hub), nodesHere()]);
  const records: (Verdict & { question_id: number })[] = [];
  const entries: { task: Task; answer: string; score: Score }[] = [];
  const read = request.lines.map(({ number, value }) => {
    const { question_id, text } = checkedPrediction(predictionLine, value, number);
    return { text, question: questionOf(number, question_id, data) };
  });
  const yieldIfDue = eventLoopYielder(request.signal);
  for (const { text, question } of read) {
    const verdict = await judgeReply(text, question, data, findNodes);
    records.push({ question_id: question.question_id, ...verdict });
    entries.push({ task: taskOf(hub, question), answer: text, score: scoreOf(verdict) });
    await yieldIfDue();
  }
  const sums = aggregate(records);
  return {
    records: records.map(({ same_function_and_arguments: _strict, ...record }) => record),
    aggregate: sums,
    figures: [figureOf(hub, sums, records, warning)],
    entries,
  };
}

function questionOf(line: number, id: number | string, data: HubData): Question {
  const question = data.questions.get(Number(id));
  if (question === undefined)
    throw new PredictionProblem(
      line,
      `Expected \`question_id\` to be the number of a ${data.hub} question, got \`${JSON.stringify(id)}\``,
    );
  return question;
}

function figureOf(hub: Hub, sums: Aggregate, records: readonly Verdict[], warning: string | undefined): Figure {
  const share = (count: number) => (sums.n === 0 ? "-" : `${((100 * count) / sums.n).toFixed(2)} %`);
  const row = (title: string, count: number) => [
    { text: title },
    { text: String(count), value: count },
    { text: share(count), ...(sums.n === 0 ? {} : { value: count / sums.n }), n: sums.n },
  ];
  const right = (name: "same_api_as_gold" | "same_function_and_arguments") => records.filter((one) => one[name]).length;
  return {
    kind: "table",
    title: `APIBench, ${hub}: ${sums.n} ${sums.n === 1 ? "reply" : "replies"}`,
    notes: [
      "Functionality accuracy is the share of correct replies: the matched API has the right domain, which need not be the right API.",
      ...(warning === undefined ? [] : [warning]),
    ],
    columns: tableColumns(["outcome"], ["replies", "share"]),
    rows: [
      row("correct (functionality accuracy)", sums.correct),
      row("wrong domain", sums.wrong_domain),
      row("hallucination", sums.hallucination),
      row("no api_call field", sums.no_api_call_field),
      row("same API as requested (strict)", right("same_api_as_gold")),
      row("same function and arguments (strict)", right("same_function_and_arguments")),
    ],
  };
}
