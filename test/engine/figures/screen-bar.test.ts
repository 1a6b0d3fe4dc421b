import { describe, expect, it } from "vitest";
import type { BarsFigure } from "../../../source/engine/figure.ts";
import { screenBar } from "../../../source/engine/figures/drawing/screen-bar.ts";

const room = 10;
const bar = (value: number, low?: number, high?: number): BarsFigure["bars"][number] => ({
  label: "a",
  cell: { text: String(value), value },
  low,
  high,
});
const place = { column: (amount: number) => amount * room, room, ascii: false, fill: 0 };
const coloured = (...of: Parameters<typeof bar>) => screenBar(bar(...of), { ...place, screen: "colour" });
const plain = (...of: Parameters<typeof bar>) =>
  screenBar(bar(...of), { ...place, screen: "plain" })
    .map(({ text }) => text)
    .join("");

describe("a bar in colour", () => {
  it("is filled to the eighth of a column", () => {
    expect(coloured(0.5)).toEqual([{ text: "█████", style: "accent" }]);
    expect(coloured(0.5125).map(({ text }) => text)).toEqual(["█████", "▏"]);
    expect(coloured(0.55).map(({ text }) => text)).toEqual(["█████", "▌"]);
    expect(coloured(0.5875).map(({ text }) => text)).toEqual(["█████", "▉"]);
    // Nearer to the next column than to its last eighth.
    expect(coloured(0.5995).map(({ text }) => text)).toEqual(["██████"]);
    expect(coloured(0)).toEqual([]);
    expect(coloured(1.2).map(({ text }) => text)).toEqual(["██████████"]);
  });

  it("shows its interval in the background's colour on the bar, and in the bar's colour beyond it", () => {
    expect(coloured(0.55, 0.2, 0.8)).toEqual([
      { text: "██", style: "accent" },
      { text: "├──", style: "accent", reversed: true },
      { text: "▌", style: "accent" },
      { text: "─┤", style: "accent" },
    ]);
    expect(coloured(0, 0, 0.3).map(({ text }) => text)).toEqual(["──┤"]);
    expect(coloured(1, 0.8, 1).map(({ text }) => text)).toEqual(["████████", "├─"]);
  });

  it("has the colour of papers if a paper reports its value, and is empty without a value", () => {
    const reported = { label: "b", cell: { text: "50", value: 0.5, reported: true } };
    expect(screenBar(reported, { ...place, screen: "colour" })).toEqual([{ text: "█████", style: "reported" }]);
    expect(screenBar({ label: "c", cell: { text: "-" } }, { ...place, screen: "colour" })).toEqual([]);
  });
});

describe("a bar without colours", () => {
  it("ends with a sign at its value, and shows the upper half of the interval after the sign", () => {
    expect(plain(0.5, 0.2, 0.8)).toBe("████┃──┤");
    expect(plain(0.5)).toBe("█████");
    expect(plain(0.5, 0.2, 0.5)).toBe("█████");
    expect(plain(0, 0, 0.3)).toBe("──┤");
  });

  it("has one sign per column in ASCII", () => {
    const spans = screenBar(bar(0.5, 0.2, 0.8), { ...place, ascii: true, screen: "plain" });
    expect(spans.map(({ text }) => text).join("")).toBe("####|--|");
    const coloured = (value: number) =>
      screenBar(bar(value, 0.2, 0.8), { ...place, ascii: true, screen: "colour" }).map(({ text }) => text);
    expect(coloured(0.525)).toEqual(["##", "|--", "--|"]);
    expect(coloured(0.55)).toEqual(["##", "|--", "=", "-|"]);
  });
});

describe("a bar that shares its colour with another run", () => {
  const filled = (fill: number, screen: "colour" | "plain") =>
    screenBar(bar(0.55, 0.2, 0.8), { ...place, fill, screen }).map(({ text }) => text);

  it("has another fill pattern, and omits the lower half of its interval", () => {
    expect(filled(1, "colour")).toEqual(["▓▓▓▓▓▓", "─┤"]);
    expect(filled(2, "colour")).toEqual(["▒▒▒▒▒▒", "─┤"]);
    expect(filled(4, "colour")).toEqual(filled(0, "colour"));
  });

  it("has another fill pattern on a screen without colours, too", () => {
    expect([filled(0, "plain"), filled(1, "plain"), filled(3, "plain")].flat()).toEqual([
      "█████┃─┤",
      "▓▓▓▓▓┃─┤",
      "░░░░░┃─┤",
    ]);
  });
});
