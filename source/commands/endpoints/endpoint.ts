/** `planwright endpoint`: adds, lists, tests and removes the user's model servers. */
import { separator } from "../../look/signs.ts";
import { refusableFields } from "../../engine/run-settings.ts";
import { tableLines } from "../../engine/settings/endpoint-table.ts";
import { printable } from "../../engine/text/printable.ts";
import { looksLikeKey, shownName } from "../../engine/settings/secret.ts";
import {
  apis,
  SettingsProblem,
  type Endpoint,
  type Settings,
  type SettingsStore,
} from "../../engine/settings/settings.ts";
import { ArgumentProblem, readArguments, type Arguments, type Flags } from "../shell/arguments.ts";
import type { EndpointContext } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { userSettings } from "../shell/user-settings.ts";
import { ModelProblem } from "../../engine/models/problem.ts";

export const endpointUsage = `planwright endpoint add NAME --base-url URL [--key-env VARIABLE] [--models A,B] [--concurrency N] [--rpm N] [--tpm N]
  [--price-input X --price-output Y [--price-cached X] [--price-reasoning Y] [--model M]] [--silence SECONDS]
  [--outage SECONDS] [--headers NAME=VARIABLE,...] [--query NAME=VALUE,...] [--refuses FIELD,...] [--identify] [--replace]
  [--api chat|responses|messages|auto]
planwright endpoint list [--json]
planwright endpoint remove NAME
planwright endpoint test NAME [--model M]

The key stays in the environment variable; only the name of the variable is saved. Prices are per million tokens, for one
model with --model, otherwise for all.

test checks models, streaming, tools, thinking, refused fields, context, speed and embeddings, and saves the results:
list shows them, and forms offer the models.

--rpm, --tpm  limits of requests and tokens per minute
--silence     idle timeout in seconds: aborts a reply if no data arrives for this long
--outage      seconds that a run waits for an endpoint that stopped answering; 900 by default
--headers     headers of every request; each value stays in the environment variable
--query       query parameters of every request, such as api-version=2024-10-21
--refuses     fields that this server does not accept and that are never sent: ${[...refusableFields.keys()].join(", ")}
--api         the protocol of its requests: chat (completions; the default), responses, messages (Anthropic's; the key is sent as
              x-api-key), or auto: chat, and responses if the server requires it
--identify    sends the name of the task with each request, which \`planwright serve-builtin\` needs
`;

export const endpointFlags: Flags = {
  "base-url": "text",
  "key-env": "text",
  models: "text",
  model: "text",
  concurrency: "text",
  rpm: "text",
  tpm: "text",
  "price-input": "text",
  "price-output": "text",
  "price-cached": "text",
  "price-reasoning": "text",
  silence: "text",
  outage: "text",
  headers: "text",
  query: "text",
  refuses: { words: [...refusableFields.keys()], several: true },
  api: { words: apis },
  identify: "nothing",
  replace: "nothing",
  json: "nothing",
};

/** Resolves to the exit status: 0, 1 if the endpoint failed its test, 2 for arguments that cannot be used. */
export async function endpointCommand(args: readonly string[], context: EndpointContext): Promise<number> {
  try {
    const read = readArguments(args, endpointFlags);
    const store = await userSettings(context);
    const [action, name] = read.positionals;
    if (action === "list") return listEndpoints(store, read, context);
    if (name === undefined && ["add", "remove", "test"].includes(action ?? ""))
      throw new ArgumentProblem(`Expected \`endpoint ${action} NAME\`, got no name`);
    if (read.positionals.length > 2) throw new ArgumentProblem(`Expected one name, got ${read.positionals.length - 1}`);
    if (action === "add") return await add(store, name!, read, context);
    if (action === "remove") return remove(store, name!, context);
    if (action === "test") return await tryEndpoint(store, name!, read.text("model"), context);
    throw new ArgumentProblem(`Expected add, list, remove or test, got \`${action ?? "nothing"}\``);
  } catch (error) {
    if (!(error instanceof ArgumentProblem || error instanceof SettingsProblem)) throw error;
    context.stderr(`${error.message}\n\n${endpointUsage}`);
    return 2;
  }
}

