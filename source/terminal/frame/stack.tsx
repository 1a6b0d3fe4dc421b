import { Box } from "ink";
import { memo, useSyncExternalStore, type ReactNode } from "react";
import { BesideScreen } from "../compare/beside-screen.tsx";
import { CompareScreen } from "../compare/compare-screen.tsx";
import { FigureScreen } from "../figures/figure-screen.tsx";
import { ForkScreen } from "../fork/fork-screen.tsx";
import { FormScreen } from "../form/form-screen.tsx";
import { HelpScreen, TextScreen } from "../help/long-text.tsx";
import { NotebookScreen } from "../notebook/notebook-screen.tsx";
import { TasksScreen } from "../tasks/tasks-screen.tsx";
import { LabellingScreen } from "../codes/labelling.tsx";
import { TrajectoryScreen } from "../trajectory/trajectory-screen.tsx";
import { LiveScreen } from "../live/live-screen.tsx";
import { styled } from "../../engine/figures/drawing/line.ts";
import { Rows, TextRow } from "../drawing/rows.tsx";
import { useTerminal } from "../terminal.ts";
import type { Symbols } from "../../look/signs.ts";
import type { OpenScreen } from "./navigation.ts";
import { type Area, isWide, maySeeNext, panesOf } from "./panes.ts";
import type { Screen, ScreenProps } from "./screen.ts";

type Props = { readonly width: number; readonly height: number };

/**
 * All screens of the stack. The top one is visible, in a wide window together with what it leads to; the others keep
 * their state.
 */
export function Stack({ width, height }: Props): ReactNode {
  const { navigation, theme, isSpoken = false } = useTerminal();
  const { all, open } = useSyncExternalStore(navigation.subscribe, navigation.places, navigation.places);
  const top = open - 1;
  const kinds = all.map(({ screen }) => screen.kind);
  const whole = { left: 0, top: 0, columns: width, rows: height };
  const isDivided = !isSpoken && isWide(width);
  const areas = isDivided ? panesOf(kinds, top, whole, all[top]!.columns) : new Map([[top, whole]]);
  const places = all.map((place, index) => {
    const { left, top: row, columns, rows } = areas.get(index) ?? whole;
    const mayLead = isDivided && maySeeNext(kinds, top, index);
    return (
      <Box
        key={place.id}
        display={areas.has(index) ? "flex" : "none"}
        position="absolute"
        marginLeft={left}
        marginTop={row}
        flexDirection="column"
        width={columns}
        height={rows}
        overflow="hidden"
      >
        <View
          place={place}
          active={areas.has(index)}
          focused={index === top}
          width={columns}
          height={rows}
          opened={index < top ? all[index + 1]!.screen : undefined}
          mayLead={mayLead}
        />
      </Box>
    );
  });
  return (
    <>
      {places}
      {dividers(areas, top, height, theme.symbols)}
    </>
  );
}

/** Lines between screens shown beside each other; the line left of the focused screen has a pointer. */
function dividers(areas: ReadonlyMap<number, Area>, focused: number, height: number, symbols: Symbols): ReactNode {
  const right = [...areas].find(([, { left }]) => left > 0);
  const lower = [...areas.values()].find(({ top }) => top > 0);
  if (right === undefined) return null;
  const isPointing = right[0] === focused;
  const bar = styled(isPointing ? "accent" : "rule", symbols.bar);
  const bars = Array.from({ length: height }, (_, row) =>
    row === 0 && isPointing ? styled("accent", symbols.pointer) : bar,
  );
  return (
    <>
      <Box position="absolute" marginLeft={right[1].left - 2}>
        <Rows lines={bars} columns={1} height={height} />
      </Box>
      {lower && (
        <Box position="absolute" marginLeft={lower.left} marginTop={lower.top - 1}>
          <TextRow line={styled("rule", symbols.rule.repeat(lower.columns))} columns={lower.columns} />
        </Box>
      )}
    </>
  );
}

type ViewProps = Omit<ScreenProps<Screen["kind"]>, "screen" | "leadTo"> & {
  readonly place: OpenScreen;
  readonly mayLead: boolean;
};

/** The component of each kind of screen; a new kind does not compile without one. */
const components: { readonly [Kind in Screen["kind"]]: (props: ScreenProps<Kind>) => ReactNode } = {
  notebook: NotebookScreen,
  figure: FigureScreen,
  form: FormScreen,
  compare: CompareScreen,
  beside: BesideScreen,
  help: HelpScreen,
  text: TextScreen,
  tasks: TasksScreen,
  trajectory: TrajectoryScreen,
  labelling: LabellingScreen,
  fork: ForkScreen,
  live: LiveScreen,
};

/**
 * Renders a screen only if its props changed: each key changes what a cursor leads to, which does not concern the
 * screens below.
 */
const View = memo(function View({ place: { id, screen }, mayLead, ...others }: ViewProps): ReactNode {
  const { navigation } = useTerminal();
  const Shown = components[screen.kind] as (props: ScreenProps<Screen["kind"]>) => ReactNode;
  return (
    <Shown
      screen={screen}
      {...others}
      leadTo={(next, columns) => navigation.leadTo(id, mayLead ? next : undefined, columns)}
    />
  );
});
