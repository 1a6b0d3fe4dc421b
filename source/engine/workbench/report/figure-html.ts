/** A figure of a report: its picture or its table, in which every number links to its tasks. */
import { runClass } from "../../../look/paper.ts";
import { separator, signs } from "../../../look/signs.ts";
import { type Cell, type Figure, shortfallOf, type TableFigure } from "../../figure.ts";
import { columnHeads } from "../../figures/column-heads.ts";
import { prepared } from "../../figures/prepared-figure.ts";
import { figureSvg } from "../../figures/figure-svg.ts";
import { intervalText } from "../../figures/interval-text.ts";
import type { ColourOf } from "../../figures/drawing/drawing.ts";
import { Markup, markup } from "../../figures/markup.ts";
import type { TaskRef } from "../../types.ts";

export function figureHtml(figure: Figure, numbers: TaskNumbers, colourOf: ColourOf): Markup {
  const { floors } = prepared(figure).look;
  const said = [...prepared(figure).notes([]), ...(floors === undefined ? [] : [floors])];
  const notes =
    said.length === 0
      ? undefined
      : markup`<ul>
          ${said.map((note) => markup`<li>${note}</li>`)}
        </ul>`;
  const values = tableHtml(prepared(figure).readable, numbers, colourOf);
  if (figure.kind === "table") return markup`<figure>${values}${notes}</figure> `;
  const picture = figureSvg(figure, [], {
    behind: (tasks) => behind(numbers.ranges(tasks)).source,
    colourOf,
  });
  return markup`<figure>
    ${new Markup(picture)}${notes}
    <details>
      <summary>Values</summary>
      ${values}
    </details>
  </figure> `;
}

/** Returns attributes that link an element to the tasks of these numbers. */
export const behind = (ranges: string | undefined): Markup =>
  ranges === undefined ? markup`` : markup` data-tasks="${ranges}" tabindex="0" role="button"`;

/** Returns the name of a run in its colour. */
export function inColour(name: string, colour: number | undefined): Markup {
  const own = runClass(colour);
  return own === undefined ? markup`${name}` : markup`<span class="${own}">${name}</span>`;
}

function tableHtml(table: TableFigure, numbers: TaskNumbers, colourOf: ColourOf): Markup {
  const { title, columns, rows } = table;
  const side = (column: number) => (columns[column]?.align === "right" ? "right" : "left");
  const above = columnHeads(columns).map(
    (level) =>
      markup`<tr>
        ${level.map((head) => markup`<th colspan="${head.count}">${head.title}</th>`)}
      </tr>`,
  );
  const heads = columns.map((column, index) => sortingHead(column.title, side(index)));
  const body = rows.map((row) => {
    const name = row[0]?.text ?? "";
    const cells = row.map((cell, column) => {
      const titles = [name, ...(columns[column]?.under ?? []), columns[column]?.title ?? ""].filter(
        (part) => part !== "",
      );
      return cellHtml(cell, side(column), titles.join(", "), { numbers, colourOf });
    });
    return markup`<tr>
      ${cells}
    </tr>`;
  });
  return markup`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      ${above}
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`;
}

/** Returns the head of a column that sorts by it. */
export const sortingHead = (title: string | Markup, side: "left" | "right"): Markup =>
  markup`<th class="${side}" data-sorts tabindex="0" title="sort by this column">${title}</th>`;

function cellHtml(
  cell: Cell,
  side: string,
  name: string,
  { numbers, colourOf }: { readonly numbers: TaskNumbers; readonly colourOf: ColourOf },
): Markup {
  const { text, value, tasks, rank, faint, reported, n, note } = cell;
  const short = shortfallOf(cell);
  const interval = intervalText(cell);
  const classes = [
    side,
    ...(rank === 1 ? ["best"] : rank === 2 ? ["second"] : []),
    ...(faint === true ? ["faint"] : []),
    ...(reported === true ? ["reported"] : []),
  ];
  const about = [name, n === undefined ? "" : `n ${n}`, note ?? ""].filter((part) => part !== "").join(separator);
  const exact = value === undefined ? undefined : markup` data-value="${value}"`;
  const marks = markup`${faint === true ? signs.faint : ""}${value === undefined ? inColour(text, colourOf(text)) : text}${reported === true && text !== "" ? ` ${signs.reported}` : ""}${short === undefined ? "" : ` (${short})`}`;
  return markup`<td class="${classes.join(" ")}" title="${about}" ${exact}${behind(numbers.ranges(tasks))}>
    ${marks}${interval === undefined ? undefined : markup` <small>${interval}</small>`}
  </td>`;
}

export class TaskNumbers {
  readonly #runs = new Map<string, Map<string, number>>();
  #count = 0;

  add({ run, task }: TaskRef): void {
    const own = this.#runs.get(run) ?? new Map<string, number>();
    this.#runs.set(run, own.set(task, this.#count++));
  }

  /** Returns the numbers of these tasks as the page's script reads them: `3-5,9`. Undefined if no task has a number. */
  ranges(refs: readonly TaskRef[] = []): string | undefined {
    return rangesText(refs.flatMap(({ run, task }) => this.#runs.get(run)?.get(task) ?? []));
  }
  /** Returns the numbers of all tasks of a run. */
  rangesOf(run: string): string | undefined {
    return rangesText([...(this.#runs.get(run)?.values() ?? [])]);
  }
}

function rangesText(numbers: readonly number[]): string | undefined {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  if (ranges.length === 0) return undefined;
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}
