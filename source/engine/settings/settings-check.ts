/** The schema of the settings; apart from `settings.ts` so that the schema library is loaded only when settings are. */
import { currentEndpoint } from "../migration/settings.ts";
import { z } from "zod";
import { refusableFields } from "../run-settings.ts";
import { readRedisUrl } from "./redis-place.ts";
import { looksLikeKey } from "./secret.ts";
import { valueAt } from "../work/value-at.ts";
import { apis, pictureSettings, SettingsProblem } from "./settings.ts";
import type { Endpoint, Settings } from "./settings.ts";
import type { ToolServer, UserProcess } from "./user-program.ts";
import { fallback } from "../work/fallback.ts";

const amount = z.number().min(0);
const price = z.strictObject({
  input: amount.describe("price of a million prompt tokens"),
  output: amount.describe("price of a million reply tokens"),
  cached: amount
    .optional()
    .describe("price of a million cached prompt tokens; the price of prompt tokens if not given"),
  reasoning: amount.optional().describe("price of a million thinking tokens; the price of reply tokens if not given"),
});
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, "letters, digits and dashes (at most 64)");
const count = z.int().min(1);

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable");
const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "the name of a header");

const endpoint = z.strictObject({
  name: name
    .refine((text) => text !== "builtin", "a name other than `builtin`, which is taken")
    .describe("the part before the model in `model: NAME/MODEL`"),
  baseUrl: z
    .string()
    .refine(isBaseUrl, "an http or https URL without user name, password, query or fragment")
    .describe("address of the server, such as http://127.0.0.1:8000/v1"),
  api: z
    .enum(apis, `one of ${apis.join(", ")}`)
    .optional()
    .describe(
      "protocol of the requests: chat completions, Responses, Messages, or auto (chat, or Responses if the server requires it); chat if not given",
    ),
  keyEnv: variable.optional().describe("the environment variable that holds the key"),
  headers: z
    .record(header, variable)
    .optional()
    .describe("headers of every request: for each header, the environment variable that holds its value"),
  query: z
    .record(z.string().min(1), z.string())
    .optional()
    .describe("query parameters of every request, such as api-version"),
  refuses: z
    .array(z.enum([...refusableFields.keys()]))
    .optional()
    .describe("fields of a request that the server does not accept; they are never sent"),
  prices: z.record(z.string(), price).optional().describe("prices by model; `*` means every other model"),
  concurrency: count.max(1000).default(8).describe("maximum number of requests in flight"),
  requestsPerMinute: count.optional().describe("maximum number of requests per minute"),
  tokensPerMinute: count.optional().describe("maximum number of tokens per minute"),
  // A thinking model on a slow server may need minutes to its first token.
  idleTimeout: z
    .number()
    .gt(0)
    .max(86_400)
    .default(300)
    .describe("seconds without data after which a request is cancelled and sent again"),
  outageTimeout: z
    .number()
    .min(0)
    .max(7 * 24 * 3600)
    .optional()
    .describe("seconds to wait for an endpoint that has stopped answering; 900 by default"),
  identify: z
    .boolean()
    .default(false)
    .describe("true: each request contains the name of its task, which `planwright serve-builtin` needs"),
  models: z.array(z.string().min(1)).optional().describe("models of the endpoint that forms offer"),
});

const tested = z.object({
  model: z.string().describe("the tested model"),
  models: z.array(z.string()).describe("the models that the server lists"),
  api: z.enum(["responses", "messages"]).optional().describe("the protocol, if it is not chat completions"),
  streams: z.boolean().describe("false: the reply was not streamed"),
  tools: z.enum(["called", "not called", "refused"]).describe("whether the model called an offered tool"),
  thinks: z.boolean().describe("whether the reply contained thinking"),
  refused: z.array(z.string()).describe("fields of a request that the server refused"),
  context: count.optional().describe("maximum tokens of prompt and reply together"),
  firstToken: amount.describe("seconds to the first token"),
  tokensPerSecond: amount.optional().describe("tokens per second of a reply, after the first token"),
  embeddings: z.string().describe("dimensions and largest batch, or why the server returns no embeddings"),
});

/** Values of `tools:` other than names of tool servers. */
const waysToCall = ["native", "text", "auto"];

