/** The frame of a pane: its title with the number that jumps to it, and in larger windows a border. */
import { Box } from "ink";
import { useCallback, useMemo, type ReactNode } from "react";
import { type Line, lineWidth, type Span } from "../../engine/figures/drawing/line.ts";
import { fitMiddle, printable } from "../../engine/text/printable.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { separator, type Symbols } from "../../look/signs.ts";
import { bordered, type Edges } from "../../look/spacing.ts";
import { Rows, TextRow } from "../drawing/rows.tsx";
import { useRead, useTerminal, useTheme } from "../terminal.ts";
import type { Area } from "./panes.ts";
import type { Screen } from "./screen.ts";

type Props = {
  readonly title: string;
  readonly area: Area;
  readonly edges: Edges;
  /** The digit that jumps to the pane; absent if digits have another function. */
  readonly digit?: number | undefined;
  readonly focused: boolean;
  /** Stands at the end of the title's row. */
  readonly flag?: string;
  /** Shown before the title if there is room. */
  readonly badge?: string;
};

/** The fewest columns with room for a badge. */
const badgeFrom = 60;

export function PaneFrame({ title, area, edges, digit, focused, flag = "", badge = "" }: Props): ReactNode {
  const { symbols } = useTerminal().theme;
  const { left, top, columns, rows } = area;
  const hasBorder = edges === bordered;
  const ends = columns < badgeFrom || badge === "" ? flag : flag === "" ? badge : `${badge}${separator}${flag}`;
  const { upper, side, lower } = useMemo(
    () => frameLines({ title, digit, focused, flag: ends, columns, rows, hasBorder }, symbols),
    [title, digit, focused, ends, columns, rows, hasBorder, symbols],
  );
  return (
    <>
      <Box position="absolute" marginLeft={left} marginTop={top}>
        <TextRow line={upper} columns={columns} />
      </Box>
      {hasBorder
        ? [left, left + columns - 1].map((at) => (
            <Box key={at} position="absolute" marginLeft={at} marginTop={top + 1}>
              <Rows lines={side} columns={1} height={rows - 2} />
            </Box>
          ))
        : null}
      {hasBorder ? (
        <Box position="absolute" marginLeft={left} marginTop={top + rows - 1}>
          <TextRow line={lower} columns={columns} />
        </Box>
      ) : null}
    </>
  );
}

type Frame = Pick<Props, "title" | "digit" | "focused"> & {
  readonly flag: string;
  readonly columns: number;
  readonly rows: number;
  readonly hasBorder: boolean;
};

function frameLines({ title, digit, focused, flag, columns, rows, hasBorder }: Frame, symbols: Symbols) {
  const style = focused ? "accent" : "rule";
  const { topLeft, topRight, bottomLeft, bottomRight, rule, bar } = symbols;
  const end: Span[] = flag === "" ? [] : [{ text: ` ${flag} `, style: "faint" }];
  const number = digit === undefined ? "" : `${digit} `;
  // A long title differs from others at its end.
  const name = fitMiddle(printable(title), Math.max(1, columns - lineWidth(end) - number.length - 5));
  const shown: Span[] = [
    { text: number, style },
    { text: name, style: focused ? "title" : "faint" },
  ];
  const rest = Math.max(0, columns - lineWidth(shown) - lineWidth(end) - (hasBorder ? 4 : 1));
  const upper: Line = hasBorder
    ? [
        { text: `${topLeft} `, style },
        ...shown,
        { text: ` ${rule.repeat(Math.max(0, rest - 1))}`, style },
        ...end,
        { text: `${rule}${topRight}`.slice(rest > 0 ? 0 : 1), style },
      ]
    : [{ text: " " }, ...shown, { text: " ".repeat(rest) }, ...end];
  const lower: Line = [{ text: `${bottomLeft}${rule.repeat(Math.max(0, columns - 2))}${bottomRight}`, style }];
  const edge: Line = [{ text: bar, style }];
  return { upper, lower, side: Array.from({ length: Math.max(0, rows - 2) }, () => edge) };
}

/** Returns the title of a screen, and the texts at the end of its row. */
export function usePaneTitle(screen: Screen): Pick<Props, "title"> & { readonly flag: string; readonly badge: string } {
  const { unsaved } = useTheme().symbols;
  // A string, so that React renders again only if it differs, and not in every frame of a run.
  const read = useCallback(
    (workbench: Workbench) =>
      JSON.stringify([titleOf(screen, workbench), flagOf(screen, workbench, unsaved), badgeOf(screen, workbench)]),
    [screen, unsaved],
  );
  const [title, flag, badge] = JSON.parse(useRead(true, read)) as [string, string, string];
  return { title, flag, badge };
}

function flagOf(screen: Screen, workbench: Workbench, unsaved: string): string {
  if (screen.kind !== "notebook") return "";
  if (workbench.readOnly !== undefined) return "read-only";
  return workbench.dirty ? `${unsaved} unsaved` : "";
}

const badgeOf = (screen: Screen, workbench: Workbench): string =>
  screen.kind === "notebook" && readsAnswerKey(workbench) ? "reads the answer key" : "";

/** True if a model of any run reads the answer key. */
const readsAnswerKey = (workbench: Workbench): boolean =>
  workbench.cells().some(({ id, kind }) => {
    const state = kind === "run" ? workbench.state(id) : undefined;
    return state?.kind === "run" && state.runs.some((run) => run.readsAnswerKey);
  });

function titleOf(screen: Screen, workbench: Workbench): string {
  switch (screen.kind) {
    case "notebook":
      return `notebook  ${workbench.title}`;
    case "figure":
      return `figure  ${nameOf(screen.cell, workbench)}`;
    case "form":
      return screen.cell === undefined ? "set up  new experiment" : `set up  ${nameOf(screen.cell, workbench)}`;
    case "live":
      return `live  ${nameOf(screen.cell, workbench)}`;
    case "tasks":
      return `tasks  ${screen.title}`;
    case "trajectory":
      return "task";
    case "labelling":
      return "label blind";
    case "fork":
      return "fork";
    case "compare":
      return "two runs, task by task";
    case "beside":
      return `task in ${screen.runs.length === 2 ? "two" : screen.runs.length} runs  ${screen.task}`;
    case "text":
      return screen.title;
    case "prompt":
      return `prompt  ${screen.task}`;
    case "help":
      return "keys";
    default:
      screen satisfies never;
      return "";
  }
}

/** Returns the kind and name of a cell, as its head shows them. */
function nameOf(id: string, workbench: Workbench): string {
  const cell = workbench.cells().find((each) => each.id === id);
  return cell === undefined ? "" : `${cell.kind} ${cell.name}`;
}
