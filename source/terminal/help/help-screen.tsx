import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, width as textWidth } from "../../engine/text/printable.ts";
import type { Scope } from "../input/binding.ts";
import { keyGroups, keyName } from "../input/keys.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { LongText } from "./reading.tsx";

/** All keys of all screens, from the key table. */
export function HelpScreen({ screen, active, width, height }: ScreenProps<"help">): ReactNode {
  return <LongText title="Keys" lines={helpLines(screen.scope)} active={active} width={width} height={height} />;
}

function helpLines(first?: Scope): Line[] {
  return keyGroups(first).flatMap(({ title, bindings }): Line[] => {
    const rows = bindings.map(({ keys, title: what }) => ({
      keys: keys.length === 0 ? "commands" : keys.map(keyName).join("  "),
      what,
    }));
    const side = Math.min(28, Math.max(...rows.map(({ keys }) => textWidth(keys))));
    return [
      [],
      [{ text: `  ${title}`, style: "title" }],
      ...rows.map(({ keys, what }): Line => [{ text: `    ${pad(keys, side)}`, style: "code" }, { text: `  ${what}` }]),
    ];
  });
}
