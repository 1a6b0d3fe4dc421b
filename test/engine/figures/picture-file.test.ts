import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { BarsFigure, Figure, LinesFigure, TableFigure } from "../../../source/engine/figure.ts";
import { writeFigures } from "../../../source/engine/figures/export-files.ts";
import { lackingLetters, pictureFile } from "../../../source/engine/figures/picture-file.ts";
import { exportFigure } from "./exported-figure.ts";

const cell = (value: number) => ({ text: `${(value * 100).toFixed(2)} %`, value, n: 8 });
const bars: BarsFigure = {
  kind: "bars",
  title: "Tasks with each kind of mistake, of two runs that have long names",
  unit: "% of tasks",
  bars: ["Wrong parameter value", "Missing app"].flatMap((group) =>
    ["llama-3.2, flat", "small"].map((label) => ({ group, label, cell: cell(0.25), low: 0.1, high: 0.5 })),
  ),
  notes: ["A note that is folded, because it is far longer than a line of eight centimetres"],
};
const lines: LinesFigure = {
  kind: "lines",
  title: "By shots",
  x: "shots",
  y: "Succ",
  series: ["flat, with a long name", "hierarchical"].map((label) => ({
    label,
    points: [0, 1, 2].map((x) => ({ x, cell: cell(x / 3), low: x / 4, high: 0.9 })),
  })),
  notes: [],
};
const eight = (8 / 2.54) * 72;
const svgOf = (figure: Figure, width: number | undefined = eight, plain = false) =>
  exportFigure(figure, "svg", ["Sample data"], undefined, false, { width, plain });

/** Size in print by the header and the density, in points. */
function printedWidth(png: Uint8Array): number {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(12, 16).toString("latin1")).toBe("IHDR");
  expect(bytes.subarray(37, 41).toString("latin1")).toBe("pHYs");
  return (bytes.readUInt32BE(16) / bytes.readUInt32BE(41) / 0.0254) * 72;
}

