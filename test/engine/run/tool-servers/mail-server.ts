/** A mail server for tests. Argument: the file to which it appends a line for each mail. */
import { appendFileSync } from "node:fs";
import { enableCompileCache } from "node:module";

enableCompileCache();
const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
const { CallToolRequestSchema, ListToolsRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");

const [, , sent = "/dev/null"] = process.argv;
const text = { type: "string" };
const tools = [
  { name: "contact", description: "Returns who is to get the mail", inputSchema: { type: "object" as const } },
  { name: "send", description: "Sends a mail", inputSchema: { type: "object" as const, properties: { to: text } } },
];
const server = new Server({ name: "mail", version: "1.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  if (name === "send") appendFileSync(sent, `${String(given["to"])}\n`);
  return { content: [{ type: "text" as const, text: name === "send" ? `sent to ${String(given["to"])}` : "alice" }] };
});
await server.connect(new StdioServerTransport());
