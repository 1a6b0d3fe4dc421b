import { describe, expect, it } from "vitest";
import { openDouble, runState, running } from "./double-workbench.ts";
import { ctrl, down, enter, openScreen } from "./open-screen.tsx";

/** The keys to each screen from the notebook. */
const ways: Readonly<Record<string, readonly string[]>> = {
  notebook: ["j"],
  figure: ["G", enter, "l"],
  table: ["G", enter, "\t", "l", "j"],
  lines: ["G", enter, "\t", "\t", "\t", "l"],
  form: ["j", "e"],
  choices: ["j", "e", down, enter],
  palette: [ctrl("p")],
  help: ["?"],
  editor: ["j", enter],
};
const sizes = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

/** The sizes at which screens that list all settings are saved: a new setting changes each of them. */
const keptAt: Readonly<Record<string, readonly string[]>> = { form: ["60x20", "120x40"], choices: ["80x24", "200x60"] };
const isKept = (name: string, size: string) => keptAt[name]?.includes(size) ?? true;

async function drawn(name: string, options: { columns: number; rows: number; colour?: boolean; ascii?: boolean }) {
  const workbench = openDouble();
  workbench.setRuns("c2", [
    runState({ ...running, status: "paused" }),
    runState({
      run: "run-2",
      label: "flat",
      status: "failed",
      message: "The server at local said: \x1b[31mout of memory",
    }),
  ]);
  const screen = await openScreen({ ...options, workbench });
  await screen.press(...ways[name]!);
  if (name === "form" || name === "choices") await screen.pass(200);
  await screen.still();
  // Every new key makes help longer, every new setting the form.
  const text = screen
    .text()
    .replace(/(lines 1 to \d+ of) (?:\d{3}|\d\d ?)/, "$1 all")
    .replace(/(field \d+ of) \d\d/, "$1 ##");
  const { written } = screen.stdout;
  await screen.close();
  return { text, written };
}

describe("screens of the program", () => {
  for (const name of Object.keys(ways)) {
    for (const [columns, rows] of sizes) {
      it(`${name} fits, and equals its snapshot, at ${columns}x${rows}`, async () => {
        const { text, written } = await drawn(name, { columns, rows });
        expect(written).not.toContain("\x1b[1m");
        const lines = text.split("\n");
        expect(lines).toHaveLength(rows);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
        const size = `${columns}x${rows}`;
        if (isKept(name, size)) await expect(text).toMatchFileSnapshot(`../screens/${name}-${size}.txt`);
      });
    }
    it(`${name} has the same text in colour`, async () => {
      const colour = await drawn(name, { columns: 80, rows: 24, colour: true });
      expect(colour.written).toContain("\x1b[1m");
      // Only the text cursor is drawn differently in colour.
      // Only the bars below the table are drawn differently, too.
      const bare = (text: string) =>
        text
          .split("Kinds of mistake")[0]!
          .replace(/( scale 0 to 100 %).*/, "$1")
          .replaceAll("▏", "")
          .replaceAll(/ +$/gm, "");
      const plain = await drawn(name, { columns: 80, rows: 24 });
      expect(bare(colour.text)).toBe(bare(plain.text));
    });
    it(`${name} in ASCII replaces each character by an ASCII character`, async () => {
      const { text } = await drawn(name, { columns: 80, rows: 24, ascii: true });
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      if (isKept(name, "80x24-ascii")) await expect(text).toMatchFileSnapshot(`../screens/${name}-80x24-ascii.txt`);
      else {
        const plain = await drawn(name, { columns: 80, rows: 24 });
        // Each other character becomes one ASCII character.
        expect([...plain.text].map((sign, at) => (sign > "~" ? text[at] : sign)).join("")).toBe(text);
      }
    });
  }
});
