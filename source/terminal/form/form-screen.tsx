/** The set-up form: an experiment chosen field by field, with a forecast before anything is sent. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { fitLine, type Line, lineWidth, styled } from "../../engine/figures/drawing/line.ts";
import { Rows, TextRow } from "../drawing/rows.tsx";
import { type Find, useFind } from "../editor/use-find.tsx";
import { between, isWide } from "../frame/panes.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useLayer } from "../terminal.ts";
import { sourceLines } from "../notebook/run-lines.ts";
import {
  mostForecastLines,
  amountLines,
  estimatingLines,
  forecastLines,
  forecastTable,
  isForecast,
} from "./forecast-lines.ts";
import { formCommands, takeChosen } from "./form-commands.ts";
import { type Field, fieldText, ofAvailable, shownOne, titleColumns } from "./form-fields.ts";
import { fieldHelp } from "./field-help.ts";
import { type FormRow, groupTitles } from "./form-groups.ts";
import { readCellMap, valueNames } from "./form-values.ts";
import { experimentSentence } from "./experiment-sentence.ts";
import { type Form, useForm } from "./use-form.ts";
import { pad, printable, fit, wrap } from "../../engine/text/printable.ts";
import { SmallTable, smallTableColumns, smallTableLines } from "../drawing/small-table.tsx";
import { clicks } from "../frame/clicks.ts";
import { ChoiceList, choiceLine, choiceText, titleWidth } from "../input/choice-list.tsx";
import { blockOf } from "../trajectory/block.ts";
import { problemIn } from "./field-text.ts";
import { separator, type Symbols } from "../../look/signs.ts";
import { plural } from "../../look/amounts.ts";

export function FormScreen({ screen, active, width, height }: ScreenProps<"form">): ReactNode {
  const form = useForm(screen, active);
  const isDivided = isWide(width) && form.terminal.isSpoken !== true;
  const left = isDivided ? Math.floor((width - between) / 2) : width;
  const find = useFind(left);
  useLayer(active, { scope: "form", commands: formCommands(form, find.open) });
  if (!active) return null;
  return isDivided ? divided(form, find, left, width - left - between, height) : stacked(form, find, width, height);
}

function stacked(form: Form, find: Find, width: number, height: number): ReactNode {
  const { fields, field, opened } = form;
  const drawn = drawForecast(form, width, mostForecastLines);
  const { listed, note, shown } = roomsOf(height, fieldNote(fields, field, width, height), drawn.rows, opened);
  return (
    <Box flexDirection="column" height={height}>
      {fieldList(form, find, width, height - 1 - shown - listed - note.length)}
      {opened === undefined ? null : fieldChoices(form, opened, width, listed)}
      {fieldSearch(form, find)}
      <Rows lines={note} columns={width} height={note.length} />
      <TextRow line={rule(form, width)} columns={width} />
      {forecastPart(form, drawn, width, shown)}
    </Box>
  );
}

/**
 * Shows the fields on the left; on the right the choices of the current field, the forecast and the text of the cell.
 */
function divided(form: Form, find: Find, left: number, right: number, height: number): ReactNode {
  const { field, opened, source, terminal } = form;
  const { symbols } = terminal.theme;
  const drawn = drawForecast(form, right, height);
  const upper = height >> 1;
  const took = Math.min(drawn.rows, height - upper - 1);
  const beside = field === undefined ? [] : choicesBeside(field, takenOf(form, field), right, upper, symbols);
  const bars = Array.from({ length: height }, () => styled("rule", ` ${symbols.bar}`));
  const cell = [rule(form, right), styled("title", " The cell"), ...sourceLines(source, Infinity, terminal.theme)];
  return (
    <Box height={height}>
      <Box flexDirection="column" width={left}>
        {fieldList(form, find, left, height)}
        {fieldSearch(form, find)}
      </Box>
      <Rows lines={bars} columns={between} height={height} />
      <Box flexDirection="column" width={right}>
        {opened === undefined ? (
          <Rows lines={beside} columns={right} height={upper} />
        ) : (
          fieldChoices(form, opened, right, upper)
        )}
        <TextRow line={rule(form, right)} columns={right} />
        {forecastPart(form, drawn, right, took)}
        <Rows lines={cell} columns={right} height={Math.max(0, height - upper - took - 1)} />
      </Box>
    </Box>
  );
}

const rule = ({ terminal }: Form, columns: number): Line => styled("rule", terminal.theme.symbols.rule.repeat(columns));

