/**
 * A connection to a tool server by the Model Context Protocol. Only this file imports the protocol's package, which is large,
 * when the first server is used.
 */
import { createHash } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import { Problem } from "../../problem.ts";
import type { ToolSource } from "../../protocol.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import type { ReportedServer, ToolServer } from "../../settings/user-program.ts";
import { isRecord, parseJson, field, canonicalJson } from "../../text/json-record.ts";
import { tokensOf } from "../../text/tokens.ts";
import type { Json, ToolResult, ToolSpec } from "../../types.ts";
import { hidingSecrets, valueOf } from "../programs/program-environment.ts";
import { StartedProgram, type ProgramPlace } from "../programs/started-program.ts";
import { counted } from "../../text/counted.ts";

/** Maximum number of bytes of an HTTP reply, and maximum number of tools of one server. More indicate a mistake or an attack. */
const longestReply = 10_000_000;
const mostTools = 1000;

export type McpConnection = ToolSource & { readonly reported: ReportedServer };

type Unconnected = Omit<ToolServer, "reported">;
type Way = {
  readonly transport: Transport;
  /** Resolves to why the connection ended. */
  readonly ended: Promise<string>;
  readonly hide: (text: string) => string;
  close(): Promise<void>;
};

/** Starts the server, or connects to it, and lists its tools. Throws `Problem` that names the server. */
export async function connectTo(server: Unconnected, place: ProgramPlace, signal: AbortSignal): Promise<McpConnection> {
  const way = server.url === undefined ? await startedWay(server, place) : addressedWay(server, server.url);
  const client = new Client({ name: "planwright", version: packageVersion() }, { jsonSchemaValidator: anything });
  const limits = { signal, timeout: server.seconds * 1000 };
  try {
    await client.connect(way.transport, limits);
    const tools = await toolsOf(client, limits);
    const { name = "", version = "", title } = client.getServerVersion() ?? {};
    const described = [title ?? name, client.getInstructions()].filter((text) => text !== undefined);
    const text = canonicalJson(tools);
    return {
      description: described.join(": "),
      tools,
      isOutside: true,
      reported: { name, version, tools: tools.length, tokens: tokensOf(text), hash: hashOf(text) },
      call: (call, until) => called(client, way, server, call, until),
      close: () => way.close(),
    };
  } catch (error) {
    await way.close();
    throw signal.aborted ? signal.reason : await lost(server, way, error);
  }
}

async function startedWay(server: Unconnected, place: ProgramPlace): Promise<Way> {
  const program = await StartedProgram.start(server, place);
  const hide = (text: string) => program.hide(text);
  return { transport: programTransport(program), ended: program.ended, hide, close: () => program.end() };
}

function addressedWay({ name, headers = {} }: Unconnected, url: string): Way {
  const values = Object.entries(headers).map(([header, variable]) => [header, valueOf(variable, name, process.env)]);
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const exceeded = () => {
    end("the server sent a reply of more than 10 MB");
    // Pending replies fail now instead of at their time limit.
    void transport.close();
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: Object.fromEntries(values) as Record<string, string> },
    fetch: boundedFetch(longestReply, exceeded),
  });
  const close = async () => {
    end("the connection was closed");
    // A server that has ended, or has no sessions, has nothing to terminate.
    await transport.terminateSession().catch(() => {});
    await transport.close();
  };
  return { transport, ended, hide: hidingSecrets(headers, process.env), close };
}

/** Results are read as text, so no schema from a server is compiled. */
const anything = { getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }) as never };

type Limits = { readonly signal: AbortSignal; readonly timeout: number };

