/** Notes on the runs of every figure: options that differ from the paper's, and manual corrections. */
import { variedKind, variedTitles } from "../settings/varied.ts";
import type { RunRows } from "../analysis.ts";
import type { Figure } from "../figure.ts";
import { counted } from "../text/counted.ts";
import type { Row } from "../types.ts";
import { filtered } from "../work/growing-list.ts";
import { besideTexts } from "./beside.ts";
import { optionsOfRun } from "./run-field.ts";
import { unfinishedNote } from "./unfinished.ts";

/** Adds the notes of the runs to each figure; names the runs if a note does not apply to all. */
export function withRunNotes(figures: readonly Figure[], runs: readonly RunRows[]): readonly Figure[] {
  const own = runs.map((run) => notesOf(run).map((note) => ({ label: run.label, note })));
  const labels = Map.groupBy(own.flat(), ({ note }) => note);
  const notes = [...labels].map(([note, of]) =>
    of.length === runs.length ? note : `${of.map(({ label }) => label).join("; ")}: ${note}`,
  );
  return notes.length === 0 ? figures : figures.map((figure) => ({ ...figure, notes: [...notes, ...figure.notes] }));
}

const isCorrected = ({ score }: Row): boolean =>
  score?.override !== undefined || (score?.metrics["errors.overridden"] ?? 0) > 0;

function notesOf(run: RunRows): readonly string[] {
  const { suite, spec, rows, notes = [] } = run;
  const ofOptions = optionsOfRun(run).flatMap(({ name, title, noted, paper }) => {
    const value = spec.options[name];
    if (value === undefined) return [];
    const note = noted?.[String(value)];
    const like = value === paper?.value ? "as in the paper" : `in the paper: ${paper?.title}`;
    const ofPaper = paper === undefined ? [] : [`${title}: ${value === paper.value ? paper.title : value} (${like})`];
    return note === undefined ? ofPaper : [note, ...ofPaper];
  });
  const own = Object.keys({ ...spec.prompts, ...spec.judgePrompts });
  const unfinished = unfinishedNote(run);
  const beside = besideTexts(suite, rows);
  const { length: corrected } = filtered(isCorrected, rows);
  return [
    ...notes,
    ...(unfinished === undefined ? [] : [unfinished]),
    ...(own.length === 0 ? [] : [`${own.length === 1 ? "prompt replaced" : "prompts replaced"}: ${own.join(", ")}`]),
    ...(spec.vary === undefined ? [] : [`varied: ${variedTitles[variedKind(spec.vary)!]}`]),
    ...ofOptions,
    ...(beside === undefined ? [] : [beside.join(", ")]),
    ...(corrected === 0
      ? []
      : [`${corrected} of ${counted(rows.length, "task")} ${corrected === 1 ? "was" : "were"} corrected by a person`]),
  ];
}
