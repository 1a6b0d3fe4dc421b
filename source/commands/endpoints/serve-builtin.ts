/** `planwright serve-builtin`: built-in models over HTTP, with injected faults on request. */
import { once } from "node:events";
import { LoadedSuites } from "../../engine/workbench/document/loaded-suites.ts";
import type { BuiltinSources } from "../../engine/models/builtin/builtin-reply.ts";
import type { BuiltinServerOptions } from "../../engine/models/builtin/builtin-server.ts";
import { type FaultKind, faultKinds, Faults } from "../../engine/models/builtin/faults.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import { printedJson } from "../shell/output.ts";
import type { CommandContext, EndpointContext } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";

export const serveBuiltinUsage = `planwright serve-builtin [--port 0] [--host 127.0.0.1] [--seed N]
  [--rate-429 P] [--rate-500 P] [--rate-cut P] [--rate-malformed P] [--rate-stall P] [--retry-after S]
  [--concurrency N] [--latency MS] [--pace MS] [--lorem] [--tokens N]

Serves the built-in models oracle, slips, responder, nothing and filler as an OpenAI-compatible server, by these names or with
\`builtin/\` before them (\`planwright endpoint add b --base-url URL --identify\`, then \`model: b/oracle\`). Each rate is the share of requests
with this fault, from 0 to 1. --concurrency refuses further simultaneous requests with 429. --latency is the time
before the first byte, --pace the time between tokens. --lorem replies to every request with --tokens tokens of filler text
(default 64). GET /v1/planwright/faults returns the number of faults, which the program also prints when it ends.
`;

export const serveBuiltinFlags: Flags = {
  port: "text",
  host: "text",
  seed: "text",
  "retry-after": "text",
  concurrency: "text",
  latency: "text",
  pace: "text",
  lorem: "nothing",
  tokens: "text",
  ...Object.fromEntries(faultKinds.map((kind) => [`rate-${kind}`, "text"] as const)),
};

/** Serves until the signal is aborted. Resolves to the exit status: 0, or 2 for arguments that cannot be used. */
export async function serveBuiltinCommand(
  args: readonly string[],
  context: EndpointContext & Pick<CommandContext, "own" | "suites">,
): Promise<number> {
  let options: Omit<BuiltinServerOptions, "sources">;
  try {
    options = readOptions(args);
  } catch (error) {
    if (!(error instanceof ArgumentProblem || error instanceof RangeError)) throw error;
    context.stderr(`${error.message}\n\n${serveBuiltinUsage}`);
    return 2;
  }
  const { startBuiltinServer } = await import("../../engine/models/builtin/builtin-server.ts");
  const settings = await userSettings(context);
  const loadedSuites = new LoadedSuites(context.suites, settings.read, context.own);
  let server;
  try {
    server = await startBuiltinServer({ ...options, sources: sourcesOf(loadedSuites) });
  } catch (error) {
    context.stderr(`Cannot listen: ${(error as Error).message}\n`);
    return 1;
  }
  context.stdout(`listening on ${server.url}\n`);
  if (!context.signal.aborted) await once(context.signal, "abort");
  await server.close();
  await loadedSuites.close();
  context.stdout(printedJson(server.faults()));
  return 0;
}

const sourcesOf = (loadedSuites: LoadedSuites): BuiltinSources => ({
  loadedFor: (suite, data) => loadedSuites.open(suite, data),
  taskFor: (suite, data, split, id) => loadedSuites.task(suite, data, split, id),
});

function readOptions(args: readonly string[]): Omit<BuiltinServerOptions, "sources"> {
  const read = readArguments(args, serveBuiltinFlags);
  if (read.positionals.length > 0) throw new ArgumentProblem(`Expected flags only, got \`${read.positionals[0]}\``);
  const rates: Partial<Record<FaultKind, number>> = {};
  for (const kind of faultKinds) rates[kind] = read.number(`rate-${kind}`, { least: 0, most: 1 }) ?? 0;
  // Throws if the rates are not valid together.
  new Faults(rates, 0);
  const tokens = read.number("tokens", { least: 1, most: 100_000, whole: true });
  if (tokens !== undefined && !read.flag("lorem"))
    throw new ArgumentProblem("Expected `--tokens` together with `--lorem`");
  const given = {
    host: read.text("host"),
    port: read.number("port", { least: 0, most: 65_535, whole: true }),
    seed: read.number("seed", { least: 0, whole: true }),
    retryAfter: read.number("retry-after", { least: 0 }),
    concurrency: read.number("concurrency", { least: 1, whole: true }),
    latency: read.number("latency", { least: 0, most: 600_000 }),
    pace: read.number("pace", { least: 0, most: 60_000 }),
    lorem: read.flag("lorem") ? (tokens ?? 64) : undefined,
  };
  return { rates, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