const program = {
  name: name
    .refine(
      (text) => !waysToCall.includes(text),
      `a name other than ${waysToCall.join(", ")}, which \`tools\` already uses`,
    )
    .describe("name of the program in run cells"),
  command: z
    .array(z.string().regex(/^[^\0]*$/, "text without a null character"))
    .min(1)
    .optional()
    .describe("the program and its arguments"),
  folder: z.string().optional().describe("the folder in which the program starts"),
  environment: z
    .record(variable, variable)
    .optional()
    .describe(
      "environment variables of the program: for each name, the variable in Planwright's environment that holds the value",
    ),
  kept: z
    .literal(true)
    .optional()
    .describe("true: one process serves all tasks; if not given, each task has its own process"),
  seconds: z
    .number()
    .gt(0)
    .max(86_400)
    .describe("time limit of each start and each call; for an agent or a process, of a whole task"),
  megabytes: z.number().gt(0).describe("maximum memory of all processes of the program together"),
};

const toolServer = z
  .strictObject({
    ...program,
    url: z
      .string()
      .refine(isBaseUrl, "an http or https URL without user name, password, query or fragment")
      .optional()
      .describe("address of a server that is reached by HTTP instead of being started"),
    headers: z
      .record(header, variable)
      .optional()
      .describe("headers of every request: for each header, the environment variable that holds its value"),
    reported: z
      .strictObject({
        name: z.string().describe("the name that the server reports"),
        version: z.string().describe("the version that the program reports"),
        tools: z.int().min(0).describe("number of tools of the server"),
        tokens: z.int().min(0).describe("approximate number of prompt tokens for the tools"),
        hash: z.string().describe("hash of the tools"),
      })
      .describe("description of the program at the last test; runs with another description are different runs"),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), "a command or a URL");

const agent = z.strictObject(program).refine(({ command }) => command !== undefined, "a command");

const process = z
  .strictObject({
    ...program,
    reported: z
      .strictObject({
        name: z.string().describe("the name that the process reports"),
        version: z.string().describe("the version that the program reports"),
        atOnce: count.describe("maximum number of tasks that the process works on at the same time"),
        models: z
          .array(z.enum(["oracle", "nothing"]))
          .optional()
          .describe("models that the process provides"),
        tasks: count.describe("number of tasks of the process"),
        hash: z
          .string()
          .regex(/^[0-9a-f]{16}$/, "16 hexadecimal digits")
          .describe("hash of the tasks"),
      })
      .describe("description of the program at the last test; runs with another description are different runs"),
  })
  .refine(({ command }) => command !== undefined, "a command");

const redis = z
  .string()
  .refine(isRedisUrl, "an address such as redis://HOST:6379 or rediss://HOST:6379, without user name and password");
const workers = z.strictObject({
  url: redis.describe(
    "address of the Redis of the workers: redis://HOST:PORT, or rediss:// for an encrypted connection",
  ),
  use: z.boolean().default(true).describe("false: the address is kept, and runs are executed here"),
});

const namesDiffer = (all: readonly { readonly name: string }[]) =>
  new Set(all.map((each) => each.name)).size === all.length;

const fields = {
  format: z.int().min(1).optional().describe("the format of this file; 1 if not given"),
  $schema: z.string().optional().describe("location of this file's schema, for editors: `planwright schema settings`"),
  endpoints: z.array(endpoint).refine(namesDiffer, "unique names").default([]).describe("model servers"),
  data: z.record(z.string(), z.string()).default({}).describe("folders of published data, by benchmark"),
  ownData: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe("folders of your own tasks in a benchmark's layout, by benchmark and name"),
  links: z
    .record(z.string(), z.string())
    .optional()
    .describe("allowed links out of session folders: the target of each link, by the link's path"),
  with: z
    .array(z.string().min(1))
    .optional()
    .describe("files of your own code that every command loads like `--with`; relative to the settings"),
  tested: z
    .record(z.string(), tested)
    .optional()
    .describe("results of the last test of each endpoint, by the endpoint's name"),
  toolServers: z.array(toolServer).refine(namesDiffer, "unique names").optional().describe("tool servers (MCP)"),
  agents: z.array(agent).refine(namesDiffer, "unique names").optional().describe("your own programs that answer tasks"),
  processes: z
    .array(process)
    .refine(namesDiffer, "unique names")
    .optional()
    .describe("your own programs that provide tasks"),
  allowed: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      "for each folder, by its path: the tool servers, agents, processes, workers and notebook code that its sessions may use",
    ),
  workers: workers.optional().describe("the Redis of workers that execute runs instead of this program"),
  unencrypted: z
    .array(redis)
    .optional()
    .describe("addresses of Redis servers on other machines that may receive the password unencrypted"),
  pictures: z
    .enum(pictureSettings)
    .optional()
    .describe("shows charts as pictures: `kitty` or `iterm`, the protocol of the terminal; default `off`"),
  mouse: z.boolean().optional().describe("true: notebooks use the mouse, as with `--mouse`"),
  person: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine(
      (text) => !text.startsWith("model:"),
      "a name other than `model:...`, which is reserved for labels by models",
    )
    .optional()
    .describe("your name in the codes of a session; the login name if not given"),
};
const settings = z.strictObject(fields);
/** Accepts other fields of written settings: a newer program wrote them, so they are not typing mistakes. */
const writtenSettings = z.looseObject(fields);

