/** A character canvas for plots: braille dots (2 x 4 per character), or full stops in ASCII. */
import type { Line, Span } from "./line.ts";

type Field = { bits: number; mark: string | undefined; series: number | undefined; selected: boolean };

export type Canvas = {
  /** Width and height in characters. */
  readonly columns: number;
  readonly rows: number;
  /** Both ends have coordinates from 0 (left, bottom) to 1 (right, top). */
  line(from: readonly [number, number], to: readonly [number, number], series: number | undefined): void;
  mark(at: readonly [number, number], mark: string, series: number | undefined, selected: boolean): void;
  lines(): Line[];
};

/** Dot numbers of a braille character, by row and column. */
const dots = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

export function openCanvas(columns: number, rows: number, ascii: boolean): Canvas {
  const fields: Field[] = Array.from({ length: columns * rows }, () => ({
    bits: 0,
    mark: undefined,
    series: undefined,
    selected: false,
  }));
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
  const dot = (x: number, y: number, series: number | undefined) => {
    const field = fields[(y >> 2) * columns + (x >> 1)]!;
    field.bits |= dots[y & 3]![x & 1]!;
    field.series ??= series;
  };
  return {
    columns,
    rows,
    line(from, to, series) {
      const steps = Math.max(2, columns * 2, rows * 4);
      for (let step = 0; step <= steps; step++) {
        const part = step / steps;
        const x = from[0] + (to[0] - from[0]) * part;
        const y = from[1] + (to[1] - from[1]) * part;
        dot(clamp(x * (columns * 2 - 1), columns * 2 - 1), clamp((1 - y) * (rows * 4 - 1), rows * 4 - 1), series);
      }
    },
    mark([x, y], mark, series, selected) {
      const field = fields[clamp((1 - y) * (rows - 1), rows - 1) * columns + clamp(x * (columns - 1), columns - 1)]!;
      if (field.selected) return;
      Object.assign(field, { mark, series, selected });
    },
    lines: () =>
      Array.from({ length: rows }, (_, row) =>
        merge(fields.slice(row * columns, (row + 1) * columns).map((field) => fieldSpan(field, ascii))),
      ),
  };
}

function fieldSpan({ bits, mark, series, selected }: Field, ascii: boolean): Span {
  const text = mark ?? (bits === 0 ? " " : ascii ? "." : String.fromCodePoint(0x2800 + bits));
  return { text, ...(series !== undefined && { series }), ...(selected && { selected }) };
}

function merge(spans: readonly Span[]): Line {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last !== undefined && last.series === span.series && last.selected === span.selected) {
      merged[merged.length - 1] = { ...last, text: last.text + span.text };
    } else merged.push(span);
  }
  return merged;
}