async function add(store: SettingsStore, name: string, read: Arguments, { stdout }: EndpointContext): Promise<number> {
  const { checkEndpoint } = await import("../../engine/settings/settings-check.ts");
  const endpoint = checkEndpoint(readEndpoint(name, read));
  refuseKeys(endpoint);
  store.change((settings) => {
    const others = settings.endpoints.filter((each) => each.name !== name);
    if (others.length < settings.endpoints.length && !read.flag("replace"))
      throw new ArgumentProblem(`Endpoint \`${name}\` already exists; replace it with \`--replace\``);
    return { ...untested(settings, name), endpoints: [...others, endpoint] };
  });
  stdout(`Added ${describe(endpoint)}\n`);
  if (endpoint.keyEnv !== undefined && (process.env[endpoint.keyEnv] ?? "") === "")
    stdout(`The environment variable ${endpoint.keyEnv} is not set; set it before you use the endpoint\n`);
  return 0;
}

/** Rejects a value that looks like a key, because it would be saved and shown as the name of a variable. */
function refuseKeys({ keyEnv, headers = {} }: Endpoint): void {
  const given = [["key-env", keyEnv], ...Object.values(headers).map((variable) => ["headers", variable])] as const;
  for (const [flag, variable] of given) {
    if (variable === undefined || process.env[variable] !== undefined || !looksLikeKey(variable)) continue;
    throw new ArgumentProblem(
      `Expected \`--${flag}\` to name an environment variable, got what looks like a key: put the key into a variable and give the variable's name`,
    );
  }
}

/** Removes an endpoint together with its test results. */
function untested({ tested = {}, ...settings }: Settings, name: string): Settings {
  const { [name]: _, ...others } = tested;
  return Object.keys(others).length === 0 ? settings : { ...settings, tested: others };
}

