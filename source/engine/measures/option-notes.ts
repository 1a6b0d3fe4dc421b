/** What figures say about options that make their runs another experiment than the paper's. */
import type { RunRows } from "../analysis.ts";
import type { Figure } from "../figure.ts";
import { optionsOfRun } from "./run-field.ts";

/** Each figure with the notes of the options its runs were made with; runs are named where it is not true of all. */
export function withOptionNotes(figures: readonly Figure[], runs: readonly RunRows[]): readonly Figure[] {
  const labels = Map.groupBy(runs.flatMap(notesOf), ({ note }) => note);
  const notes = [...labels].map(([note, of]) =>
    of.length === runs.length ? note : `${of.map(({ label }) => label).join(", ")}: ${note}`,
  );
  return notes.length === 0 ? figures : figures.map((figure) => ({ ...figure, notes: [...notes, ...figure.notes] }));
}

function notesOf(run: RunRows): readonly { readonly label: string; readonly note: string }[] {
  return optionsOfRun(run).flatMap(({ name, noted }) => {
    const note = noted?.[String(run.spec.options[name])];
    return note === undefined ? [] : [{ label: run.label, note }];
  });
}
