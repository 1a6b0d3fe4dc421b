/** `planwright import who-and-when FOLDER`: imports the published logs as runs, and the annotators' findings as codes. */
import type { CodeLine, LabelledLine } from "../../engine/session/codes/code-line.ts";
import { isRecord } from "../../engine/text/json-record.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { ReadBounds, type ReadLimits } from "../../engine/text/read-bounds.ts";
import {
  type AnnotatedLog,
  annotatedLogsEnding,
  annotatedRecording,
  annotatedSets,
} from "../../engine/workbench/recordings/who-and-when-recording.ts";
import { openFor } from "../session/open-session.ts";
import { runLine } from "../session/session-report.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";
import { publishedLogs } from "../statistics/who-and-when.ts";
import { importRecording, jsonLine } from "./imported-run.ts";
import { keepText } from "./kept-predictions.ts";

/** The name under which the annotators' codes are saved. */
const annotators = "who-and-when";
const kinds = `mistake_agent: the remark names the agent that made the decisive mistake
mistake_step: the earliest step whose correction would have turned failure into success
`;

export async function importAnnotated(
  [folder, ...more]: readonly string[],
  into: string,
  context: CommandContext,
  reading: ReadLimits,
  takeOver: boolean,
): Promise<number> {
  if (folder === undefined || more.length > 0)
    throw new ArgumentProblem(`Expected one folder of the published logs, got ${more.length + 1}`);
  const found = await Promise.all(annotatedSets.map((set) => publishedLogs(folder, set)));
  const workbench = await openFor(into, context, { reading, takeOver });
  try {
    if (!workbench.cells().some(({ kind, source }) => kind === "kinds" && source.includes("mistake_step")))
      workbench.insert("kinds", workbench.cells().at(-1)?.id, kinds, "");
    for (const [index, logs] of found.entries()) {
      const name = annotatedSets[index]!.toLowerCase();
      const lines = () =>
        logs.map(({ log, value }) => {
          if (!isRecord(value)) throw new DataProblem(`Expected log ${log.log} to be a JSON object`);
          return jsonLine({ ...value, set: log.set, log: log.log });
        });
      const path = await keepText(workbench.folder, `${name}${annotatedLogsEnding}`, lines);
      const file = `${workbench.folder}/${path}`;
      const recording = annotatedRecording(file, new ReadBounds(reading));
      const { run } = await importRecording(workbench, {
        recording,
        kept: { file },
        name,
        suite: undefined,
        split: undefined,
        model: undefined,
      });
      workbench.codes.add(
        annotators,
        logs.flatMap(({ log }) => annotation(log, run.run)),
      );
      context.stdout(`${runLine(run)}\n`);
    }
    return 0;
  } finally {
    await workbench.close();
  }
}

/** Returns the codes of a log: the agent for the whole task, and the step with the reason at this step. */
function annotation(
  { log, agent, step, steps, reason }: AnnotatedLog,
  run: string,
): readonly (CodeLine | LabelledLine)[] {
  const id = (what: string) => `${run} ${log} ${what}`;
  const of = { by: annotators, at: new Date(0).toISOString(), run, task: log };
  const quote = (steps[step]?.text ?? "").trim().split("\n")[0]!.slice(0, 200);
  const place = { section: "steps", request: step, step, block: `step ${step} reply`, ...(quote !== "" && { quote }) };
  return [
    { type: "code", id: id("agent"), ...of, kind: "mistake_agent", remark: agent },
    {
      type: "code",
      id: id("step"),
      ...of,
      kind: "mistake_step",
      place,
      ...(reason !== "" && { remark: reason.slice(0, 2_000) }),
    },
    { type: "labelled", id: id("labelled"), ...of },
  ];
}
