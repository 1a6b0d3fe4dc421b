/** The parts of the set-up form: its fields, the choices of the field that is open, and the forecast. */
import { Box } from "ink";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable } from "../../engine/text/printable.ts";
import { Rows, TextRow } from "../drawing/rows.tsx";
import { SmallTable, smallTableColumns, smallTableLines } from "../drawing/small-table.tsx";
import type { Find } from "../editor/use-find.tsx";
import { clicks } from "../frame/clicks.ts";
import { ChoiceList } from "../input/choice-list.tsx";
import { blockOf } from "../trajectory/block.ts";
import { amountLines, estimatingLines, forecastLines, forecastTable, isForecast } from "./forecast-lines.ts";
import { takeChosen } from "./form-commands.ts";
import { type Field, fieldText, ofAvailable, shownOne, titleColumns } from "./form-fields.ts";
import type { Form } from "./use-form.ts";
import { problemIn } from "./field-text.ts";

type FieldListProps = {
  readonly form: Form;
  readonly columns: number;
  /** With the heading, and the field for what to find. */
  readonly rows: number;
  readonly find: Find;
};

export function FieldList({ form, columns, rows, find }: FieldListProps): ReactNode {
  const { fields, here, screen } = form;
  const room = Math.max(1, rows - 1 - find.rows);
  const from = Math.max(0, Math.min(here - (room >> 1), fields.length - room));
  const side = titleColumns(fields, columns);
  const lines = fields
    .slice(from, from + room)
    .map((each, index) => fieldLine(form, each, from + index === here, side));
  const heading: Line = [
    { text: screen.cell === undefined ? " A new experiment" : " Set up this experiment", style: "title" },
    { text: `   field ${here + 1} of ${fields.length}`, style: "faint" },
  ];
  const click = clicks("form", form.terminal, (line) => from + line, here, form.setAt);
  return (
    <>
      <TextRow line={heading} columns={columns} />
      <Rows lines={lines} columns={columns} height={room} click={click} />
    </>
  );
}

function fieldLine(
  { terminal, values, own, forecast, isCurrent }: Form,
  each: Field,
  chosen: boolean,
  side: number,
): Line {
  const { text, set } = fieldText(each, values);
  const isShared = values.has(each.name) && !own.has(each.name);
  const grid = (values.get(each.name)?.length ?? 0) > 1 && !each.name.startsWith("filter.") ? "  (grid)" : "";
  return [
    { text: chosen ? ` ${terminal.theme.symbols.pointer} ` : "   ", style: "accent" },
    { text: pad(printable(each.title), side), style: chosen ? "strong" : "plain" },
    { text: `  ${printable(text)}`, style: set ? "code" : "faint" },
    { text: ofAvailable(each, values, isCurrent ? forecast?.available : undefined), style: "faint" },
    { text: isShared ? "  whole notebook" : "", style: "accent" },
    { text: grid, style: "accent" },
  ];
}

/** Searches the fields by title, value, name and note. */
export function fieldSearch({ fields, here, values, setAt }: Form, find: Find): ReactNode {
  return find.field({
    blocks: () =>
      fields.map((each) => {
        const text = `${each.title} ${fieldText(each, values).text} ${each.name} ${each.note ?? ""}`;
        return blockOf(each.name, [[{ text: printable(text) }]]);
      }),
    here,
    found: ({ block }) => setAt(fields.findIndex(({ name }) => name === block)),
  });
}

/** The values a field has now, as its list names them. */
export function takenOf({ values }: Form, { taken, name }: Field): readonly string[] {
  return taken ?? (values.get(name) ?? []).map(shownOne);
}

type FieldChoicesProps = {
  readonly form: Form;
  readonly field: Field;
  readonly columns: number;
  readonly rows: number;
};

export function FieldChoices({ form, field, columns, rows }: FieldChoicesProps): ReactNode {
  const { own, first, setOpened } = form;
  const { name, title, choices, several, read, typed, commas = false } = field;
  const taken = takenOf(form, field);
  const extra = taken.filter((value) => !choices.some((choice) => choice.value === value));
  return (
    <ChoiceList
      title={title}
      choices={[...choices, ...extra.map((value) => ({ value, title: value }))]}
      taken={taken}
      standard={field.standard}
      several={several}
      commas={commas}
      provisional={!own.has(name) || own.get(name) === first.get(name)}
      {...(typed && { free: (text: string) => problemIn(read(text)) })}
      columns={columns}
      height={rows}
      back={() => setOpened(undefined)}
      take={(chosen) => {
        setOpened(undefined);
        takeChosen(form, field, chosen);
      }}
    />
  );
}

export type DrawnForecast = ReturnType<typeof drawForecast>;

/** The forecast in at most `most` lines; the amounts are a table if it fits into `columns`, else lines of text. */
export function drawForecast({ forecast, terminal }: Form, columns: number, most: number) {
  const table = forecast !== undefined && isForecast(forecast) ? forecastTable(forecast) : undefined;
  const amounts = table !== undefined && smallTableColumns(table) <= columns ? table : undefined;
  const tableRows = amounts === undefined ? 0 : smallTableLines(amounts);
  const told = table === undefined || amounts !== undefined ? [] : amountLines(table, columns);
  const said =
    forecast === undefined ? estimatingLines(2) : [...told, ...forecastLines(forecast, terminal.theme, columns, most)];
  return { amounts, tableRows, said, rows: tableRows + said.length };
}

type ForecastPartProps = {
  readonly drawn: DrawnForecast;
  /** Whether it is of the form's present values. */
  readonly isCurrent: boolean;
  readonly columns: number;
  readonly rows: number;
};

export function ForecastPart({ drawn, isCurrent, columns, rows }: ForecastPartProps): ReactNode {
  const { amounts, tableRows, said } = drawn;
  return (
    <Box flexDirection="column" height={rows} overflow="hidden">
      {isCurrent && amounts !== undefined ? <SmallTable {...amounts} /> : null}
      <Rows
        lines={isCurrent ? said : estimatingLines(rows)}
        columns={columns}
        height={Math.max(0, isCurrent ? rows - tableRows : rows)}
      />
    </Box>
  );
}
