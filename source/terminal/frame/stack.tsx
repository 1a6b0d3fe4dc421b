import { Box } from "ink";
import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { BesideScreen } from "../compare/beside-screen.tsx";
import { CompareScreen } from "../compare/compare-screen.tsx";
import { FigureScreen } from "../figures/figure-screen.tsx";
import { ForkScreen } from "../fork/fork-screen.tsx";
import { FormScreen } from "../form/form-screen.tsx";
import { HelpScreen } from "../help/help-screen.tsx";
import { TextScreen } from "../help/text-screen.tsx";
import { NotebookScreen } from "../notebook/notebook-screen.tsx";
import { TasksScreen } from "../tasks/tasks-screen.tsx";
import { TrajectoryScreen } from "../trajectory/trajectory-screen.tsx";
import { LiveScreen } from "../live/live-screen.tsx";
import type { OpenScreen } from "./navigation.ts";
import { useNavigation } from "../terminal.ts";

type Props = { readonly width: number; readonly height: number };

/** All screens of the stack. The top one is visible; the others keep their state. */
export function Stack({ width, height }: Props): ReactNode {
  const navigation = useNavigation();
  const screens = useSyncExternalStore(navigation.subscribe, navigation.stack, navigation.stack);
  const top = screens.at(-1);
  return screens.map((place) => (
    <Box
      key={place.id}
      display={place === top ? "flex" : "none"}
      flexDirection="column"
      height={height}
      overflow="hidden"
    >
      <View place={place} active={place === top} width={width} height={height} />
    </Box>
  ));
}

type ViewProps = {
  readonly place: OpenScreen;
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
};

function View({ place: { screen }, ...rest }: ViewProps): ReactNode {
  switch (screen.kind) {
    case "notebook":
      return <NotebookScreen screen={screen} {...rest} />;
    case "figure":
      return <FigureScreen screen={screen} {...rest} />;
    case "form":
      return <FormScreen screen={screen} {...rest} />;
    case "compare":
      return <CompareScreen screen={screen} {...rest} />;
    case "beside":
      return <BesideScreen screen={screen} {...rest} />;
    case "help":
      return <HelpScreen screen={screen} {...rest} />;
    case "text":
      return <TextScreen screen={screen} {...rest} />;
    case "tasks":
      return <TasksScreen screen={screen} {...rest} />;
    case "trajectory":
      return <TrajectoryScreen screen={screen} {...rest} />;
    case "fork":
      return <ForkScreen screen={screen} {...rest} />;
    case "live":
      return <LiveScreen screen={screen} {...rest} />;
    default:
      screen satisfies never;
      return null;
  }
}
