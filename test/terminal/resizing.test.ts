/** Every screen in windows of other sizes, in immediate succession. */
import { describe, expect, it } from "vitest";
import { ctrl, openScreen } from "./open-screen.tsx";
import { places } from "./places.ts";

const sizes = [
  [240, 70],
  [40, 10],
  [150, 45],
  [20, 5],
] as const;

/** The screen without a time and the text after it, which is moved and cut with it. */
const still = (text: string) => text.replaceAll(/[⠀-⣿]/g, "").replaceAll(/\d+ (?:min|s)\b.*$/gm, "");

describe("a screen that is resized repeatedly", () => {
  for (const { scope, name, workbench, way } of places)
    it(`is drawn as before in the end, without leftovers: ${scope}, ${name}`, async () => {
      const screen = await openScreen({ workbench: workbench() });
      await screen.press(...way);
      // The cost of the experiment is computed a moment later.
      if (scope === "form") await screen.pass(200);
      const before = still(screen.text());
      for (const [columns, rows] of sizes) {
        screen.stdout.resize(columns, rows);
        await screen.still();
        const drawn = still(screen.text());
        // A question treats every other key as no.
        if (scope !== "question") await screen.press(ctrl("l"));
        expect(still(screen.text())).toBe(drawn);
      }
      for (const [columns, rows] of sizes) screen.stdout.resize(columns, rows);
      screen.stdout.resize(80, 24);
      await screen.still();
      expect(still(screen.text())).toBe(before);
      expect(screen.left()).toBe(false);
      await screen.close();
    });
});