/**
 * Returns the rows of an open list, the rows of the forecast (at most half of the window), and the note if it fits beside the
 * heading, a rule and one field. An open list has priority; without a list the fields have at least two rows.
 */
function roomsOf(height: number, note: readonly Line[], forecast: number, opened: Field | undefined) {
  const least = opened === undefined ? note.length : 6;
  const shown = Math.max(0, Math.min(forecast, height - 3 - least, (height - 2) >> 1));
  const left = Math.max(0, height - 3 - shown);
  const listed = opened === undefined ? 0 : Math.min(left, Math.max(6, opened.choices.length + 3));
  return { shown, listed, note: left - listed - note.length < (opened === undefined ? 2 : 0) ? [] : note };
}

/** Fewest rows of fields below the title of their group. */
const leastWithTitle = 5;

/** `height` includes the heading, and the field for the words to find. */
function fieldList(form: Form, find: Find, columns: number, height: number): ReactNode {
  const { fields, rows, here } = form;
  const room = Math.max(1, height - 1 - find.rows);
  // The title of the first group gives way to fields.
  const first = room < leastWithTitle ? 1 : 0;
  const from = Math.max(first, Math.min(here - (room >> 1), rows.length - room));
  const side = titleColumns(fields, columns);
  const lines = rows
    .slice(from, from + room)
    .map((each, index) =>
      each.kind === "field"
        ? fieldLine(form, each.field, from + index === here, side)
        : groupLine(form, each, rows[from + index + 1]?.kind === "field", from + index === here),
    );
  const click = clicks("form", form.terminal, (line) => from + line, here, form.setAt);
  return (
    <>
      <TextRow line={headingOf(form, columns)} columns={columns} />
      <Rows lines={lines} columns={columns} height={room} click={click} />
    </>
  );
}

/** Describes the experiment in words, and the position of the cursor among the fields. */
function headingOf(form: Form, columns: number): Line {
  const { fields, field, values, source, workbench, forecast, isCurrent } = form;
  const known = isCurrent ? forecast : undefined;
  const totals = known === undefined || known.runs === 0 ? [] : [Math.round(known.tasks / known.runs)];
  const tasks = { totals, available: known?.available?.at(-1) };
  const usual = fields.flatMap(({ name, standard }) =>
    name === "split" || name === "data" ? [[name, [standard]] as const] : [],
  );
  const given = new Map([...usual, ...values]);
  const { differs, others } = experimentSentence(given, valueNames(readCellMap(source)), workbench.suites, tasks);
  const place = field === undefined ? "" : `  field ${fields.indexOf(field) + 1} of ${fields.length}`;
  const sentence: Line = [
    { text: ` ${printable(differs.join(separator))}`, style: "strong" },
    { text: `${differs.length === 0 ? "" : separator}${printable(others.join(separator))}` },
  ];
  const room = columns - place.length - 1;
  const shown = fitLine(sentence, room);
  return [...shown, { text: `${" ".repeat(Math.max(0, room - lineWidth(shown)))}${place}`, style: "faint" }];
}

function groupLine(
  { terminal }: Form,
  { group, set, standard }: Extract<FormRow, { kind: "group" }>,
  isOpen: boolean,
  chosen: boolean,
): Line {
  const counts = [set === 0 ? "" : `${set} set`, standard === 0 ? "" : `${standard} at default`];
  return [
    { text: chosen ? ` ${terminal.theme.symbols.pointer} ` : "   ", style: "accent" },
    { text: groupTitles[group], style: chosen ? "strong" : "title" },
    { text: isOpen ? "" : `   ${counts.filter((part) => part !== "").join(", ")}`, style: "faint" },
    { text: chosen ? `   Enter ${isOpen ? "folds" : "opens"}` : "", style: "faint" },
  ];
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
    { text: chosen ? `   ${terminal.theme.symbols.pointer} ` : "     ", style: "accent" },
    { text: pad(printable(each.title), side), style: chosen ? "strong" : "plain" },
    { text: `  ${printable(text)}`, style: set ? "code" : "faint" },
    { text: ofAvailable(each, values, isCurrent ? forecast?.available : undefined), style: "faint" },
    { text: isShared ? "  whole notebook" : "", style: "accent" },
    { text: grid, style: "accent" },
  ];
}

