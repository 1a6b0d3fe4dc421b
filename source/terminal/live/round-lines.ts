/** A dialogue: the planner on the left, the responder on the right, each round starting on the same line. */
import { type Line } from "../../engine/figures/drawing/line.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { Block } from "../trajectory/block.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { roleName, roleStyle } from "../trajectory/role.ts";
import { blocksByEntry, failureBlocks } from "../trajectory/step-blocks.ts";
import type { View } from "../trajectory/view.ts";
import { sideBySide } from "./lane-lines.ts";
import type { LaneText, LaneTops } from "./lane-tops.ts";

type Round = { readonly planner: Block[]; readonly responder: Block[] };

/** `view` is that of one of the two columns. Exactly `height` lines: the end of the dialogue. */
export function roundLines(
  task: Omit<LaneText, "blocks">,
  trajectory: Trajectory,
  view: View,
  height: number,
  tops: LaneTops,
): Line[] {
  const blocks = roundsOf(trajectory, view).map(({ planner, responder }, index): Block => {
    const rows = Math.max(linesOf(planner), linesOf(responder));
    const row = (at: number) => [planner, responder].map((side) => visibleLines(side, at, 1));
    const title: Line = [{ text: `  Round ${index + 1}`, style: "title" }];
    return {
      id: `round ${index}`,
      count: rows + 1,
      line: (at) => (at === 0 ? title : sideBySide(row(at - 1), view.columns, 1, view.symbols.bar)[0]!),
    };
  });
  const names = [
    [[{ text: `  ${roleName("model")}`, style: roleStyle("model") }]],
    [[{ text: `  ${roleName("responder")}`, style: roleStyle("responder") }]],
  ] as const;
  const head = sideBySide(names, view.columns, 1, view.symbols.bar);
  const room = height - head.length;
  const tail = visibleLines(blocks, tops.of([{ ...task, blocks }], room)[0]!, room);
  return [...head, ...tail, ...Array.from({ length: Math.max(0, room - tail.length) }, (): Line => [])];
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
