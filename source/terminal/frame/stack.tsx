import { Box } from "ink";
import { memo, useMemo, useSyncExternalStore, type ReactNode } from "react";
import { BesideScreen } from "../compare/beside-screen.tsx";
import { CompareScreen } from "../compare/compare-screen.tsx";
import { FigureScreen } from "../figures/figure-screen.tsx";
import { ForkScreen } from "../fork/fork-screen.tsx";
import { FormScreen } from "../form/form-screen.tsx";
import { HelpScreen } from "../help/help-screen.tsx";
import { TextScreen } from "../help/long-text.tsx";
import { NotebookScreen } from "../notebook/notebook-screen.tsx";
import { PromptScreen } from "../prompt/prompt-screen.tsx";
import { TasksScreen } from "../tasks/tasks-screen.tsx";
import { LabellingScreen } from "../codes/labelling.tsx";
import { TrajectoryScreen } from "../trajectory/trajectory-screen.tsx";
import { LiveScreen } from "../live/live-screen.tsx";
import type { Edges } from "../../look/spacing.ts";
import { TerminalContext, useTerminal } from "../terminal.ts";
import type { OpenScreen } from "./navigation.ts";
import { PaneFrame, usePaneTitle } from "./pane-frame.tsx";
import { digitsJump, isDivided, maySeeNext, panesOf } from "./panes.ts";
import type { Screen, ScreenProps } from "./screen.ts";

type Props = { readonly width: number; readonly height: number; readonly edges: Edges };

/**
 * All screens of the stack. The top screen is visible, in a wide window together with the screens that it opens; the others keep
 * their state.
 */
export function Stack({ width, height, edges }: Props): ReactNode {
  const terminal = useTerminal();
  const { navigation, isSpoken = false } = terminal;
  const quieter = useMemo(() => ({ ...terminal, theme: terminal.theme.dimmed }), [terminal]);
  const { all, open } = useSyncExternalStore(navigation.subscribe, navigation.places, navigation.places);
  const top = open - 1;
  const kinds = all.map(({ screen }) => screen.kind);
  const whole = { left: 0, top: 0, columns: width, rows: height };
  const hasSeveral = !isSpoken && isDivided(kinds[top]!, width);
  const areas = hasSeveral ? panesOf(kinds, top, whole, edges, all[top]!.columns) : new Map([[top, whole]]);
  const hasDigits = areas.size > 1 && digitsJump(kinds[top]!);
  return all.map((place, index) => {
    const area = areas.get(index);
    const { left, top: row, columns, rows } = area ?? whole;
    const mayLead = hasSeveral && maySeeNext(kinds, top, index);
    const [inner, high] = [Math.max(1, columns - edges.columns), Math.max(1, rows - edges.rows)];
    return (
      <TerminalContext key={place.id} value={index === top ? terminal : quieter}>
        {area && (
          <Framed
            screen={place.screen}
            area={area}
            edges={edges}
            focused={index === top}
            digit={hasDigits ? index - top + 1 : undefined}
          />
        )}
        <Box
          display={area === undefined ? "none" : "flex"}
          position="absolute"
          marginLeft={left + edges.columns / 2}
          marginTop={row + 1}
          flexDirection="column"
          width={inner}
          height={high}
          overflow="hidden"
        >
          <View
            place={place}
            active={area !== undefined}
            focused={index === top}
            width={inner}
            height={high}
            opened={index < top ? all[index + 1]!.screen : undefined}
            mayLead={mayLead}
          />
        </Box>
      </TerminalContext>
    );
  });
}

function Framed({
  screen,
  ...rest
}: Omit<Parameters<typeof PaneFrame>[0], "title" | "flag" | "badge"> & { readonly screen: Screen }) {
  return <PaneFrame {...usePaneTitle(screen)} {...rest} />;
}

type ViewProps = Omit<ScreenProps<Screen["kind"]>, "screen" | "leadTo"> & {
  readonly place: OpenScreen;
  readonly mayLead: boolean;
};

/** The component of each kind of screen; a new kind without a component does not compile. */
const components: { readonly [Kind in Screen["kind"]]: (props: ScreenProps<Kind>) => ReactNode } = {
  notebook: NotebookScreen,
  figure: FigureScreen,
  form: FormScreen,
  compare: CompareScreen,
  beside: BesideScreen,
  help: HelpScreen,
  prompt: PromptScreen,
  text: TextScreen,
  tasks: TasksScreen,
  trajectory: TrajectoryScreen,
  labelling: LabellingScreen,
  fork: ForkScreen,
  live: LiveScreen,
};

/**
 * Renders a screen only if its props changed, because each key changes the screen that a cursor opens, which does not concern the
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
