/** A dialogue with the planner on the left and the responder on the right; each round starts on one line. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { roleName } from "../../engine/log/run-words.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { Block } from "../trajectory/block.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { roleStyle } from "../trajectory/sections/turn-head.ts";
import { blocksByEntry, failureBlocks } from "../trajectory/sections/step-blocks.ts";
import type { View } from "../trajectory/view.ts";
import { type KnownRows, rowBeside } from "./lanes.ts";

type Round = { readonly planner: Block[]; readonly responder: Block[] };

/** `view` describes one of the two columns. */
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

/** The last drawn rows of each round, kept with the texts they were drawn from. */
const newRounds = (): KnownRows[] => [];

/** Returns the roles as the head of their columns. */
export function sidesHead(view: View): Line {
  const names = (["model", "responder"] as const).map((role): Line => [
    { text: `  ${roleName(role, view.words)}`, style: roleStyle(role) },
  ]);
  return rowBeside(names, view.columns, view.symbols.bar);
}

/** Splits a trajectory into rounds; each request to the planner after one to the responder begins one. */
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
    // The first block needs no blank line above.
    side.push(...(side.length === 0 ? blocks.filter(({ id }) => !id.endsWith(" gap")) : blocks));
  }
  rounds.at(-1)!.planner.push(...failureBlocks(trajectory, view));
  return rounds;
}
