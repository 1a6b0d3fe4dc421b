/** The prompt templates of a run, and the user's texts that replace them as files of the notebook. */
import { isFields } from "../../engine/run-settings.ts";
import { freeTextFile, namesFile, readTextFile, writeTextFile } from "../../engine/session/fields/text-file.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { promptsOf, stageOfPrompt } from "../../engine/settings/prompt-template.ts";
import type { Suite } from "../../engine/suite.ts";
import type { RunSpec } from "../../engine/types.ts";
import { formSource } from "../form/form-source.ts";
import { type FormValues, readValues, withDefaults } from "../form/form-values.ts";
import { attempted, report } from "../frame/notices.ts";
import type { SentPrompt, UsedTemplate } from "../frame/screen.ts";
import type { Terminal } from "../terminal.ts";

/** The field `prompts` of a cell: texts or files by the names of prompts. */
export type WrittenPrompts = Readonly<Record<string, string>>;

/** Returns the prompts of a cell; undefined if it has several values of them, because a file would then belong to only one. */
export function plainPrompts(values: FormValues): WrittenPrompts | undefined {
  const all = values.get("prompts") ?? [{}];
  const [only] = all;
  if (values.has("fork.run") || all.length !== 1 || only === undefined || !isFields(only)) return undefined;
  return Object.values(only).every((text) => typeof text === "string") ? (only as WrittenPrompts) : undefined;
}

/** Explains why a request has no templates. */
export const noTemplate = (stage: string): string => `The benchmark publishes no template for the stage ${stage}`;

/** Returns the templates of a request, replaced by the run's own texts if it has them. */
export function usedTemplates(
  suites: readonly Suite[],
  { suite: name, strategy: asked, options, split, prompts, judgePrompts }: RunSpec,
  { stage }: Pick<SentPrompt, "stage">,
  written: WrittenPrompts = {},
): readonly UsedTemplate[] {
  const suite = suiteNamed(name, suites);
  const strategy = suite?.strategies.find((each) => each.name === asked);
  if (suite === undefined || strategy === undefined) return [];
  return promptsOf(suite, strategy, { ...options, split })
    .filter((template) => stageOfPrompt(template) === stage)
    .map((template) => {
      const text = prompts?.[template.name] ?? judgePrompts?.[template.name] ?? template.text;
      const file = written[template.name];
      return { template, text, ...(file !== undefined && namesFile(file) && { file }) };
    });
}

/**
 * Opens the text of a template in the user's editor: the file that the cell names for it, otherwise a new file of the notebook,
 * which `put` adds to the cell.
 */
export function editTemplate(
  terminal: Terminal,
  { template: { name }, text, file: named }: UsedTemplate,
  written: WrittenPrompts | undefined,
  put: (prompts: WrittenPrompts) => void,
): void {
  const { workbench, navigation, notices } = terminal;
  const { folder } = workbench;
  if (written === undefined)
    return notices.say("This cell has no single prompt to replace: add the file to one by hand", "bad");
  const file = named ?? freeTextFile(name, folder);
  attempted(terminal, () => {
    if (named === undefined) {
      put({ ...written, [name]: file });
      writeTextFile(file, folder, text);
    }
    const before = readTextFile(file, folder);
    navigation.pop();
    notices.say(`${file} is the prompt ${name} of this cell`, "good");
    report(terminal, terminal.editExternally(before, ".md"), (edited) => {
      if (edited !== before) writeTextFile(file, folder, edited);
    });
  });
}

/** Shows a request of a saved or live run of this cell beside its templates. */
export function showTemplates(terminal: Terminal, task: string, sent: SentPrompt, spec: RunSpec, id: string): void {
  const { workbench, navigation, notices } = terminal;
  const cell = workbench.cells().find((each) => each.id === id);
  if (cell === undefined) return;
  const front = workbench.cells().find(({ kind }) => kind === "front-matter")?.source ?? "";
  const values = readValues(cell.source);
  const written = plainPrompts(withDefaults(values, readValues(front, "defaults")));
  const templates = usedTemplates(workbench.suites, spec, sent, written);
  if (templates.length === 0) return notices.say(noTemplate(sent.stage));
  const put = (prompts: WrittenPrompts) =>
    workbench.edit(cell.id, formSource(new Map([...values, ["prompts", [prompts]]]), cell.source));
  const edit = (used: UsedTemplate) => editTemplate(terminal, used, written, put);
  navigation.push({ kind: "prompt", task, sent, templates, edit });
}
