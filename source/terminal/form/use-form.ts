/** The state of the set-up form: the chosen values, the resulting texts of the cells, and their forecast. */
import { useState, useEffect } from "react";
import type { SettingValue } from "../../engine/run-settings-rows.ts";
import type { Workbench, Forecast } from "../../engine/workbench/workbench.ts";
import type { ScreenOf } from "../frame/screen.ts";
import { listState } from "../input/choice-list.tsx";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { type Field, formFields } from "./form-fields.ts";
import { formRows, type GroupName, groupOfField, inGroups } from "./form-groups.ts";
import { formSource } from "./form-source.ts";
import { type FormValues, readValues, settle, settleOwn, withDefaults } from "./form-values.ts";
import { useWorkersField } from "./workers-field.ts";

export type Form = ReturnType<typeof useForm>;

export function useForm(screen: ScreenOf<"form">, active: boolean) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  const [cell] = useState(() => workbench.cells().find(({ id }) => id === screen.cell));
  const previous = cell?.source ?? "";
  const [notebook] = useState(() => notebookDefaults(workbench, previous));
  // The defaults of a new experiment that nobody chose.
  const [first] = useState<FormValues>(() =>
    screen.cell === undefined ? starting(workbench, readValues(notebook.source, "defaults")) : new Map(),
  );
  const [{ own, defaults }, setChosen] = useState<Chosen>(() => {
    const defaults = readValues(notebook.source, "defaults");
    const begun = screen.cell === undefined ? first : readValues(previous);
    return { own: settleOwn(begun, defaults, workbench.suites), defaults };
  });
  const values = settle(withDefaults(own, defaults), workbench.suites);
  const opening = useOpened();
  const source = formSource(own, previous);
  const front = formSource(defaults, notebook.source, "defaults");
  const isFrontChanged = front !== notebook.source;
  const [untouched] = useState(screen.cell === undefined ? source : previous);
  const { forecast, isCurrent } = useForecast(source, isFrontChanged ? front : undefined, active);
  const executors = useWorkersField(workbench.workers, active);
  const fields = inGroups([...formFields(values, workbench), ...executors]);
  const shown = useRows(fields, values);
  return {
    terminal,
    workbench,
    screen,
    /** The cell and its text when the form was opened. */
    cell,
    previous,
    notebook,
    first,
    own,
    defaults,
    setChosen,
    values,
    ...opening,
    source,
    front,
    isFrontChanged,
    isChanged: source !== untouched || isFrontChanged,
    forecast,
    isCurrent,
    executor: executors[0],
    fields,
    ...shown,
  };
}

/** Keeps the groups that were opened or folded, and the row with the cursor. */
function useRows(fields: readonly Field[], values: FormValues) {
  const [at, setAt] = useState(1);
  const [groups, setGroups] = useState<ReadonlyMap<GroupName, boolean>>(new Map());
  const rows = formRows(fields, values, groups);
  // The title of the first group is no place for the cursor.
  const here = Math.max(1, Math.min(at, rows.length - 1));
  const row = rows[here];
  return {
    rows,
    here,
    setAt,
    field: row?.kind === "field" ? row.field : undefined,
    /** The group whose title the cursor is on. */
    group: row?.kind === "group" ? row.group : undefined,
    openGroup: (group: GroupName, isOpen: boolean) => setGroups(new Map(groups).set(group, isOpen)),
    /** Moves to a field, and opens its group. */
    goTo(name: string) {
      const opened = new Map(groups).set(groupOfField(name), true);
      setGroups(opened);
      setAt(formRows(fields, values, opened).findIndex((each) => each.kind === "field" && each.field.name === name));
    },
  };
}

/**
 * Keeps the field whose list is open, its filter and its marks, because the list moves to another pane if the window's width
 * changes.
 */
function useOpened() {
  const [opened, open] = useState<Field>();
  const list = useState(listState);
  const setOpened = (field: Field | undefined) => {
    open(field);
    list[1](listState());
  };
  return { opened, setOpened, list };
}

/** The cell's own values, and the values for the whole notebook. */
type Chosen = { readonly own: FormValues; readonly defaults: FormValues };

/** Returns the first values of a new experiment: few tasks and a free model, unless the notebook has its own values. */
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

/**
 * Returns the front matter from which a cell takes defaults; a fork takes none. `why` is the reason if it cannot be changed from
 * this form.
 */
function notebookDefaults(workbench: Pick<Workbench, "cells" | "state">, previous: string) {
  const cell = workbench.cells().find(({ kind }) => kind === "front-matter");
  const state = cell && workbench.state(cell.id);
  const isFork = readValues(previous).has("fork.run");
  const isMistaken = state?.kind === "front-matter" && state.problems.length > 0;
  if (isFork) return { source: "", why: "A fork keeps the settings of its run" };
  if (isMistaken) return { source: "", why: "The notebook's defaults contain an error: correct it first" };
  return { source: cell?.source ?? "", why: undefined };
}

const noForecast = { runs: 0, tasks: 0, calls: 0, input: 0, output: 0, cost: undefined, warnings: [] };

/** Milliseconds without a change before a forecast is computed. */
const forecastDelay = 150;

/** Returns the latest forecast, and whether it matches the present form. */
function useForecast(
  source: string,
  front: string | undefined,
  active: boolean,
): { readonly forecast: Forecast | undefined; readonly isCurrent: boolean } {
  const { workbench } = useTerminal();
  const [made, setMade] = useState<{ readonly of: string; readonly forecast: Forecast }>();
  const of = `${source}\n${front ?? ""}`;
  useEffect(() => {
    if (!active) return;
    let current = true;
    const timer = setTimeout(() => {
      const failed = (error: Error) => ({ ...noForecast, problems: [{ message: error.message }] });
      void workbench
        .forecast(source, front)
        .catch(failed)
        .then((result) => {
          if (current) setMade({ of: `${source}\n${front ?? ""}`, forecast: result });
        });
    }, forecastDelay);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [source, front, active, workbench]);
  return { forecast: made?.forecast, isCurrent: made === undefined || made.of === of };
}