describe("a picture of a given width", () => {
  test.each([bars, lines])("keeps its letters at 6 points or more and its texts inside its edges: $kind", (figure) => {
    const svg = svgOf(figure);
    const [, width, pixels] = /width="([\d.]+)pt" .*viewBox="0 0 ([\d.]+) /.exec(svg)!;
    expect(Number(width)).toBeCloseTo(eight, 1);
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes) * (eight / Number(pixels))).toBeGreaterThanOrEqual(6 - 1e-3);
    for (const [, x, attributes, text] of svg.matchAll(/<text x="([\d.]+)" y="[\d.]+" ([^>]*)>([^<]*)</g)) {
      const size = Number(/font-size="(\d+)"/.exec(attributes!)?.[1] ?? 12);
      if (!attributes!.includes("anchor")) expect(Number(x) + text!.length * size * 0.602).toBeLessThan(Number(pixels));
    }
  });

  test("is rejected if the width is too small, with the width that the figure needs; other figures are still written", async () => {
    const titles = Array.from({ length: 12 }, (_, at) => `column ${at}`);
    const table: TableFigure = {
      kind: "table",
      title: "Wide",
      columns: titles.map((title) => ({ title, align: "right" })),
      rows: [titles.map((text) => ({ text }))],
      notes: [],
    };
    const folder = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
    try {
      const told: string[] = [];
      const about = { warnings: [], colourOf: () => undefined, runOf: () => undefined };
      const look = { width: eight, refused: (why: string) => void told.push(why) };
      const paths = await writeFigures({ figures: [table, bars], ...about, look }, "figure", folder, "svg");
      expect(paths).toEqual([join(folder, "figure-2.svg")]);
      expect(told).toEqual([expect.stringMatching(/^Expected `--width` to be at least [\d.]+cm for "Wide"/)]);
      const needed = Number(/least ([\d.]+)cm/.exec(told[0]!)![1]);
      expect(svgOf(table, (needed / 2.54) * 72)).toContain("<svg");
      expect(() => svgOf(table, ((needed - 0.2) / 2.54) * 72)).toThrow("Expected `--width`");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("reports each character that its font lacks, and is still written", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
    try {
      const told: string[] = [];
      const about = { warnings: [], colourOf: () => undefined, runOf: () => undefined };
      const look = { noted: (what: string) => void told.push(what) };
      const title = (text: string): Figure => ({ ...bars, title: text });
      const figures = [title("你好, 你 → café"), title("Plain → café")];
      const paths = await writeFigures({ figures, ...about, look }, "figure", folder, "png");
      expect(paths).toHaveLength(2);
      expect(told).toEqual([
        "figure-1.png: 2 characters that DejaVu Sans Mono lacks are drawn as empty boxes (你好); an SVG file uses the reader's fonts",
      ]);
      await writeFigures({ figures, ...about, look }, "figure", folder, "svg");
      expect(told).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const many = String.fromCodePoint(...Array.from({ length: 21 }, (_, index) => 0x4e00 + index));
    expect(await lackingLetters(`<svg>${many}</svg>`)).toContain(`(${many.slice(0, 20)} ...)`);
    expect(await lackingLetters("<svg>一</svg>")).toContain(
      "1 character that DejaVu Sans Mono lacks is drawn as an empty box (一)",
    );
    expect(await lackingLetters("<svg>é</svg>")).toBeUndefined();
  });

  test("shows names of groups above their bars, and draws no axis through the names", () => {
    const svg = svgOf(bars);
    const names = [...svg.matchAll(/<text x="0" y="([\d.]+)" font-weight="bold">/g)].map(([, y]) => Number(y));
    const axis = [...svg.matchAll(/<line x1="([\d.]+)" y1="([\d.]+)" x2="\1" y2="([\d.]+)" stroke="#999"\/>/g)];
    expect(names).toHaveLength(2);
    for (const y of names)
      expect(axis.filter(([, , from, to]) => Number(from) < y - 4 && y - 4 < Number(to))).toEqual([]);
  });

  test("uses larger letters, not a margin, if there is room", () => {
    expect(svgOf(bars, 2 * eight)).toMatch(/ width="453.54pt" .*viewBox="0 0 5\d\d[ .]/);
  });

  test("has neither title nor notes if it is plain", () => {
    const plain = svgOf(bars, eight, true);
    for (const text of ["Tasks with each kind", "A note that", "Sample data"]) expect(plain).not.toContain(text);
    expect(plain).toContain("llama-3.2, flat");
  });
});

describe("PNG", () => {
  test("has the requested width in print", async () => {
    expect(printedWidth(await pictureFile(svgOf(bars), "png"))).toBeCloseTo(eight, 0);
  });
});

describe("PDF", () => {
  test("has the requested width, text in embedded fonts, and the same bytes each time", async () => {
    const bytes = Buffer.from(await pictureFile(svgOf(bars), "pdf"));
    const text = bytes.toString("latin1");
    expect(Number(/MediaBox \[0 0 ([\d.]+)/.exec(text)![1])).toBeCloseTo(eight, 1);
    expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVuSansMono/);
    expect(text.match(/\/FontFile2 /g)).toHaveLength(3);
    const streams = [...text.matchAll(/FlateDecode\s*>>\s*stream\n([\s\S]*?)\nendstream/g)].map(([, packed]) =>
      inflateSync(Buffer.from(packed!, "latin1")).toString("latin1"),
    );
    expect(streams.some((stream) => /\bTJ\b|\bTj\b/.test(stream))).toBe(true);
    expect(Buffer.from(await pictureFile(svgOf(bars), "pdf")).equals(bytes)).toBe(true);
  });
});

test.each(["png", "pdf"] as const)("%s has the same bytes on a machine without fonts", async (format) => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
  try {
    writeFileSync(join(folder, "fonts.conf"), "<?xml version='1.0'?><fontconfig></fontconfig>");
    writeFileSync(join(folder, "in.svg"), svgOf(bars));
    const module = new URL("../../../source/engine/figures/picture-file.ts", import.meta.url).href;
    const code = `const { pictureFile } = await import(${JSON.stringify(module)});
      const { readFileSync, writeFileSync } = await import("node:fs");
      writeFileSync("out", await pictureFile(readFileSync("in.svg", "utf8"), "${format}"));`;
    const without = { FONTCONFIG_FILE: join(folder, "fonts.conf"), HOME: folder, PATH: "" };
    // A child that may read nothing but the program and this folder has no fonts of the system, whatever they are.
    const root = new URL("../../../", import.meta.url).pathname;
    const allowed = [
      "--permission",
      `--allow-fs-read=${root}*`,
      `--allow-fs-read=${folder}*`,
      `--allow-fs-write=${folder}*`,
    ];
    const child = spawnSync(process.execPath, [...allowed, "--input-type=module", "-e", code], {
      cwd: folder,
      env: without,
      encoding: "utf8",
    });
    expect(child.stderr.replace(/^.*Warning:.*$|^\(Use.*$/gm, "").trim()).toBe("");
    const own = Buffer.from(await pictureFile(svgOf(bars), format));
    expect(readFileSync(join(folder, "out")).equals(own)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
