/** Whether the values of a chain file are of the types its calls take: if not, no task could be proved. */
import type { ParameterType } from "../catalogue.ts";
import { hasType } from "../parameters.ts";
import type { Call, CallParameter, ResultField, Source } from "./api-call.ts";
import type { ChainFile } from "./chain-file.ts";
import type { ProfileFields } from "./profile-fields.ts";

type Path = readonly (string | number)[];

/** Throws `DataProblem` at the value of a slot, or at the type where a profile field or the calendar gives the value. */
export function refuseWrongType(
  file: ChainFile,
  path: Path,
  { type, source }: { readonly type: ParameterType; readonly source: Source },
  slots: ReadonlyMap<string, readonly (string | number)[]>,
  fields: ProfileFields,
): void {
  if (source.from === "slot") {
    const wrong = slots.get(source.name)!.findIndex((value) => !hasType(type, value));
    if (wrong >= 0) file.refuse(["slots", source.name, wrong], `of type ${type}, as \`${path.join(".")}\` takes it`);
  }
  if (source.from === "date" && type !== "date") file.refuse([...path, "type"], "date, as `date: true` says a day");
  if (source.from === "profile") {
    const { values } = fields.get(source.name)!;
    const some = values === "phone" ? ["13012345678"] : values === "address" ? ["1 Mill Yard"] : values;
    if (!some.every((value) => hasType(type, value)))
      file.refuse([...path, "type"], `a type that every value of the profile field \`${source.name}\` has`);
  }
}

/** What results look like; an echo is of the type of what it echoes. */
const examples = { code: "AB-12345", name: "Silver Anchor", amount: 21.5 } as const;

/** Throws `DataProblem` at a parameter that takes a kind of value of another type. */
export function refuseWrongTypeTaken(file: ChainFile, calls: readonly Call[]): void {
  for (const [index, { parameters }] of calls.entries())
    for (const { name, type, source } of parameters)
      if (source.from === "takes" && !calls.every(({ results }) => results.every(fits(type, source.name))))
        file.refuse(["calls", index, "params", name, "type"], `a type that every \`${source.name}\` has`);
}

function fits(type: CallParameter["type"], kind: string) {
  return ({ gives, maker }: ResultField) =>
    gives !== kind || maker.make === "echo" || hasType(type, examples[maker.make]);
}
