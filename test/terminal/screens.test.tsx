import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openDouble, runState, running } from "./double-workbench.ts";
import { ctrl, down, enter, openScreen } from "./open-screen.tsx";

/** The ways to each screen from the notebook. */
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
  // Every new key makes help longer.
  const text = screen.text().replace(/(lines 1 to \d+ of) \d+/, "$1 all");
  const { written } = screen.stdout;
  await screen.close();
  return { text, written };
}

describe("screens", () => {
  for (const name of Object.keys(ways)) {
    for (const [columns, rows] of sizes) {
      it(`${name} at ${columns}x${rows}`, async () => {
        const { text, written } = await drawn(name, { columns, rows });
        expect(written).not.toContain("\x1b[1m");
        await expect(text).toMatchFileSnapshot(`../screens/${name}-${columns}x${rows}.txt`);
      });
    }
    it(`${name} says the same in colour`, async () => {
      const colour = await drawn(name, { columns: 80, rows: 24, colour: true });
      expect(colour.written).toContain("\x1b[1m");
      // The text cursor alone is drawn otherwise where there is colour.
      const bare = (text: string) => text.replaceAll("▏", "").replaceAll(/ +$/gm, "");
      const plain = readFileSync(new URL(`../screens/${name}-80x24.txt`, import.meta.url), "utf8");
      expect(bare(colour.text)).toBe(bare(plain));
    });
    it(`${name} in ASCII`, async () => {
      const { text } = await drawn(name, { columns: 80, rows: 24, ascii: true });
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      await expect(text).toMatchFileSnapshot(`../screens/${name}-80x24-ascii.txt`);
    });
  }
});
