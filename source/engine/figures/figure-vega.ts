/** Formats figures other than tables as Vega-Lite 6, to be restyled by plotting programs; values keep their full precision. */
import { heatAt, hexOf, inkOn, palettes } from "../../look/palettes.ts";
import { paper, strokeOf } from "../../look/paper.ts";
import type { BarsFigure, Cell, Figure, GridFigure, LinesFigure, PointsFigure } from "../figure.ts";
import { escapedJson } from "../text/json-text.ts";
import type { Json } from "../types.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import { partsOf, type Parts, textsOf } from "./figure-parts.ts";
import { areShownInPercent } from "./interval-text.ts";
import { visibleText } from "./markup.ts";
import { markedText } from "./svg/marks.ts";
import { valueAxis } from "./unit-note.ts";

/** A figure's rows of data, and the view that reads them. */
type View = { readonly values: Iterable<Json>; readonly spec: { readonly [field: string]: Json } };

/** Yields the specification, a line per value; nothing for a table. `notes` are its subtitle unless it is `plain`. */
export function vegaParts(figure: Figure, notes: readonly string[], colourOf: ColourOf, plain = false): Parts {
  if (figure.kind === "table") return [];
  const { values, spec } = viewOf(figure, colourOf);
  const visible = notes.map(visibleText);
  const title = { text: visibleText(figure.title), subtitle: visible, anchor: "start" };
  const around = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    usermeta: { notes: visible },
    ...(!plain && { title }),
    background: paper.ground,
    config: { view: { stroke: null } },
    ...spec,
  };
  const body = textsOf(values, (value, at) => `${at === 0 ? "" : ",\n"}${jsonText(value)}`);
  return partsOf(`${jsonText(around).slice(0, -1)},"data":{"values":[\n`, body, "\n]}}\n");
}

const jsonText = (value: Json): string => escapedJson(JSON.stringify(value));

function viewOf(figure: Exclude<Figure, { kind: "table" }>, colourOf: ColourOf): View {
  switch (figure.kind) {
    case "grid":
      return mapView(figure);
    case "bars":
      return barsView(figure, colourOf);
    case "lines":
      return linesView(figure, colourOf);
    case "points":
      return pointsView(figure, colourOf);
  }
}

const quantity = (field: string, more: Readonly<Record<string, Json>> = {}) => ({
  field,
  type: "quantitative",
  ...more,
});
/** Names in the order of the data. */
const named = (field: string, more: Readonly<Record<string, Json>> = {}) => ({
  field,
  type: "nominal",
  sort: null,
  ...more,
});

const percentAxis = (cells: readonly Cell[]): Readonly<Record<string, Json>> =>
  areShownInPercent(cells) ? { format: "%" } : {};

/** The fields of a value under names that its row has. */
function fieldsOf(cell: Cell, more: Readonly<Record<string, Json | undefined>>): Json {
  const { value, n, low, high, ceiling, floor, reported, faint, note } = cell;
  const shown = { text: visibleText(markedText(cell)), note: note === undefined ? undefined : visibleText(note) };
  const fields = { value, n, low, high, ceiling, floor: floor?.gets, reported, faint, ...shown, ...more };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Json;
}

const hints = (...fields: readonly string[]): Json => fields.map((field) => ({ field, title: field }));

/** Returns a function that adds a number to repeated names, because Vega merges equal names. */
function distinct(): (name: string) => string {
  const times = new Map<string, number>();
  return (name) => {
    const text = visibleText(name);
    const time = (times.get(text) ?? 0) + 1;
    times.set(text, time);
    return time === 1 ? text : `${text} (${time})`;
  };
}

function mapView({ x, y, cells, range }: GridFigure): View {
  const [across, down] = [distinct(), distinct()];
  const columns = x.ticks.map(across);
  const rows = y.ticks.map(down);
  const [low, high] = range;
  const part = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  const inkOf = ({ value }: Cell) =>
    value === undefined ? paper.ink : hexOf(inkOn(heatAt(palettes.light, part(value))));
  const values = cells.flatMap((row, at) =>
    row.flatMap((cell, column) => {
      if (cell === undefined) return [];
      return [fieldsOf(cell, { x: columns[column]!, y: rows[at]!, ink: inkOf(cell) })];
    }),
  );
  const colours = [0, 0.25, 0.5, 0.75, 1].map((at) => hexOf(heatAt(palettes.light, at)));
  const scale = { domain: [low, high], range: colours, clamp: true };
  const tooltip = hints("x", "y", "text", "n", "low", "high");
  const light = hexOf(inkOn(heatAt(palettes.light, 1)));
  const ink = { condition: { test: `datum.ink === "${light}"`, value: light }, value: paper.ink };
  const empty = { condition: { test: "!isValid(datum.value)", value: paper.tableRule } };
  const fill = quantity("value", {
    scale,
    title: null,
    legend: percentAxis(cells.flat().flatMap((cell) => cell ?? [])),
  });
  return {
    values,
    spec: {
      // Fields without a value are drawn, too.
      config: { view: { stroke: null }, mark: { invalid: "show" } },
      width: { step: 72 },
      height: { step: 40 },
      encoding: {
        x: named("x", { title: visibleText(x.label), axis: { orient: "top", labelAngle: 0 } }),
        y: named("y", { title: visibleText(y.label) }),
      },
      layer: [
        { mark: "rect", encoding: { color: { ...empty, ...fill }, tooltip } },
        { mark: "text", encoding: { text: { field: "text" }, color: ink } },
      ],
    },
  };
}

