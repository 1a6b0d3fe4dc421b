/** The set-up form: an experiment chosen field by field, with a forecast before anything is sent. */
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { SettingValue } from "../../engine/run-settings-rows.ts";
import { pad, printable } from "../../engine/text/printable.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { ChoiceList } from "../input/choice-list.tsx";
import { freshName } from "../notebook/add-cell.ts";
import { runCell } from "../notebook/run-cells.ts";
import { sourceLines } from "../notebook/run-lines.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { clicks } from "../frame/clicks.ts";
import { copyText } from "../frame/copy.ts";
import { between, isWide } from "../frame/panes.ts";
import { blockOf } from "../trajectory/block.ts";
import { SmallTable, smallTableColumns, smallTableLines } from "../drawing/small-table.tsx";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";
import {
  amountLines,
  estimatingLines,
  forecastLines,
  forecastTable,
  isForecast,
  mostForecastLines,
} from "./forecast-lines.ts";
import { counted } from "../../engine/text/counted.ts";
import {
  type Field,
  formFields,
  generatedField,
  ofAvailable,
  readGenerated,
  shownOne,
  fieldText,
  titleColumns,
  valueOf,
} from "./form-fields.ts";
import { choicesBeside, fieldNote } from "./field-notes.ts";
import { notebookDefaults, writeFrontMatter } from "./notebook-defaults.ts";
import { formSource } from "./form-source.ts";
import { cellAsOpened } from "./opened-cell.ts";
import {
  fieldOf,
  type FormValues,
  fieldMoved,
  readValues,
  settle,
  settleOwn,
  suiteOf,
  withDefaults,
} from "./form-values.ts";
import { useForecast } from "./use-forecast.ts";
import { chosenWorkers, useWorkersField } from "./workers-field.ts";