/** Searches the fields by title, value, name and note. */
const fieldSearch = ({ fields, field, values, goTo }: Form, find: Find): ReactNode =>
  find.field({
    blocks: () =>
      fields.map((each) => {
        const text = `${each.title} ${fieldText(each, values).text} ${each.name} ${fieldHelp(each)}`;
        return blockOf(each.name, [[{ text: printable(text) }]]);
      }),
    here: field === undefined ? -1 : fields.indexOf(field),
    found: ({ block }) => goTo(block),
  });

/** Returns the current values of a field, as its list names them. */
const takenOf = ({ values }: Form, { taken, name }: Field): readonly string[] =>
  taken ?? (values.get(name) ?? []).map(shownOne);

function fieldChoices(form: Form, field: Field, columns: number, rows: number): ReactNode {
  const { own, first, setOpened, list } = form;
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
      state={list}
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

/** Draws the forecast in at most `most` lines; the amounts are a table if it fits into `columns`, otherwise text. */
function drawForecast({ forecast, terminal }: Form, columns: number, most: number) {
  const table = forecast !== undefined && isForecast(forecast) ? forecastTable(forecast) : undefined;
  const amounts = table !== undefined && smallTableColumns(table) <= columns ? table : undefined;
  const tableRows = amounts === undefined ? 0 : smallTableLines(amounts);
  const told = table === undefined || amounts !== undefined ? [] : amountLines(table, columns);
  const said =
    forecast === undefined ? estimatingLines(2) : [...told, ...forecastLines(forecast, terminal.theme, columns, most)];
  return { amounts, tableRows, said, rows: tableRows + said.length };
}

/** Shows that an estimate is under way if the forecast is of former values of the form. */
function forecastPart({ isCurrent }: Form, drawn: ReturnType<typeof drawForecast>, columns: number, rows: number) {
  const { amounts, tableRows, said } = drawn;
  const lines = isCurrent ? said : estimatingLines(rows);
  return (
    <Box flexDirection="column" height={rows} overflow="hidden">
      {isCurrent && amounts !== undefined ? <SmallTable {...amounts} /> : null}
      <Rows lines={lines} columns={columns} height={Math.max(0, isCurrent ? rows - tableRows : rows)} />
    </Box>
  );
}

/** Returns a description of the chosen field, in as many lines as the longest note takes, so that the lines below do not move. */
function fieldNote(
  fields: readonly Field[],
  chosen: Field | undefined,
  columns: number,
  height: number,
): readonly Line[] {
  const wrapped = (note = "") => (note === "" ? [] : wrap(printable(note), Math.max(10, columns - 6)));
  const longest = Math.max(0, ...fields.map((field) => wrapped(fieldHelp(field)).length));
  // In a low window the fields have priority.
  const rows = Math.min(longest, height < 20 ? 1 : 3);
  const lines = wrapped(chosen && fieldHelp(chosen));
  return Array.from({ length: rows }, (_, row): Line => {
    const text = row === rows - 1 && lines.length > rows ? lines.slice(row).join(" ") : (lines[row] ?? "");
    return [{ text: text === "" ? "" : `     ${text}`, style: "faint" }];
  });
}

/** Returns the whole note beside the fields, with as many choices as there are rows; `taken` are the chosen values. */
function choicesBeside(
  field: Field,
  taken: readonly string[],
  columns: number,
  rows: number,
  symbols: Symbols,
): readonly Line[] {
  const { title, choices, typed } = field;
  const about = wrap(printable(fieldHelp(field)), Math.max(10, columns - 4));
  const head: readonly Line[] = [
    [
      { text: ` ${printable(title)}`, style: "title" },
      { text: `  Enter ${typed ? "takes the typed value" : "chooses"}`, style: "faint" },
    ],
    ...about.map((text): Line => [{ text: `   ${text}`, style: "faint" }]),
    ...(choices.length === 0 ? [] : [[]]),
  ];
  const room = Math.max(0, rows - head.length);
  const shown = choices.slice(0, choices.length > room ? Math.max(0, room - 1) : room);
  const titles = titleWidth(shown);
  const lines = shown.map((choice) => {
    const isTaken = taken.includes(choice.value);
    const text = choiceText(choice, isTaken ? "   * " : "     ", titles);
    return choiceLine(fit(text, columns), choice.faint, isTaken);
  });
  const rest = choices.length - shown.length;
  const more: readonly Line[] =
    rest === 0 ? [] : [[{ text: `     ${symbols.more} ${plural(rest, "more choice")}`, style: "faint" }]];
  return [...head, ...lines, ...more];
}