/** Sorted by name, because some servers list tools in a different order each time. */
async function toolsOf(client: Client, limits: Limits): Promise<readonly ToolSpec[]> {
  const tools: ToolSpec[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "tools/list", params }, ListToolsResultSchema, limits);
    for (const { name, description = "", inputSchema } of page.tools)
      tools.push({ name, description, parameters: inputSchema as Json });
    if (tools.length > mostTools) throw new Problem("tool", `Expected at most ${mostTools} tools, got more`);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function called(
  client: Client,
  way: Way,
  server: Unconnected,
  { name, arguments: given }: Parameters<ToolSource["call"]>[0],
  signal: AbortSignal,
): Promise<ToolResult> {
  if (!isRecord(given)) return failed("Expected the arguments to be a JSON object", "arguments");
  const limits = { signal, timeout: server.seconds * 1000 };
  try {
    const params = { name, arguments: given as Record<string, unknown> };
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema, limits);
    const observation = way.hide(resultText(result as Json));
    return { ok: result.isError !== true, observation, status: result.isError === true ? "error" : "ok" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof McpError) || error.code === ErrorCode.ConnectionClosed) throw await lost(server, way, error);
    // A server that does not answer is not the model's failure.
    if (error.code === ErrorCode.RequestTimeout) throw await lost(server, way, error);
    return failed(way.hide(error.message), error.code);
  }
}

const failed = (observation: string, status: string | number): ToolResult => ({ ok: false, observation, status });

/** A fault that the protocol's package finds in an answer. */
type ProtocolIssue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** Returns the problem for a failure to reach a server. */
async function lost({ name, seconds }: Unconnected, way: Way, error: unknown): Promise<Problem> {
  if (error instanceof McpError && error.code === ErrorCode.ConnectionClosed)
    return new Problem("tool", `The tool server \`${name}\` has ended: ${await way.ended}`);
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return new Problem("tool", `The tool server \`${name}\` did not answer within ${counted(seconds, "second")}`);
  const { message, cause, issues } = error as Error & { readonly issues?: readonly ProtocolIssue[] };
  const [issue] = issues ?? [];
  if (issue !== undefined) {
    const why = way.hide(`\`${issue.path.join(".")}\`: ${issue.message}`);
    return new Problem("tool", `The tool server \`${name}\` violates the protocol: ${why}`);
  }
  const why = cause instanceof Error ? `${message} (${cause.message})` : message;
  return new Problem("tool", `The tool server \`${name}\` could not be called: ${way.hide(why)}`);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

function boundedFetch(most: number, exceeded: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    if (response.body === null) return response;
    let size = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= most) return controller.enqueue(chunk);
        controller.error(new Error(`Expected a reply of at most ${most} bytes, got more`));
        exceeded();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}

/** Ignores lines that are not JSON, such as greetings of programs. The reader of messages validates the others. */
function programTransport(program: StartedProgram): Transport {
  const transport: Transport = {
    async start() {
      void program.ended.then(() => transport.onclose?.());
      void read().catch((error: Error) => transport.onerror?.(error));
    },
    send: (message) => program.write(JSON.stringify(message)),
    close: () => program.end(),
  };
  async function read(): Promise<void> {
    for await (const line of program.lines()) {
      const message = parseJson(line);
      if (message !== undefined) transport.onmessage?.(message as JSONRPCMessage);
    }
  }
  return transport;
}

/** Most characters of a result shown to a model. */
const longest = 20_000;

/** Returns the texts of an MCP result, each on a new line; for other kinds of content, returns their kind. */
function resultText(result: Json): string {
  const content = field(result, "content");
  const parts = Array.isArray(content) ? (content as readonly Json[]).map(partText) : [];
  const structured = field(result, "structuredContent");
  const text = parts.length === 0 && structured !== undefined ? JSON.stringify(structured) : parts.join("\n");
  return text.length <= longest ? text : `${text.slice(0, longest)}\n(cut: ${text.length} characters in all)`;
}

function partText(part: Json): string {
  const text = field(part, "text");
  if (typeof text === "string") return text;
  const resource = field(part, "resource");
  const held = field(resource, "text");
  if (typeof held === "string") return held;
  const kind = field(part, "type");
  const about = isRecord(resource) ? resource : part;
  const named = [field(about, "mimeType"), field(about, "uri")].filter((each) => typeof each === "string");
  return `[${[typeof kind === "string" ? kind : "content", ...named].join(" ")}]`;
}
