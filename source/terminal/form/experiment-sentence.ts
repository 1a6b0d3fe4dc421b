/**
 * The experiment of a run cell in words: the differences between its runs, then model, benchmark and tasks, then its other
 * settings, as in `hierarchical ⇄ flat · slips(50 %) · AppBench, all 31 sample tasks`.
 */
import type { Suite } from "../../engine/suite.ts";
import { roleText } from "../../engine/settings/role-settings.ts";
import { isFields, settingNamed } from "../../engine/run-settings.ts";
import type { Setting, SettingValue } from "../../engine/run-settings-rows.ts";
import { briefModel } from "../../engine/settings/label.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { counted } from "../../engine/text/counted.ts";
import { signs } from "../../look/signs.ts";
import { shownTexts } from "./field-text.ts";
import type { FormValues } from "./form-values.ts";

/** The parts of the sentence, in their order. */
export type ExperimentSentence = {
  /** The values of each setting that has several values. */
  readonly differs: readonly string[];
  readonly others: readonly string[];
};

/** The known numbers of tasks: how many each run has, and from how many a limit chooses them. */
export type TaskAmounts = { readonly totals: readonly number[]; readonly available?: number | undefined };

const versus = ` ${signs.either} `;

/** `names` are the names that a cell gives to the values of a field. */
export function experimentSentence(
  values: FormValues,
  names: ReadonlyMap<string, readonly string[]>,
  suites: readonly Suite[],
  tasks: TaskAmounts,
): ExperimentSentence {
  const isVaried = ([name, own]: readonly [string, readonly SettingValue[]]) => own.length > 1 && !isFilter(name);
  const varied = [...values].filter(isVaried);
  const single = new Map([...values].filter((entry) => !isVaried(entry)));
  const first = ["model", "strategy"].flatMap((name) => single.get(name)?.map((value) => valueText(name, value)) ?? []);
  const inTasks = ["suite", "from", "process", "split", "limit", ...(isKindOfTask(single) ? ["data"] : [])];
  const told = new Set([...inTasks, "model", "strategy", ...(single.has("fork.task") ? forkParts : [])]);
  const rest = [...single].flatMap(([name, own]) => (told.has(name) ? [] : [settingText(name, own)]));
  return {
    differs: varied.map(([name, own]) => variedText(name, names.get(name) ?? own.map((each) => valueText(name, each)))),
    others: [...first, tasksText(single, suites, tasks), ...forkText(single), ...rest],
  };
}

const isFilter = (name: string) => name.startsWith("filter.");

/** Returns `hierarchical ⇄ flat`; numbers and switches with the name of their setting. */
function variedText(name: string, texts: readonly string[]): string {
  const all = texts.join(versus);
  const { unit }: Pick<Setting, "unit"> = settingNamed(name) ?? {};
  if (unit !== undefined) return `${all} ${unit}`;
  return texts.some((text) => text === "" || switches.has(text) || Number.isFinite(Number(text)))
    ? `${shortName(name)} ${all}`
    : all;
}

const switches: ReadonlySet<string> = new Set(["on", "off", "auto", "none", "all"]);

const shortName = (name: string): string => name.replace(/^(filter|budget)\./, "");

function settingText(name: string, own: readonly SettingValue[]): string {
  const text = own.map((value) => valueText(name, value)).join(", ");
  const { unit }: Pick<Setting, "unit"> = settingNamed(name) ?? {};
  if (unit !== undefined) return `${text} ${unit}`;
  // `responder: builtin/responder` says its name once.
  return `${text === shortName(name) ? "built-in" : shortName(name)} ${text}`;
}

function valueText(name: string, value: SettingValue): string {
  if (isFields(value)) return "model" in value ? roleText(value) : JSON.stringify(value);
  if (typeof value === "object") return shownTexts(value);
  const isModel = settingNamed(name)?.kind === "model" || String(value).startsWith("builtin/");
  return isModel ? briefModel(String(value)) : String(value);
}

const forkParts = ["fork.run", "fork.task", "fork.request"];

const forkText = (single: FormValues): readonly string[] =>
  single.has("fork.task")
    ? [`fork of ${single.get("fork.task")!.join()} at request ${single.get("fork.request")?.join() ?? "1"}`]
    : [];

/** Data whose name precedes the word `tasks`. */
const isKindOfTask = (single: FormValues): boolean =>
  ["sample", "published", "own"].includes(String(single.get("data")?.[0] ?? "sample"));

function tasksText(single: FormValues, suites: readonly Suite[], { totals, available = 0 }: TaskAmounts): string {
  const textOf = (name: string) => String(single.get(name)?.[0] ?? "");
  const title = suiteNamed(textOf("suite"), suites)?.title ?? textOf("suite");
  const [split, data] = [textOf("split"), textOf("data")];
  const from = [textOf("from"), textOf("process"), split === "all" ? "" : split].filter((text) => text !== "");
  const kind = data === "sample" || data === "own" ? `${data} task` : "task";
  return `${[title, ...from].join(" ")}, ${amountText(kind)}`;

  function amountText(one: string): string {
    const known = [...new Set(totals)].filter((total) => total > 0).toSorted((a, b) => a - b);
    const [least, most] = [known[0], known.at(-1)];
    const limit = Number(textOf("limit"));
    if (least === undefined || most === undefined) return limit > 0 ? counted(limit, one) : `all ${one}s`;
    if (least < most) return `${least} to ${most} ${one}s`;
    if (most < available) return `${most} of ${available} ${one}s`;
    return most === 1 || (limit > 0 && available === 0) ? counted(most, one) : `all ${counted(most, one)}`;
  }
}
