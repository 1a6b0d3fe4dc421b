/** The table of protocols. */
import type { Endpoint } from "../../settings/settings.ts";
import { chat } from "./chat/chat.ts";
import { messages } from "./messages/messages.ts";
import type { WireProtocol } from "./protocol.ts";
import { responses } from "./responses/responses.ts";

const protocols = { chat, responses, messages } as const satisfies Readonly<Record<string, WireProtocol>>;

/** Returns the protocol of an endpoint. `auto` is chat completions until the server asks for Responses (`learnt`). */
export const protocolOf = ({ api = "chat" }: Endpoint, learnt: ReadonlySet<unknown> = new Set()): WireProtocol =>
  protocols[learnt.has("responses") ? "responses" : api === "auto" ? "chat" : api];
