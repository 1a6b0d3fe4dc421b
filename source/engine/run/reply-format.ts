/** Replies as JSON for suites that read them: the server is asked for it by `response_format`. */
import type { Option } from "../option.ts";
import type { ReplyForm } from "../protocol.ts";
import type { RunSpec } from "../types.ts";

export const formatOption: Option = {
  name: "format",
  title: "Replies as",
  values: ["free", "json", "schema"],
  default: "free",
  quiet: true,
  note: "requested from the server: json is any JSON object, schema the form that the suite reads",
};

/** Returns whether the run asks the server for the form of replies. */
export function asksForJson({ options }: Pick<RunSpec, "options">): boolean {
  return (options[formatOption.name] ?? formatOption.default) !== formatOption.default;
}

/** Returns the request field, by the protocol's name; empty for free-form replies. */
export function responseFormat(
  spec: Pick<RunSpec, "options">,
  form: ReplyForm | undefined,
): { response_format?: object } {
  if (form === undefined || !asksForJson(spec)) return {};
  if (spec.options[formatOption.name] === "json") return { response_format: { type: "json_object" } };
  const { name, schema, strict } = form;
  return { response_format: { type: "json_schema", json_schema: { name, schema, strict } } };
}
