/**
 * The groups of the form's fields: the groups for the tasks and models are open; the groups for settings of requests and for
 * limits are folded until a field in them is set.
 */
import { settingNamed } from "../../engine/run-settings.ts";
import type { Setting } from "../../engine/run-settings-rows.ts";
import { systemOption } from "../../engine/option.ts";
import { type Field, fieldText } from "./form-fields.ts";
import type { FormValues } from "./form-values.ts";

export const groupTitles = { what: "What", asked: "Requests", limits: "Limits" } as const;
export type GroupName = keyof typeof groupTitles;

/** A row of the form: the title of a group, or a field. */
export type FormRow =
  | { readonly kind: "group"; readonly group: GroupName; readonly set: number; readonly standard: number }
  | { readonly kind: "field"; readonly field: Field };

/** Returns the group of a field. */
export function groupOfField(name: string): GroupName {
  if (/^(filter|budget)(\.|$)/.test(name) || name === "until" || name === "workers") return "limits";
  const { group }: Pick<Setting, "group"> = settingNamed(name) ?? {};
  const isHow = group === "sample" || group === "reply" || group === "predictions";
  return name !== "limit" && (isHow || name === systemOption.name || aboutAsking.has(name)) ? "asked" : "what";
}

const aboutAsking: ReadonlySet<string> = new Set(["judge", "prompts", "vary"]);

/** Returns the fields in the order of their groups; in the first group, the number of tasks comes last. */
export function inGroups(fields: readonly Field[]): readonly Field[] {
  const isLast = ({ name }: Field) => Number(name === "limit");
  return Object.keys(groupTitles).flatMap((group) =>
    fields.filter(({ name }) => groupOfField(name) === group).toSorted((a, b) => isLast(a) - isLast(b)),
  );
}

/** `opened` are the groups that were opened or folded by hand; the title of the first is no place for the cursor. */
export function formRows(
  fields: readonly Field[],
  values: FormValues,
  opened: ReadonlyMap<GroupName, boolean>,
): readonly FormRow[] {
  return (Object.keys(groupTitles) as GroupName[]).flatMap((group): readonly FormRow[] => {
    const own = fields.filter(({ name }) => groupOfField(name) === group);
    const set = own.filter((field) => fieldText(field, values).set).length;
    const isOpen = group === "what" || (opened.get(group) ?? set > 0);
    const title: FormRow = { kind: "group", group, set, standard: own.length - set };
    return own.length === 0 ? [] : [title, ...(isOpen ? own.map((field) => ({ kind: "field", field }) as const) : [])];
  });
}
