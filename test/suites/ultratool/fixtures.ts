/** The expected values as on disk, and our values in their notation. */
import {
  kindOf,
  type PythonDict,
  type PythonFloat,
  type PythonSet,
  type PythonText,
  type PythonTuple,
  type PythonValue,
} from "../../../source/engine/python/value.ts";
import type { Json } from "../../../source/engine/types.ts";
import { sharedLines } from "../../shared.ts";

export type Expected = {
  readonly parse_ok: boolean;
  readonly evals: number;
  readonly parsed: Json;
  readonly global?: number;
  readonly local?: number;
  readonly pred_values?: readonly (number | string)[];
  readonly step_scores?: readonly number[];
  readonly pred_need_eval?: readonly { readonly step: string; readonly tool: Json }[];
  readonly crash_in_score?: string;
  readonly crash_in_match?: string;
};

export type Synthetic<Reference> = {
  readonly id: number;
  readonly kind: string;
  readonly reference: readonly Reference[];
  readonly output: string;
  readonly gpt: Expected;
  readonly other: Expected;
};

export const modes = ["gpt", "other"] as const;

export function synthetic<Reference>(name: string): Synthetic<Reference>[] {
  return sharedLines("conformance", "ultratool", `${name}.jsonl.gz`);
}

/** A value in the fixtures' notation: values that JSON cannot represent are tagged, and floats lose their point. */
export function tagged(value: PythonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  switch (kindOf(value)) {
    case undefined:
      return (value as readonly PythonValue[]).map(tagged);
    case "float":
      return (value as PythonFloat).value;
    case "tuple":
      return { $py: "tuple", items: (value as PythonTuple).items.map(tagged) };
    case "set":
      return { $py: "set", items: (value as PythonSet).items.map(tagged) };
    case "ellipsis":
      return { $py: "Ellipsis" };
    case "text":
      return String.fromCharCode(...(value as PythonText).codes);
    default:
      return Object.fromEntries(
        Array.from((value as PythonDict).entries.values(), ({ key, value: held }) => [
          String(tagged(key)),
          tagged(held),
        ]),
      );
  }
}
