import { Box, renderToString } from "ink";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { fitLine } from "../../../source/engine/figures/drawing/line.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";
import { Rows } from "../../../source/terminal/drawing/rows.tsx";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { figures } from "../sample-figures.ts";
import { TerminalContext, type Terminal } from "../../../source/terminal/terminal.ts";
import { Keyboard } from "../../../source/terminal/input/keyboard.ts";
import { openNavigation } from "../../../source/terminal/frame/navigation.ts";
import { openNotices } from "../../../source/terminal/frame/notices.ts";
import { openDouble } from "../double-workbench.ts";

/** The values of the context, for a component drawn alone. */
function doubleTerminal(change: Partial<Terminal> = {}): Terminal {
  const notices = openNotices();
  return {
    workbench: openDouble(),
    navigation: openNavigation({ kind: "notebook" }),
    keyboard: new Keyboard(notices),
    notices,
    theme: openTheme({ colour: false, ascii: false }),
    quit: () => {},
    interrupt: () => {},
    leaveFor: () => {},
    write: () => {},
    redraw: () => {},
    suspend: () => {},
    editExternally: (text) => Promise.resolve(text),
    ...change,
  };
}

const escape = "\x1b";

/** A figure through Ink, as on the figure screen, with the cursor on its first value. */
function drawn(name: string, columns: number, options: { colour: boolean; ascii: boolean }): string {
  const figure = figures[name]!;
  const { head, body, foot } = drawFigure(figure, { width: columns, ascii: options.ascii, at: { row: 0, column: 1 } });
  const lines = [...head, ...body, ...foot].map((line) => fitLine(line, columns));
  const node: ReactNode = (
    <TerminalContext value={doubleTerminal({ theme: openTheme(options) })}>
      <Box flexDirection="column" width={columns}>
        <Rows lines={lines} columns={columns} height={lines.length} />
      </Box>
    </TerminalContext>
  );
  return renderToString(node, { columns });
}

const styling = new RegExp(`${escape}\\[[0-9;]*m`, "g");

/** Escape sequences made visible, so the saved text can be read and compared. */
const shown = (text: string) => text.replaceAll(escape, "␛");

describe("figures on the screen", () => {
  for (const name of Object.keys(figures)) {
    it(`${name} in colour equals its snapshot`, async () => {
      const text = drawn(name, 80, { colour: true, ascii: false });
      await expect(shown(text)).toMatchFileSnapshot(`../../screens/figure-${name}-80-colour.txt`);
    });
    for (const columns of [60, 80, 120, 200]) {
      it(`${name} without colour has the same text at ${columns} columns`, () => {
        const text = drawn(name, columns, { colour: false, ascii: false });
        expect(text).not.toContain(escape);
        const colour = drawn(name, columns, { colour: true, ascii: false });
        expect(colour).toContain(`${escape}[`);
        expect(
          colour
            .replaceAll(styling, "")
            .split("\n")
            .map((line) => line.trimEnd()),
        ).toEqual(text.split("\n").map((line) => line.trimEnd()));
      });
    }
    it(`${name} in ASCII has only ASCII characters`, () => {
      expect(drawn(name, 80, { colour: false, ascii: true })).toMatch(/^[\n\x20-\x7e]*$/);
      expect(figureText(figures[name]!, { width: 80, ascii: true })).toMatch(/^[\n\x20-\x7e]*$/);
    });
  }
});
