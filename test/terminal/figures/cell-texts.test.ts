/** The page with the notes of a cell. */
import { expect, it } from "vitest";
import { notesText } from "../../../source/terminal/figures/cell-texts.ts";
import { runState } from "../double-workbench.ts";

it("the notes of a run cell name the runs that they concern, unless they concern all of them", () => {
  const warned = (label: string, ...warnings: string[]) =>
    runState({ run: label, label, warnings, readsAnswerKey: false });
  const runs = [
    warned("direct", "Sample tasks", "6 of 6 replies cut"),
    warned("cot", "Sample tasks", "2 of 8 replies cut"),
    warned("react", "Sample tasks", "6 of 6 replies cut"),
  ];
  expect(notesText({ kind: "run", problems: [], runs })).toBe(
    "- Sample tasks\n- direct; react: 6 of 6 replies cut\n- cot: 2 of 8 replies cut",
  );
  expect(notesText({ kind: "run", problems: [], runs: runs.slice(0, 1) })).toBe("- Sample tasks\n- 6 of 6 replies cut");
  expect(notesText({ kind: "run", problems: [], runs: [runState({ warnings: [], readsAnswerKey: false })] })).toBe("");
});
