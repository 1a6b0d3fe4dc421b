/** A request as it is sent: its messages, and beside them the templates from which they are made. */
import { useMemo, useState, type ReactNode } from "react";
import type { ScreenProps } from "../frame/screen.ts";
import { columnsOfParts, LongText } from "../help/long-text.tsx";
import { useTerminal, useTheme } from "../terminal.ts";
import { noTemplate } from "./own-template.ts";
import { sentLines, templateLines } from "./prompt-lines.ts";

/** Minimum number of columns in which templates are beside the request instead of above it. */
const besideFrom = 120;

const noTemplates: ScreenProps<"prompt">["screen"]["templates"] = [];

export function PromptScreen({ screen, ...rest }: ScreenProps<"prompt">): ReactNode {
  const { sent, edit } = screen;
  const { symbols } = useTheme();
  const { notices } = useTerminal();
  const [chosen, setChosen] = useState(0);
  const [isHidden, setHidden] = useState(screen.isHidden === true);
  const templates = isHidden ? noTemplates : screen.templates;
  // Its frame takes some of the window's columns.
  const isBeside = templates.length > 0 && rest.width >= besideFrom - 4;
  const columns = isBeside ? columnsOfParts(2, rest.width) : rest.width - 1;
  const { parts, begins } = useMemo(() => {
    const shown = templateLines(templates, chosen, columns, symbols);
    const messages = sentLines(sent, columns);
    if (templates.length === 0) return { parts: [messages], begins: [] };
    return { parts: isBeside ? [shown.lines, messages] : [[...shown.lines, [], ...messages]], begins: shown.begins };
  }, [sent, templates, chosen, columns, isBeside, symbols]);
  const prompt = {
    templates() {
      if (screen.templates.length === 0) notices.say(noTemplate(sent.stage));
      else setHidden(!isHidden);
    },
    ...(templates.length > 0 && {
      next() {
        const next = (chosen + 1) % templates.length;
        setChosen(next);
        return begins[next]!;
      },
      edit: () => edit?.(templates[chosen]!),
    }),
  };
  return <LongText parts={parts} prompt={edit === undefined ? undefined : prompt} {...rest} />;
}
