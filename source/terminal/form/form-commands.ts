/** The commands of the set-up form, and the changes they make to the notebook. */
import type { SettingValue } from "../../engine/run-settings-rows.ts";
import { counted } from "../../engine/text/counted.ts";
import { copyText } from "../frame/copy.ts";
import type { Commands } from "../input/keys.ts";
import { freshName } from "../notebook/add-cell.ts";
import { listMoves } from "../input/movement.ts";
import { runCell } from "../notebook/run-cells.ts";
import { fieldText, generatedField, readGenerated, valueOf, type Field } from "./form-fields.ts";
import { groupTitles } from "./form-groups.ts";
import { fieldMoved, fieldOf, settleOwn, suiteOf } from "./form-values.ts";
import type { Form } from "./use-form.ts";
import { editTemplate, noTemplate, plainPrompts, usedTemplates, type WrittenPrompts } from "../prompt/own-template.ts";
import { chosenWorkers } from "./workers-field.ts";
import type { SessionCell } from "../../engine/workbench/workbench.ts";
import { attempted, report } from "../frame/notices.ts";

/** Rows that PageUp and PageDown move. */
const page = 8;

export function formCommands(form: Form, find: () => void): Commands<"form"> {
  const { terminal, rows, field, group, here, values, setAt } = form;
  const { navigation, notices } = terminal;
  const last = rows.length - 1;
  const isFolded = group !== undefined && rows[here + 1]?.kind !== "field";
  const needsField = () => notices.say("Only for fields: this row is the title of a group");
  return {
    ...listMoves(here, rows.length, page, setAt),
    down: () => setAt(here === last ? 1 : here + 1),
    up: () => setAt(here === 1 ? last : here - 1),
    change: () => (group === undefined ? form.setOpened(field) : form.openGroup(group, isFolded)),
    reset: () => (field === undefined ? needsField() : reset(form, field)),
    share() {
      if (field === undefined) return needsField();
      if ([generatedField, form.executor].includes(field)) notices.say("This field is not part of the cell");
      else share(form, field.name);
    },
    prompt: () => showFirst(form, false),
    template: () => showFirst(form, true),
    find,
    copy: () => copyText(terminal, field === undefined ? group && groupTitles[group] : fieldText(field, values).text),
    keep: () => void keep(form),
    "keep-and-run"() {
      const problem = form.isCurrent ? form.forecast?.problems[0] : undefined;
      if (problem !== undefined) return notices.say(`This cannot run: ${problem.message}`, "bad");
      const cell = keep(form);
      if (cell !== undefined) runCell(terminal, cell);
    },
    back() {
      if (!form.isChanged) return navigation.pop();
      notices.ask(form.screen.cell === undefined ? "Discard this experiment?" : "Discard the changes?", navigation.pop);
    },
  };
}

/** Applies the values chosen in a field's list. */
export function takeChosen(form: Form, field: Field, chosen: readonly string[]): void {
  if (field === generatedField) return generate(form, chosen[0] ?? "");
  if (field.name === form.executor?.name) return chooseWorkers(form, chosenWorkers(chosen[0] ?? ""));
  change(
    form,
    field.name,
    chosen.map((value) => valueOf(field, value)),
  );
}

/** Sets a field; without `chosen`, resets it to its default. */
function change(form: Form, name: string, chosen?: readonly SettingValue[]): void {
  const { own, defaults, workbench } = form;
  const next = new Map(own);
  if (chosen === undefined) next.delete(name);
  else next.set(name, chosen);
  form.setChosen({ own: settleOwn(next, defaults, workbench.suites), defaults });
}

function reset(form: Form, field: Field): void {
  const { notices } = form.terminal;
  const isSet = field.taken !== undefined || form.own.has(field.name);
  if (field.name === "suite") notices.say("Every experiment needs a benchmark: Enter chooses another benchmark");
  else if (!isSet) notices.say("This field already has its default");
  else if (field === form.executor) chooseWorkers(form, undefined);
  else change(form, field.name);
}

function chooseWorkers({ workbench, terminal }: Form, url: string | undefined): void {
  attempted(terminal, () => workbench.workers?.choose(url));
}