function barsView(figure: BarsFigure, colourOf: ColourOf): View {
  const { bars, unit, max } = figure;
  const isGrouped = bars.some(({ group }) => group !== undefined);
  const namesIn = new Map<string, (name: string) => string>();
  const values = bars.map(({ group = "", label, cell, low, high }) => {
    if (!namesIn.has(group)) namesIn.set(group, distinct());
    const name = namesIn.get(group)!(label);
    return fieldsOf(cell, { label: name, low, high, ...(isGrouped && { group: visibleText(group) }) });
  });
  const labels = [...new Set(values.map((value) => (value as { label: string }).label))];
  const one = strokeOf(colourOf(figure.title) ?? 0);
  const range = labels.map((label, at) => strokeOf(colourOf(label) ?? colourOf(figure.title) ?? (isGrouped ? at : 0)));
  const color = isGrouped ? named("label", { title: null, scale: { domain: labels, range } }) : { value: one };
  const axis = percentAxis(bars.map(({ cell }) => cell));
  const scale = max === undefined ? {} : { scale: { domain: [0, max] } };
  const x = quantity("value", { title: visibleText(unit), axis, stack: null, ...scale });
  const place = isGrouped
    ? { y: named("group", { title: null }), yOffset: named("label") }
    : { y: named("label", { title: null }) };
  const tooltip = hints(
    ...(isGrouped ? ["group"] : []),
    "label",
    "text",
    "n",
    "low",
    "high",
    "ceiling",
    "floor",
    "note",
  );
  const hollow = { condition: { test: "datum.reported === true", value: 0 }, value: 1 };
  const mark = (field: string, dash: readonly number[]): Json => ({
    transform: [{ filter: `isValid(datum.${field})` }],
    mark: { type: "tick", color: paper.ink, strokeDash: [...dash] },
    encoding: { x: quantity(field) },
  });
  return {
    values,
    spec: {
      height: { step: 18 },
      encoding: place,
      layer: [
        { mark: "bar", encoding: { x, color, fillOpacity: hollow, stroke: color, tooltip } },
        intervals("x"),
        mark("ceiling", [7, 4]),
        mark("floor", [1, 3]),
      ],
    },
  };
}

/** The rule of each interval. */
const intervals = (axis: "x" | "y"): Json => ({
  transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
  mark: { type: "rule", ...(axis === "x" && { color: paper.ink }) },
  encoding: { [axis]: quantity("low"), [`${axis}2`]: { field: "high" } },
});

function linesView(figure: LinesFigure, colourOf: ColourOf): View {
  const { series } = figure;
  const name = distinct();
  const labels = series.map(({ label }) => name(label));
  const values = series.flatMap(({ points }, at) =>
    points.map(({ x, cell, low = cell.low, high = cell.high }) =>
      fieldsOf(cell, { series: labels[at]!, x, low, high }),
    ),
  );
  const range = series.map(({ label }, at) => strokeOf(colourOf(label) ?? at));
  const cells = series.flatMap(({ points }) => points.map(({ cell }) => cell));
  // Shares have values from 0 to 1, so the axis shows percent and its title does not.
  const axis = percentAxis(cells);
  const title = visibleText("format" in axis ? figure.y : valueAxis(figure));
  const y = quantity("value", { title, axis, scale: { zero: false } });
  const tooltip = hints("series", "x", "text", "n", "low", "high", "ceiling");
  const hollow = { condition: { test: "datum.faint === true || datum.reported === true", value: 0 }, value: 1 };
  const ceiling: Json = {
    transform: [{ filter: "isValid(datum.ceiling)" }],
    mark: { type: "line", strokeDash: [7, 4] },
    encoding: { y: quantity("ceiling") },
  };
  return {
    values,
    spec: {
      encoding: {
        x: quantity("x", { title: visibleText(figure.x), scale: { zero: false } }),
        color: named("series", { title: null, scale: { domain: labels, range } }),
      },
      layer: [
        { mark: "line", encoding: { y } },
        { mark: { type: "point", filled: true }, encoding: { y, fillOpacity: hollow, tooltip } },
        intervals("y"),
        ceiling,
      ],
    },
  };
}

function pointsView(figure: PointsFigure, colourOf: ColourOf): View {
  const groups = [...new Set(figure.points.map(({ group }) => group))];
  const range = groups.map((group, at) => strokeOf(colourOf(group) ?? at));
  const scale = { domain: groups.map(visibleText), range };
  return {
    values: figure.points.values().map(({ x, y, group, label }) => ({
      x,
      y,
      group: visibleText(group),
      label: visibleText(label),
    })),
    spec: {
      mark: "point",
      encoding: {
        x: quantity("x", { title: visibleText(figure.x), scale: { zero: false } }),
        y: quantity("y", { title: visibleText(figure.y), scale: { zero: false } }),
        color: named("group", { title: null, scale }),
        tooltip: hints("label", "group", "x", "y"),
      },
    },
  };
}
