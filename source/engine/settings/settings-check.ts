/** The schema of the settings; apart from `settings.ts` so that the schema library is loaded only when settings are. */
import { z } from "zod";
import { refusableFields } from "../run-settings.ts";
import { apis, SettingsProblem } from "./settings.ts";
import type { Endpoint, Settings } from "./settings.ts";

const amount = z.number().min(0);
const price = z.strictObject({
  input: amount,
  output: amount,
  cached: amount.optional(),
  reasoning: amount.optional(),
});
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, "letters, digits and dashes (at most 64)");
const count = z.int().min(1);

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable");
const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "the name of a header");

const endpoint = z.strictObject({
  name: name.refine((text) => text !== "builtin", "another name than `builtin`, which is taken"),
  baseUrl: z.string().refine(isBaseUrl, "an http or https URL without user name, password, query or fragment"),
  api: z.enum(apis, `one of ${apis.join(", ")}`).optional(),
  keyEnv: variable.optional(),
  headers: z.record(header, variable).optional(),
  query: z.record(z.string().min(1), z.string()).optional(),
  refuses: z.array(z.enum([...refusableFields.keys()])).optional(),
  prices: z.record(z.string(), price).optional(),
  concurrency: count.max(1000).default(8),
  requestsPerMinute: count.optional(),
  tokensPerMinute: count.optional(),
  // A thinking model on a slow server may need minutes to its first token.
  idleTimeout: z.number().gt(0).max(86_400).default(300),
  outageTimeout: z
    .number()
    .min(0)
    .max(7 * 24 * 3600)
    .optional(),
  identify: z.boolean().default(false),
  models: z.array(z.string().min(1)).optional(),
});

const tested = z.object({
  model: z.string(),
  models: z.array(z.string()),
  api: z.literal("responses").optional(),
  streams: z.boolean(),
  tools: z.enum(["called", "not called", "refused"]),
  thinks: z.boolean(),
  refused: z.array(z.string()),
  context: count.optional(),
  firstToken: amount,
  tokensPerSecond: amount.optional(),
  embeddings: z.string(),
});

const settings = z.strictObject({
  endpoints: z
    .array(endpoint)
    .refine((all) => new Set(all.map((each) => each.name)).size === all.length, "names that differ")
    .default([]),
  data: z.record(z.string(), z.string()).default({}),
  tested: z.record(z.string(), tested).optional(),
});

/** Settings with defaults filled in. Throws `SettingsProblem` naming every wrong field, what was expected and what was found. */
export function checkSettings(value: unknown): Settings {
  const { endpoints } = (value ?? {}) as { readonly endpoints?: unknown };
  if (!Array.isArray(endpoints)) return read(settings, value) as Settings;
  return read(settings, { ...(value as object), endpoints: endpoints.map(currentNames) }) as Settings;
}

/** One endpoint with defaults filled in. Throws like `checkSettings`. */
export function checkEndpoint(value: unknown): Endpoint {
  return read(endpoint, currentNames(value)) as Endpoint;
}

/** Version 0.1.0 wrote `silence` for what is `idleTimeout` now. */
function currentNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("silence" in value) || "idleTimeout" in value) return value;
  const { silence: idleTimeout, ...others } = value;
  return { ...others, idleTimeout };
}

function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SettingsProblem(result.error.issues.map((issue) => messageOf(issue, value)).join("; "));
}

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  const field = issue.path.length === 0 ? "the settings" : issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") return `Expected no field \`${issue.keys.join("`, `")}\` in \`${field}\``;
  return `Expected \`${field}\` to be ${expected(issue)}, got \`${shown(valueAt(value, issue.path))}\``;
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`;
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username + password + search + hash === "";
}
