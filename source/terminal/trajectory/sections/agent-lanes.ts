/** Shows the agents of a recording side by side: texts and calls of each agent in a separate lane, in the order of time. */
import type { Line } from "../../../engine/figures/drawing/line.ts";
import { type Entry, speakerOf } from "../../../engine/log/trajectory.ts";
import { printable } from "../../../engine/text/printable.ts";
import { joinedLine } from "../../drawing/abreast.ts";
import { type Block, blockOf, gap } from "../block.ts";
import type { View } from "../view.ts";

/** Minimum number of columns of a lane, and maximum number of lanes. */
const leastColumns = 44;
const mostLanes = 4;

/** The columns between two lanes, with the bar in their middle. */
const between = 3;

export type AgentLanes = {
  readonly names: readonly string[];
  /** The width of each lane. */
  readonly columns: number;
  /** Returns the lane of the entry at this index; undefined for an entry that belongs to no agent. */
  of(index: number): number | undefined;
};

/** Returns the lanes of a recording with several agents; undefined for any other trajectory, and if there is no room. */
export function agentLanes(entries: readonly Entry[], { lanes, columns, wrapped, raw }: View): AgentLanes | undefined {
  if (lanes !== true || !wrapped || raw === true) return undefined;
  if (!entries.some((entry) => entry.kind === "turn" && entry.agent !== undefined)) return undefined;
  const names: string[] = [];
  let last: number | undefined;
  const places = entries.map((entry) => {
    if (entry.kind === "turn") {
      const speaker = speakerOf(entry);
      if (!names.includes(speaker)) names.push(speaker);
      last = names.indexOf(speaker);
    }
    return entry.kind === "turn" || entry.kind === "result" ? last : undefined;
  });
  const own = Math.floor((columns - between * (names.length - 1)) / names.length);
  if (names.length < 2 || names.length > mostLanes || own < leastColumns) return undefined;
  return { names, columns: own, of: (index) => places[index] };
}

/** Returns a view of the entry's lane, or of the whole width if it has none. */
export function laneView(lanes: AgentLanes | undefined, index: number, view: View): View {
  return lanes?.of(index) === undefined ? view : { ...view, columns: lanes.columns };
}

/** Puts blocks that were drawn for the lane of an entry into it. */
export function inLane(
  lanes: AgentLanes | undefined,
  index: number,
  blocks: readonly Block[],
  view: View,
): readonly Block[] {
  const lane = lanes?.of(index);
  if (lanes === undefined || lane === undefined) return blocks;
  return blocks.map((block) => ({ ...block, line: (at: number) => abreast(lanes, lane, block.line(at), view) }));
}

/** Returns the lanes' names, which are shown above them. */
export function laneHeads(lanes: AgentLanes | undefined, view: View): readonly Block[] {
  if (lanes === undefined) return [];
  const names = lanes.names.map((name): Line => [{ text: `  ${printable(name)}`, style: "strong" }]);
  return [blockOf("lanes", [joined(lanes, names, view)]), gap("lanes gap")];
}

const abreast = (lanes: AgentLanes, lane: number, line: Line, view: View): Line =>
  joined(
    lanes,
    lanes.names.map((_, index) => (index === lane ? line : [])),
    view,
  );

const joined = ({ columns }: AgentLanes, lines: readonly Line[], { symbols }: View): Line =>
  joinedLine(lines, () => columns, { text: ` ${symbols.bar} `, style: "rule" });
