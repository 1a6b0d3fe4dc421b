/** Whether a value is of the type a function's description says, or of that of the answers accepted (`type_checker`). */
import { isList, typeOf, type TypeName, type Value } from "./value.ts";

/** `as-accepted`: of the type of the accepted answers, which is another than the description's (a variable's name, for one). */
export type Fit = "as-typed" | "as-accepted" | "wrong-type";

export function typeCheck(
  value: Value,
  accepted: readonly Value[],
  { type, items }: { readonly type: string; readonly items?: string },
): Fit {
  const known = acceptedType(accepted);
  const usual: Fit = known === undefined || known === type ? "as-typed" : "as-accepted";
  if (typeOf(value) !== type) return typeOf(value) === known ? "as-accepted" : "wrong-type";
  if (items === undefined) return usual;
  // One level deep, as there. An accepted answer that is no list fits whatever the items are.
  const fits = accepted.some(
    (answer) =>
      !isList(answer) ||
      (isList(value) && value.every((item) => typeCheck(item, answer, { type: items }) !== "wrong-type")),
  );
  return fits ? usual : "wrong-type";
}

/** The type of the first accepted answer that is not an empty text, which says that the argument may be left out. */
function acceptedType(accepted: readonly Value[]): TypeName | undefined {
  const first = accepted.find((answer) => answer !== "");
  return first === undefined ? undefined : typeOf(first);
}
