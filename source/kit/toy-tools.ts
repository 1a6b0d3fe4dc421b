/** A tool that echoes its input, for testing suites whose runs name tools. */
import type { ToolSources } from "../engine/protocol.ts";
import type { ProgramIdentities } from "../engine/run/programs/program-identity.ts";

/** The name of the tools in cells. */
export const toys = "toys";

export const toyPrograms: ProgramIdentities = {
  toolServers: new Map([[toys, "built in"]]),
  agents: new Map(),
  processes: new Map(),
};

export const toyTools: ToolSources = {
  tokens: () => 20,
  open: async () => ({
    description: "Toys",
    tools: [
      {
        name: "echo",
        description: "Says it again",
        parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      },
    ],
    call: async ({ text }) => ({ ok: true, observation: text, status: "ok" }),
    close: async () => {},
  }),
};
