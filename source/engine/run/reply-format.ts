/** JSON replies for suites that read JSON: `response_format` requests them from the server. */
import type { Option } from "../option.ts";
import type { ReplyForm } from "../protocol.ts";
import type { RequestFields } from "../run-settings-rows.ts";
import type { Role, RunSpec } from "../types.ts";

export const formatOption: Option = {
  name: "format",
  title: "Replies as",
  values: ["free", "json", "schema"],
  default: "free",
  quiet: true,
  note: "requested from the server: json is any JSON object, schema the form that the suite reads",
};

/** Returns whether the run asks the server for the form of replies. */
export const asksForJson = ({ options }: Pick<RunSpec, "options">): boolean =>
  (options[formatOption.name] ?? formatOption.default) !== formatOption.default;

/** Returns whether the fields set the form of replies, under the names of any protocol. */
export const givesFormat = ({ response_format: format, text }: RequestFields): boolean =>
  format !== undefined || (typeof text === "object" && text !== null && "format" in text);

/** Returns the request field for the form of the reply, with the field's name in the protocol; empty for free-form replies. */
export function responseFormat(spec: Pick<RunSpec, "options">, form: ReplyForm | undefined, role: Role) {
  // `format` is about the replies that are measured; a judge is always asked for the form of its verdict.
  const isJudge = role === "judge";
  if (form === undefined || !(isJudge || asksForJson(spec))) return {};
  if (!isJudge && spec.options[formatOption.name] === "json") return { response_format: { type: "json_object" } };
  const { name, schema, strict } = form;
  return { response_format: { type: "json_schema", json_schema: { name, schema, strict } } };
}