export function FormScreen({ screen, active, width, height }: ScreenProps<"form">): ReactNode {
  const terminal = useTerminal();
  const { theme, navigation, notices, isSpoken = false } = terminal;
  const workbench = useWorkbench(active);
  const isDivided = isWide(width) && !isSpoken;
  const left = isDivided ? Math.floor((width - between) / 2) : width;
  const right = isDivided ? width - left - between : width;
  const [cell] = useState(() => workbench.cells().find(({ id }) => id === screen.cell));
  const previous = cell?.source ?? "";
  const [notebook] = useState(() => notebookDefaults(workbench, previous));
  // What a new experiment begins with, which nobody chose.
  const [first] = useState<FormValues>(() =>
    screen.cell === undefined ? starting(workbench, readValues(notebook.source, "defaults")) : new Map(),
  );
  const [{ own, defaults }, setChosen] = useState<Chosen>(() => {
    const defaults = readValues(notebook.source, "defaults");
    const begun = screen.cell === undefined ? first : readValues(previous);
    return { own: settleOwn(begun, defaults, workbench.suites), defaults };
  });
  const values = settle(withDefaults(own, defaults), workbench.suites);
  const [at, setAt] = useState(0);
  const [opened, setOpened] = useState<Field>();
  const source = formSource(own, previous);
  const front = formSource(defaults, notebook.source, "defaults");
  const [untouched] = useState(screen.cell === undefined ? source : previous);
  const { forecast, isCurrent } = useForecast(source, front === notebook.source ? undefined : front, active);
  const executors = useWorkersField(workbench.workers, active);
  const fields = [...formFields(values, workbench), ...executors];
  const here = Math.max(0, Math.min(at, fields.length - 1));
  const field = fields[here];

  const change = (name: string, chosen: readonly SettingValue[] | undefined) => {
    const next = new Map(own);
    if (chosen === undefined) next.delete(name);
    else next.set(name, chosen);
    setChosen({ own: settleOwn(next, defaults, workbench.suites), defaults });
  };
  const chooseWorkers = (url: string | undefined) => {
    try {
      workbench.workers?.choose(url);
    } catch (error) {
      notices.say((error as Error).message, "bad");
    }
  };
  const share = (name: string) => {
    const shared = fieldOf(name);
    if (notebook.why !== undefined) return notices.say(notebook.why, "bad");
    if (own.has(name)) {
      const { from, to } = fieldMoved(shared, own, defaults);
      setChosen({ own: from, defaults: to });
    } else if (values.has(name)) {
      const { from, to } = fieldMoved(shared, defaults, own);
      setChosen({ own: to, defaults: from });
    } else notices.say("This field has its default: choose a value first");
  };
  const keep = (): string | undefined => {
    if (workbench.readOnly !== undefined) {
      notices.say(`Read-only: ${workbench.readOnly}`, "bad");
      return undefined;
    }
    const cells = workbench.cells();
    const frontNow = cells.find(({ kind }) => kind === "front-matter");
    if (front !== notebook.source && (frontNow?.source ?? "") !== notebook.source) {
      notices.say("The notebook's defaults were changed elsewhere meanwhile: w keeps the field to this cell", "bad");
      return undefined;
    }
    const there = cell && cellAsOpened(cells, cell);
    navigation.pop();
    let kept = there?.id;
    workbench.together(() => {
      if (front !== notebook.source) writeFrontMatter(workbench, frontNow?.id, front);
      if (there !== undefined) {
        if (source !== previous) workbench.edit(there.id, source);
      } else if (cell === undefined || source !== previous) {
        const name = freshName(workbench, cell?.name ?? suiteOf(values, workbench.suites)?.name ?? "run");
        const after = cells.find(({ kind, name }) => kind === "run" && name === cell?.name)?.id ?? screen.after;
        kept = workbench.insert("run", after ?? cells.at(-1)?.id, source, name);
      }
    });
    if (cell !== undefined && there === undefined)
      notices.say(
        `${cell.name} was changed elsewhere meanwhile: ${kept === undefined ? "it stays" : "yours is a cell of its own"}`,
      );
    return kept;
  };
  const generate = (text: string) => {
    const wanted = readGenerated(text);
    const suite = suiteOf(values, workbench.suites);
    if (wanted === undefined || suite === undefined) return;
    notices.say(`Generating ${counted(wanted.count, "task")}, seed ${wanted.seed} ...`);
    const report = (line: string) => notices.say(line);
    workbench.makeTasks(suite.name, { ...wanted, report, signal: new AbortController().signal }).then(
      () => {
        setChosen(({ own, defaults }) => {
          const chosen = new Map(own).set("data", ["published"]);
          return { own: settleOwn(chosen, defaults, workbench.suites), defaults };
        });
        notices.say(
          `Generated ${counted(wanted.count, "task")}, seed ${wanted.seed}: installed as the data of this benchmark`,
          "good",
        );
      },
      (error: Error) => notices.say(error.message, "bad"),
    );
  };
  const find = useFind(left);
  useLayer(active, {
    scope: "form",
    commands: {
      down: () => setAt((here + 1) % fields.length),
      up: () => setAt((here - 1 + fields.length) % fields.length),
      first: () => setAt(0),
      last: () => setAt(fields.length - 1),
      "page-down": () => setAt(Math.min(fields.length - 1, here + 8)),
      "page-up": () => setAt(Math.max(0, here - 8)),
      change: () => setOpened(field),
      reset() {
        if (field === undefined) return;
        const isSet = field.taken !== undefined || own.has(field.name);
        if (field.name === "suite") notices.say("Every experiment has a benchmark: Enter chooses another one");
        else if (!isSet) notices.say("Nothing was chosen here for this cell");
        else if (field === executors[0]) chooseWorkers(undefined);
        else change(field.name, undefined);
      },
      share() {
        if (field === undefined) return;
        if ([generatedField, executors[0]].includes(field)) notices.say("This is no field of a cell");
        else share(field.name);
      },
      find: find.open,
      copy: () => copyText(terminal, field && fieldText(field, values).text),
      keep,
      "keep-and-run"() {
        const problem = isCurrent ? forecast?.problems[0] : undefined;
        if (problem !== undefined) return notices.say(`This cannot run: ${problem.message}`, "bad");
        const cell = keep();
        if (cell !== undefined) runCell(terminal, cell);
      },
      back() {
        if (source === untouched && front === notebook.source) return navigation.pop();
        notices.ask(screen.cell === undefined ? "Discard this experiment?" : "Discard the changes?", navigation.pop);
      },
    },
  });
  if (!active) return null;

  const table = forecast !== undefined && isForecast(forecast) ? forecastTable(forecast) : undefined;
  const amounts = table !== undefined && smallTableColumns(table) <= right ? table : undefined;
  const set = amounts === undefined ? 0 : smallTableLines(amounts);
  const most = isDivided ? height : mostForecastLines;
  const told = table === undefined || amounts !== undefined ? [] : amountLines(table, right);
  const said = forecast === undefined ? estimatingLines(2) : [...told, ...forecastLines(forecast, theme, right, most)];
  return isDivided ? besideEachOther() : belowEachOther();

  function belowEachOther(): ReactNode {
    const about = fieldNote(fields, field, width, height);
    const { listed, note, shown } = roomsOf(height, about, set + said.length, opened);
    return (
      <Box flexDirection="column" height={height}>
        {fieldsOf(height - 1 - shown - listed - note.length)}
        {opened === undefined ? null : fieldChoices(opened, listed)}
        {searchField()}
        <Rows lines={note} columns={width} height={note.length} />
        <TextRow line={rule(width)} columns={width} />
        {forecastPart(shown)}
      </Box>
    );
  }

  /** The fields to the left; to the right what the one under the cursor may be, what all will take, and what is written. */
  function besideEachOther(): ReactNode {
    const upper = height >> 1;
    const took = Math.min(set + said.length, height - upper - 1);
    const cell = Math.max(0, height - upper - took - 1);
    const beside = field === undefined ? [] : choicesBeside(field, takenOf(field), right, upper, theme.symbols);
    return (
      <Box height={height}>
        <Box flexDirection="column" width={left}>
          {fieldsOf(height)}
          {searchField()}
        </Box>
        <Rows
          lines={Array.from({ length: height }, () => [{ text: ` ${theme.symbols.bar}`, style: "rule" }])}
          columns={between}
          height={height}
        />
        <Box flexDirection="column" width={right}>
          {opened === undefined ? <Rows lines={beside} columns={right} height={upper} /> : fieldChoices(opened, upper)}
          <TextRow line={rule(right)} columns={right} />
          {forecastPart(took)}
          <Rows
            lines={[rule(right), [{ text: " The cell", style: "title" }], ...sourceLines(source, Infinity, theme)]}
            columns={right}
            height={cell}
          />
        </Box>
      </Box>
    );
  }

  function rule(columns: number): Line {
    return [{ text: theme.symbols.rule.repeat(columns), style: "rule" }];
  }

  /** With a heading, in so many rows, less what is searched for. */
  function fieldsOf(rows: number): ReactNode {
    const room = Math.max(1, rows - 1 - find.rows);
    const from = Math.max(0, Math.min(here - (room >> 1), fields.length - room));
    const side = titleColumns(fields, left);
    const lines = fields.slice(from, from + room).map((each, index) => fieldLine(each, from + index === here, side));
    const heading: Line = [
      { text: screen.cell === undefined ? " A new experiment" : " Set up this experiment", style: "title" },
      { text: `   field ${here + 1} of ${fields.length}`, style: "faint" },
    ];
    return (
      <>
        <TextRow line={heading} columns={left} />
        <Rows
          lines={lines}
          columns={left}
          height={room}
          click={clicks("form", terminal, (line) => from + line, here, setAt)}
        />
      </>
    );
  }

  function searchField(): ReactNode {
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

  function forecastPart(rows: number): ReactNode {
    return (
      <Box flexDirection="column" height={rows} overflow="hidden">
        {isCurrent && amounts !== undefined ? <SmallTable {...amounts} /> : null}
        <Rows
          lines={isCurrent ? said : estimatingLines(rows)}
          columns={right}
          height={Math.max(0, isCurrent ? rows - set : rows)}
        />
      </Box>
    );
  }

  function fieldLine(each: Field, chosen: boolean, side: number): Line {
    const { text, set } = fieldText(each, values);
    const isShared = values.has(each.name) && !own.has(each.name);
    const grid = (values.get(each.name)?.length ?? 0) > 1 && !each.name.startsWith("filter.") ? "  (grid)" : "";
    return [
      { text: chosen ? ` ${theme.symbols.pointer} ` : "   ", style: "accent" },
      { text: pad(printable(each.title), side), style: chosen ? "strong" : "plain" },
      { text: `  ${printable(text)}`, style: set ? "code" : "faint" },
      { text: ofAvailable(each, values, isCurrent ? forecast?.available : undefined), style: "faint" },
      { text: isShared ? "  whole notebook" : "", style: "accent" },
      { text: grid, style: "accent" },
    ];
  }

  function takenOf({ taken, name }: Field): readonly string[] {
    return taken ?? (values.get(name) ?? []).map(shownOne);
  }

  function fieldChoices(field: Field, rows: number): ReactNode {
    const { name, title, choices, several, read, typed, commas = false } = field;
    const taken = takenOf(field);
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
        {...(typed && { free: (text: string) => problemOf(read(text)) })}
        columns={right}
        height={rows}
        back={() => setOpened(undefined)}
        take={(chosen) => {
          setOpened(undefined);
          if (field === generatedField) return generate(chosen[0] ?? "");
          if (name === executors[0]?.name) return chooseWorkers(chosenWorkers(chosen[0] ?? ""));
          change(
            name,
            chosen.map((value) => valueOf(field, value)),
          );
        }}
      />
    );
  }
}

