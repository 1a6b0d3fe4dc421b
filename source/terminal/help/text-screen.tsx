import type { ReactNode } from "react";
import { printable } from "../../engine/text/printable.ts";
import { noteLines } from "../notebook/note-lines.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useTheme } from "../terminal.ts";
import { LongText } from "./reading.tsx";

export function TextScreen({ screen, ...rest }: ScreenProps<"text">): ReactNode {
  const { symbols } = useTheme();
  const lines = noteLines(screen.text, Math.min(100, rest.width - 4), symbols).map((line) => [{ text: "  " }, ...line]);
  return <LongText title={printable(screen.title)} parts={[lines]} {...rest} />;
}
