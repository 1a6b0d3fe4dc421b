/** A dialogue: the planner on the left, the responder on the right, each round starting on the same line. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { type Trajectory, roleName } from "../../engine/log/trajectory.ts";
import type { Block } from "../trajectory/block.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { roleStyle } from "../trajectory/sections/turn-head.ts";
import { blocksByEntry, failureBlocks } from "../trajectory/sections/step-blocks.ts";
import type { View } from "../trajectory/view.ts";
import { type KnownRows, rowBeside } from "./lanes.ts";

type Round = { readonly planner: Block[]; readonly responder: Block[] };

/** `view` is that of one of the two columns. */
export function roundBlocks(trajectory: Trajectory, view: View): readonly Block[] {
  const kept = view.texts.kept(newRounds);
  return roundsOf(trajectory, view).map(({ planner, responder }, index): Block => {
    const rows = Math.max(linesOf(planner), linesOf(responder));
    const known = (kept[index] ??= []);
    const row = (at: number) => [planner, responder].map((side) => visibleLines(side, at, 1)[0]);
    const title: Line = [{ text: `  Round ${index + 1}`, style: "title" }];
    return {
      id: `round ${index}`,
      count: rows + 1,
      line: (at) => (at === 0 ? title : rowBeside(row(at - 1), view.columns, view.symbols.bar, known, at)),
    };
  });
}

/** The rows of each round, as they were drawn last. Kept as long as the texts they were drawn with. */
const newRounds = (): KnownRows[] => [];

/** Who speaks in which column. */
export function sidesHead(view: View): Line {
  const names = (["model", "responder"] as const).map((role): Line => [
    { text: `  ${roleName(role)}`, style: roleStyle(role) },
  ]);
  return rowBeside(names, view.columns, view.symbols.bar);
}

/** A round starts with every request to the planner that follows one to the responder. */
function roundsOf(trajectory: Trajectory, view: View): Round[] {
  const rounds: Round[] = [{ planner: [], responder: [] }];
  let answered = false;
  for (const [index, blocks] of blocksByEntry(trajectory, view).entries()) {
    const entry = trajectory.entries[index]!;
    // The answer recorded after each round repeats what both sides said.
    if (entry.kind === "answer") continue;
    const byResponder = entry.kind === "turn" && entry.role === "responder";
    if (entry.kind === "turn" && !byResponder && answered) {
      rounds.push({ planner: [], responder: [] });
      answered = false;
    }
    answered ||= byResponder;
    const side = rounds.at(-1)![byResponder ? "responder" : "planner"];
    // No blank line at the top.
    side.push(...(side.length === 0 ? blocks.filter(({ id }) => !id.endsWith(" gap")) : blocks));
  }
  rounds.at(-1)!.planner.push(...failureBlocks(trajectory, view));
  return rounds;
}
