import { describe, expect, it } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { down, enter, openScreen } from "../open-screen.tsx";

const warnings = ["First, lab/m: at most 48 requests", "The second warning", "The third warning"];

describe("an open list in the form", () => {
  for (const [columns, rows] of [
    [60, 12],
    [60, 16],
    [80, 18],
    [80, 24],
  ] as const) {
    it(`is drawn completely in ${columns}x${rows}`, async () => {
      const workbench = openDouble();
      workbench.setForecast({ warnings });
      const screen = await openScreen({ columns, rows, workbench });
      await screen.press("j", "e", ...Array.from({ length: 6 }, () => down));
      await screen.pass(200);
      await screen.press(enter);
      await screen.still();
      const lines = screen.text().split("\n");
      await screen.close();
      expect(lines).toHaveLength(rows);
      const title = lines.findIndex((line) => line.includes("(type to filter)"));
      expect(lines[title - 1]).toBe("─".repeat(columns));
      expect(lines[title]).not.toContain("─");
      expect(lines.slice(2, title - 1).filter((line) => / ▸ Model +builtin\/slips/.test(line))).toHaveLength(1);
      expect(lines.slice(title + 1, title + 5).filter((line) => line.startsWith(" ▸ [x] builtin/slips"))).toHaveLength(
        1,
      );
      expect(lines.slice(title + 1).findIndex((line) => line === "─".repeat(columns))).toBeGreaterThan(2);
    });
  }
});