/**
 * Rows of an open list, and what has room beside it, the heading, a rule and one field: the list comes first; the fields have as many as
 * what is said below them, three before anything is said of the one under the cursor.
 */
function roomsOf(height: number, note: readonly Line[], forecast: number, opened: Field | undefined) {
  const least = opened === undefined ? note.length : 6;
  const shown = Math.max(0, Math.min(forecast, height - 3 - least, (height - 2) >> 1));
  const left = Math.max(0, height - 3 - shown);
  const listed = opened === undefined ? 0 : Math.min(left, Math.max(6, opened.choices.length + 3));
  return { shown, listed, note: left - listed - note.length < (opened === undefined ? 2 : 0) ? [] : note };
}

function problemOf(read: ReturnType<Field["read"]>): string | undefined {
  return typeof read === "object" && "problem" in read && typeof read.problem === "string" ? read.problem : undefined;
}

/** The cell's own values, and those of the whole notebook. */
type Chosen = { readonly own: FormValues; readonly defaults: FormValues };

/** What a new experiment begins with: few tasks and a model that costs nothing, or what the notebook says. */
function starting(workbench: Pick<Workbench, "suites" | "modelNames">, defaults: FormValues): FormValues {
  const { suites } = workbench;
  const models = workbench.modelNames();
  const model = models.find((name) => name === "builtin/slips") ?? models[0];
  const first = new Map<string, readonly SettingValue[]>([
    ["suite", [suites[0]?.name ?? ""]],
    ...(model === undefined ? [] : [["model", [model]] as const]),
    ["limit", [20]],
  ]);
  return new Map([...first].filter(([name]) => !defaults.has(name)));
}
