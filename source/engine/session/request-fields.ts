/** `request:` of a run cell: fields of the body that have no setting of their own. */
import { requestSettings } from "../run-settings.ts";
import type { RequestFields } from "../run-settings-rows.ts";
import type { Json } from "../types.ts";

/** A value that does not fit; `expected` follows "Expected `NAME` to be" in the message. */
export class Unfit {
  readonly expected: string;
  constructor(expected: string) {
    this.expected = expected;
  }
}

/** What says the same as these fields, in words. */
const instead: ReadonlyMap<string, string> = new Map([
  ...requestSettings.map(({ name, sentAs }) => [sentAs, `\`${name}\` has a setting of its own`] as const),
  ["max_completion_tokens", "`maxTokens` has a setting of its own"],
  ["max_output_tokens", "`maxTokens` has a setting of its own"],
  ["model", "`model` has a setting of its own"],
  ["messages", "`strategy` decides them"],
  ["input", "`strategy` decides them"],
  ["tools", "`tools` and `strategy` decide them"],
  ["stream", "replies are always streamed"],
  ["stream_options", "tokens are always asked for"],
]);

/** Whether the fields say what form replies are to have, by either protocol's names. */
export function givesFormat({ response_format: format, text }: RequestFields): boolean {
  return format !== undefined || (typeof text === "object" && text !== null && "format" in text);
}

/** The fields of a body that may be set freely. */
export function readRequestFields(item: Json): RequestFields | Unfit {
  if (item === null || typeof item !== "object" || Array.isArray(item))
    return new Unfit("fields of a request and their values, such as `{reasoning_effort: low}`");
  const fields = item as { readonly [field: string]: Json };
  for (const [field, value] of Object.entries(fields)) {
    if (field === "__proto__") return new Unfit("without `__proto__`");
    const own = instead.get(field);
    if (own !== undefined) return new Unfit(`without \`${field}\` (${own})`);
    if (field === "n" && value !== 1)
      return new Unfit("without `n` above 1 (one reply is read; `trial` repeats a run)");
  }
  return fields;
}