function readEndpoint(name: string, read: Arguments): object {
  const baseUrl = read.needed("base-url", "URL");
  const input = read.number("price-input", { least: 0 });
  const output = read.number("price-output", { least: 0 });
  if ((input === undefined) !== (output === undefined))
    throw new ArgumentProblem("Expected `--price-input` and `--price-output` together, got one");
  const more = Object.fromEntries(
    (["cached", "reasoning"] as const).flatMap((kind) => {
      const price = read.number(`price-${kind}`, { least: 0 });
      return price === undefined ? [] : [[kind, price]];
    }),
  );
  if (input === undefined && Object.keys(more).length > 0)
    throw new ArgumentProblem("Expected `--price-input` and `--price-output` together with other prices, got none");
  const fields = {
    name,
    baseUrl,
    api: read.text("api"),
    keyEnv: read.text("key-env"),
    headers: pairs(read, "headers", "VARIABLE"),
    query: pairs(read, "query", "VALUE"),
    refuses: list(read.text("refuses")),
    prices: input === undefined ? undefined : { [read.text("model") ?? "*"]: { input, output, ...more } },
    concurrency: read.number("concurrency", { least: 1, whole: true }),
    requestsPerMinute: read.number("rpm", { least: 1, whole: true }),
    tokensPerMinute: read.number("tpm", { least: 1, whole: true }),
    idleTimeout: read.number("silence", { least: 0 }),
    outageTimeout: read.number("outage", { least: 0 }),
    identify: read.flag("identify"),
    models: list(read.text("models")),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const list = (text: string | undefined): string[] | undefined => text?.split(",").map((part) => part.trim());

/** Parses `NAME=VALUE,NAME=VALUE`. */
function pairs(read: Arguments, flag: string, value: string): Record<string, string> | undefined {
  const parts = list(read.text(flag))?.map((part) => /^([^=]+)=(.*)$/s.exec(part));
  if (parts === undefined) return undefined;
  if (parts.includes(null)) throw new ArgumentProblem(`Expected \`--${flag} NAME=${value}\`, got a text without \`=\``);
  return Object.fromEntries(parts.map((part) => [part![1]!, part![2]!]));
}

function listEndpoints(store: SettingsStore, read: Arguments, { stdout }: EndpointContext): number {
  const { endpoints } = store.read();
  if (read.flag("json")) stdout(printedJson(endpoints.map(jsonOf), 2));
  else if (endpoints.length === 0) stdout("No endpoints yet; `planwright endpoint add` adds one\n");
  else for (const endpoint of endpoints) stdout(`${describe(endpoint)}\n${testedLine(store.read(), endpoint)}`);
  return 0;
}

/** Returns the result of the last test on one line. */
function testedLine({ tested = {} }: Settings, { name }: Endpoint): string {
  const table = Object.hasOwn(tested, name) ? tested[name] : undefined;
  if (table === undefined) return "";
  const lines = tableLines(table).map(([what, value]) => `${what} ${value}`);
  return `  tested with ${printable(`${table.model}: ${lines.join(separator)}`)}\n`;
}

/** Scripts read the idle timeout as `silence`, its name in version 0.1.0. */
const jsonOf = ({ idleTimeout: silence, ...endpoint }: Endpoint): object => ({ ...endpoint, silence });

function describe(endpoint: Endpoint): string {
  const { name, baseUrl, keyEnv, concurrency, requestsPerMinute, tokensPerMinute, idleTimeout, identify, models } =
    endpoint;
  const { headers = {}, query = {}, refuses = [] } = endpoint;
  return [
    `${name}  ${baseUrl}`,
    ...(endpoint.api === undefined ? [] : [`protocol ${endpoint.api}`]),
    keyEnv === undefined ? "no key" : `key in ${shownName(keyEnv)}`,
    `concurrency ${concurrency}`,
    ...(requestsPerMinute === undefined ? [] : [`${requestsPerMinute} requests a minute`]),
    ...(tokensPerMinute === undefined ? [] : [`${tokensPerMinute} tokens a minute`]),
    `idle timeout ${idleTimeout} s`,
    ...(endpoint.outageTimeout === undefined ? [] : [`outage limit ${endpoint.outageTimeout} s`]),
    ...Object.entries(headers).map(([header, variable]) => `header ${header} from ${shownName(variable)}`),
    ...Object.entries(query).map(([field, value]) => `query ${field}=${value}`),
    ...(refuses.length === 0 ? [] : [`never sends ${refuses.join(", ")}`]),
    ...(identify ? ["sends the name of the task"] : []),
    ...Object.entries(endpoint.prices ?? {}).map(
      ([model, { input, output, cached, reasoning }]) =>
        `prices of ${model === "*" ? "all models" : model} per million tokens: ${input} input${cached === undefined ? "" : ` (${cached} cached)`}, ${output} output${reasoning === undefined ? "" : ` (${reasoning} thinking)`}`,
    ),
    ...(models === undefined ? [] : [`models ${models.join(", ")}`]),
  ].join(separator);
}

function remove(store: SettingsStore, name: string, { stdout, stderr }: EndpointContext): number {
  const { endpoints } = store.read();
  if (!endpoints.some((each) => each.name === name)) {
    stderr(
      `Expected an endpoint (${endpoints.map((each) => each.name).join(", ") || "there are no endpoints yet"}), got \`${name}\`\n`,
    );
    return 2;
  }
  store.change((settings) => ({
    ...untested(settings, name),
    endpoints: settings.endpoints.filter((each) => each.name !== name),
  }));
  stdout(`Removed ${name}\n`);
  return 0;
}

/**
 * Resolves to the exit status: 0 if the model replied, otherwise 1. Throws `ArgumentProblem` if the endpoint or its model is
 * missing.
 */
async function tryEndpoint(
  store: SettingsStore,
  name: string,
  model: string | undefined,
  { stdout, stderr, signal }: EndpointContext,
): Promise<number> {
  const settings = store.read();
  const endpoint = settings.endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new ArgumentProblem(`Expected an existing endpoint, got \`${name}\``);
  const report = (line: string) => stderr(`${printable(line)}\n`);
  // Loaded only for a test, because other commands load this file to list its help.
  const [{ probeEndpoint }, { wayTo }] = await Promise.all([
    import("../../engine/models/probe.ts"),
    import("../../engine/models/network/proxy.ts"),
  ]);
  let found: Awaited<ReturnType<typeof probeEndpoint>>;
  try {
    stdout(`${"reached".padEnd(12)} ${printable(wayTo(endpoint.baseUrl, process.env))}\n`);
    found = await probeEndpoint(endpoint, { settings, model, environment: process.env, signal, report });
  } catch (error) {
    if (!signal.aborted && !(error instanceof ModelProblem)) throw error;
    stderr(`${printable((error as Error).message)}\n`);
    return 1;
  }
  if (found === undefined)
    throw new ArgumentProblem("Expected `--model M` because neither the endpoint nor its server lists models");
  const { id, text, table } = found;
  stdout(`${name}/${printable(id)} replied: ${printable(text.slice(0, 200))}\n`);
  for (const [what, value] of tableLines(table)) stdout(`${what.padEnd(12)} ${printable(value)}\n`);
  store.change((current) => ({ ...current, tested: { ...current.tested, [name]: table } }));
  return 0;
}
