/** The set-up form: an experiment chosen field by field, with a forecast before anything is sent. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { type Line, styled } from "../../engine/figures/drawing/line.ts";
import { Rows, TextRow } from "../drawing/rows.tsx";
import { type Find, useFind } from "../editor/use-find.tsx";
import { between, isWide } from "../frame/panes.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useLayer } from "../input/use-layer.ts";
import { sourceLines } from "../notebook/run-lines.ts";
import { choicesBeside, fieldNote } from "./field-notes.ts";
import { mostForecastLines } from "./forecast-lines.ts";
import { formCommands } from "./form-commands.ts";
import type { Field } from "./form-fields.ts";
import { drawForecast, FieldChoices, FieldList, fieldSearch, ForecastPart, takenOf } from "./form-parts.tsx";
import { type Form, useForm } from "./use-form.ts";

export function FormScreen({ screen, active, width, height }: ScreenProps<"form">): ReactNode {
  const form = useForm(screen, active);
  const isDivided = isWide(width) && form.terminal.isSpoken !== true;
  const left = isDivided ? Math.floor((width - between) / 2) : width;
  const find = useFind(left);
  useLayer(active, { scope: "form", commands: formCommands(form, find.open) });
  if (!active) return null;
  return isDivided ? (
    <Divided form={form} find={find} left={left} right={width - left - between} height={height} />
  ) : (
    <Stacked form={form} find={find} width={width} height={height} />
  );
}

type StackedProps = { readonly form: Form; readonly find: Find; readonly width: number; readonly height: number };

function Stacked({ form, find, width, height }: StackedProps): ReactNode {
  const { fields, field, opened } = form;
  const drawn = drawForecast(form, width, mostForecastLines);
  const { listed, note, shown } = roomsOf(height, fieldNote(fields, field, width, height), drawn.rows, opened);
  return (
    <Box flexDirection="column" height={height}>
      <FieldList form={form} columns={width} rows={height - 1 - shown - listed - note.length} find={find} />
      {opened === undefined ? null : <FieldChoices form={form} field={opened} columns={width} rows={listed} />}
      {fieldSearch(form, find)}
      <Rows lines={note} columns={width} height={note.length} />
      <TextRow line={rule(form, width)} columns={width} />
      <ForecastPart drawn={drawn} isCurrent={form.isCurrent} columns={width} rows={shown} />
    </Box>
  );
}

type DividedProps = {
  readonly form: Form;
  readonly find: Find;
  readonly left: number;
  readonly right: number;
  readonly height: number;
};

/** The fields to the left; to the right the choices of the field under the cursor, the forecast and the text of the cell. */
function Divided({ form, find, left, right, height }: DividedProps): ReactNode {
  const { field, opened, source, terminal } = form;
  const { symbols } = terminal.theme;
  const drawn = drawForecast(form, right, height);
  const upper = height >> 1;
  const took = Math.min(drawn.rows, height - upper - 1);
  const beside = field === undefined ? [] : choicesBeside(field, takenOf(form, field), right, upper, symbols);
  const bars = Array.from({ length: height }, () => styled("rule", ` ${symbols.bar}`));
  return (
    <Box height={height}>
      <Box flexDirection="column" width={left}>
        <FieldList form={form} columns={left} rows={height} find={find} />
        {fieldSearch(form, find)}
      </Box>
      <Rows lines={bars} columns={between} height={height} />
      <Box flexDirection="column" width={right}>
        {opened === undefined ? (
          <Rows lines={beside} columns={right} height={upper} />
        ) : (
          <FieldChoices form={form} field={opened} columns={right} rows={upper} />
        )}
        <TextRow line={rule(form, right)} columns={right} />
        <ForecastPart drawn={drawn} isCurrent={form.isCurrent} columns={right} rows={took} />
        <Rows
          lines={[rule(form, right), styled("title", " The cell"), ...sourceLines(source, Infinity, terminal.theme)]}
          columns={right}
          height={Math.max(0, height - upper - took - 1)}
        />
      </Box>
    </Box>
  );
}

function rule({ terminal }: Form, columns: number): Line {
  return styled("rule", terminal.theme.symbols.rule.repeat(columns));
}

/**
 * Returns the rows of an open list, of the forecast (at most half of the window), and the note if it has room beside the heading, a
 * rule and one field. The list comes first; without one the fields keep at least two rows before there is a note.
 */
function roomsOf(height: number, note: readonly Line[], forecast: number, opened: Field | undefined) {
  const least = opened === undefined ? note.length : 6;
  const shown = Math.max(0, Math.min(forecast, height - 3 - least, (height - 2) >> 1));
  const left = Math.max(0, height - 3 - shown);
  const listed = opened === undefined ? 0 : Math.min(left, Math.max(6, opened.choices.length + 3));
  return { shown, listed, note: left - listed - note.length < (opened === undefined ? 2 : 0) ? [] : note };
}