/** Shows the first request of the experiment, with or without its templates. */
function showFirst(form: Form, isBeside: boolean): void {
  const { workbench, terminal, source, front, isFrontChanged, values, setChosen } = form;
  report(terminal, workbench.firstRequest(source, isFrontChanged ? front : undefined), ({ task, spec, prompt }) => {
    const written = plainPrompts(values);
    const templates = usedTemplates(workbench.suites, spec, prompt, written);
    if (isBeside && templates.length === 0) terminal.notices.say(noTemplate(prompt.stage));
    const put = (prompts: WrittenPrompts) =>
      setChosen(({ own, defaults }) => ({ own: new Map(own).set("prompts", [prompts]), defaults }));
    terminal.navigation.push({
      kind: "prompt",
      task,
      sent: prompt,
      templates,
      isHidden: !isBeside,
      edit: (used) => editTemplate(terminal, used, written, put),
    });
  });
}

/** Moves a field from the cell to the whole notebook, or back. */
function share({ terminal, notebook, own, defaults, values, setChosen }: Form, name: string): void {
  const { notices } = terminal;
  const shared = fieldOf(name);
  if (notebook.why !== undefined) return notices.say(notebook.why, "bad");
  if (own.has(name)) {
    const { from, to } = fieldMoved(shared, own, defaults);
    setChosen({ own: from, defaults: to });
  } else if (values.has(name)) {
    const { from, to } = fieldMoved(shared, defaults, own);
    setChosen({ own: to, defaults: from });
  } else notices.say("This field has its default: choose a value first");
}

/**
 * Writes the cell, and the notebook's defaults if a field was moved to them. Returns the cell, or undefined if nothing was
 * written.
 */
function keep(form: Form): string | undefined {
  const { workbench, terminal, notebook, cell, previous, source, front, isFrontChanged } = form;
  const { navigation, notices } = terminal;
  if (workbench.readOnly !== undefined) {
    notices.say(`Read-only: ${workbench.readOnly}`, "bad");
    return undefined;
  }
  const cells = workbench.cells();
  const frontNow = cells.find(({ kind }) => kind === "front-matter");
  if (isFrontChanged && (frontNow?.source ?? "") !== notebook.source) {
    notices.say("Another program changed the notebook's defaults: w sets the field for this cell only", "bad");
    return undefined;
  }
  const there = cell && cellAsOpened(cells, cell);
  navigation.pop();
  let kept = there?.id;
  workbench.together(() => {
    if (isFrontChanged) writeFrontMatter(workbench, frontNow?.id, front);
    if (there !== undefined) {
      if (source !== previous) workbench.edit(there.id, source);
    } else if (cell === undefined || source !== previous) {
      const name = freshName(workbench, cell?.name ?? suiteOf(form.values, workbench.suites)?.name ?? "run");
      const after = cells.find(({ kind, name }) => kind === "run" && name === cell?.name)?.id ?? form.screen.after;
      kept = workbench.insert("run", after ?? cells.at(-1)?.id, source, name);
    }
  });
  if (cell !== undefined && there === undefined)
    notices.say(
      `${cell.name} was changed elsewhere too: ${kept === undefined ? "that version is kept" : "your version is a new cell"}`,
    );
  return kept;
}

/** Generates tasks of the benchmark and chooses them as its data. */
function generate({ workbench, terminal, values, setChosen }: Form, text: string): void {
  const { notices } = terminal;
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
}

/**
 * Returns the cell in which a form was opened, if its text is unchanged: another program may have changed the notebook, and ids
 * are positions in it. Undefined if the cell was changed or removed.
 */
export function cellAsOpened(cells: readonly SessionCell[], opened: SessionCell): SessionCell | undefined {
  const isSame = ({ kind, name, source }: SessionCell) =>
    kind === opened.kind && name === opened.name && source === opened.source;
  return cells.find((cell) => cell.id === opened.id && isSame(cell)) ?? cells.find(isSame);
}

/** Writes the front matter; an empty text removes it. `cell` is the present front matter. */
function writeFrontMatter(workbench: Form["workbench"], cell: string | undefined, source: string): void {
  if (cell === undefined) workbench.insert("front-matter", undefined, source);
  else if (source.trim() === "") workbench.remove(cell);
  else workbench.edit(cell, source);
}
