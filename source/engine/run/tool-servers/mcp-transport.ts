/** The stdio transport of the Model Context Protocol over a program of ours: one JSON value a line, each way. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { parseJson } from "../../text/json-record.ts";
import type { StartedProgram } from "../programs/started-program.ts";

/** Lines that are no JSON are passed over: programs write greetings. Messages are checked by whoever takes them. */
export function programTransport(program: StartedProgram): Transport {
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
