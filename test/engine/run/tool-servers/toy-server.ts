/**
 * A tool server for tests, from the protocol's own package. Arguments: a file to which it appends its process ids, its version, and
 * `clinging` if it must survive the end of its client.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { createServer } from "node:net";

// Tests start it hundreds of times, and most of each start is spent compiling the protocol's package.
enableCompileCache();
const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
const { CallToolRequestSchema, ListToolsRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");

const [, , started = "/dev/null", version = "1.0", manner] = process.argv;
const note = (pid: number | undefined) => appendFileSync(started, `${pid}\n`);

/** It survives when no process writes to it or reads from it, and ignores SIGTERM. */
function cling(): void {
  process.on("SIGTERM", () => {});
  process.stdout.on("error", () => {});
  createServer().listen(0, "127.0.0.1");
}
if (manner === "clinging") cling();
// Only now: a test that reads the number may kill the parent.
note(process.pid);

type Arguments = Readonly<Record<string, unknown>>;

const tools: Readonly<Record<string, (given: Arguments) => string | Promise<string>>> = {
  add: ({ a, b }) => String(Number(a) + Number(b)),
  repeat: ({ text }) => String(text),
  environment: () => JSON.stringify(process.env),
  escapes: () => "\u001b[2J\u001b]0;title\u0007gone",
  long: () => "x".repeat(100_000),
  endless: () => "x".repeat(11_000_000),
  fail: () => Promise.reject(new Error("out of order")),
  crash: () => process.exit(7),
  wait: () => new Promise<string>(() => {}),
  // Another process in its group, which outlives its parent.
  multiply: () => {
    const program = 'require("node:net").createServer().listen(0, "127.0.0.1")';
    const { pid } = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
    note(pid);
    return String(pid);
  },
  cling: () => {
    cling();
    return "held";
  },
};

const properties: Readonly<Record<string, object>> = {
  add: { a: { type: "number" }, b: { type: "number" } },
  repeat: { text: { type: "string" } },
};

const server = new Server({ name: "toy", version }, { capabilities: { tools: {} }, instructions: "Toys." });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.keys(tools).map((name) => ({
    name,
    description: `Does ${name}`,
    inputSchema: {
      type: "object" as const,
      properties: properties[name] ?? {},
      required: Object.keys(properties[name] ?? {}),
    },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
  return { content: [{ type: "text" as const, text: await tools[name]!(given) }] };
});
await server.connect(new StdioServerTransport());