/** Returns the JSON schema (draft 7) of the settings, for editors. */
export const settingsSchema = (): object => z.toJSONSchema(settings, { target: "draft-7", io: "input" });

/**
 * Returns settings with defaults filled in. Throws `SettingsProblem` naming every wrong field, the expectation and the value
 * found.
 */
export function checkSettings(value: unknown): Settings {
  const { endpoints, format } = (value ?? {}) as { readonly endpoints?: unknown; readonly format?: unknown };
  const schema = format === undefined ? settings : writtenSettings;
  if (!Array.isArray(endpoints)) return read(schema, value) as Settings;
  return read(schema, { ...(value as object), endpoints: endpoints.map(currentEndpoint) }) as Settings;
}

/** Returns one endpoint with defaults filled in. Throws like `checkSettings`. */
export const checkEndpoint = (value: unknown): Endpoint => read(endpoint, currentEndpoint(value)) as Endpoint;

/** Checks a tool server. Throws like `checkSettings`. */
export const checkToolServer = (value: unknown): ToolServer => read(toolServer, value) as ToolServer;

/** Checks a process. Throws like `checkSettings`. */
export const checkProcess = (value: unknown): UserProcess => read(process, value) as UserProcess;

function read(schema: z.ZodType, value: unknown): unknown {
  refusePrototype(value, []);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SettingsProblem(result.error.issues.map((issue) => messageOf(issue, value)).join("; "));
}

/** The schema ignores a field of this name. */
function refusePrototype(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) throw new SettingsProblem(unknownField(["__proto__"], path));
  for (const [key, inner] of Object.entries(value)) refusePrototype(inner, [...path, key]);
}

function unknownField(keys: readonly string[], path: readonly PropertyKey[]): string {
  return `Expected no field \`${keys.join("`, `")}\` in \`${fieldAt(path)}\``;
}

const fieldAt = (path: readonly PropertyKey[]) => (path.length === 0 ? "the settings" : path.map(String).join("."));

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") return unknownField(issue.keys, path);
  // A name may have been replaced by a whole header with its key.
  if (issue.code === "invalid_key")
    return `Expected the fields of \`${fieldAt(path.slice(0, -1))}\` to be ${expected(issue.issues[0] ?? issue)}`;
  return `Expected \`${fieldAt(path)}\` to be ${expected(issue)}, got ${shown(valueAt(value, path), path)}`;
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

/** Fields that never contain a key. */
const quotable: ReadonlySet<PropertyKey> = new Set(["name", "refuses"]);

/**
 * Returns a value for an error message: numbers and similar values unchanged, but only a description of a string, because any
 * field may contain a key by mistake.
 */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return `\`${String(value)}\``;
  if (value === "") return "an empty text";
  const field = path.findLast((key) => typeof key === "string");
  if (field === "baseUrl" || field === "url") return urlInWords(value);
  return quotable.has(field ?? "") && value.length <= 80 && !looksLikeKey(value)
    ? `\`${value}\``
    : "a text that is not shown because it may be a key";
}

function urlInWords(text: string): string {
  if (!URL.canParse(text)) return "a text that is not a URL";
  const { protocol, host, username, password, search, hash } = new URL(text);
  const parts = [
    ...(username + password === "" ? [] : ["a user name or password"]),
    ...(search === "" ? [] : ["a query"]),
    ...(hash === "" ? [] : ["a fragment"]),
  ];
  return `a URL with ${protocol}//${host}${parts.length === 0 ? "" : ` and ${parts.join(" and ")}`}`;
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username + password + search + hash === "";
}

function isRedisUrl(text: string): boolean {
  return fallback(() => readRedisUrl(text).port > 0, false);
}
