/** Anthropic's Messages protocol. */
import { adaptationAfter, handsBack } from "../adaptation.ts";
import { sendTo, type WireProtocol } from "../protocol.ts";
import { MessageEvents } from "./message-events.ts";
import { maxTokensOf, messagesBody } from "./messages-body.ts";

/** The version of the protocol, which each request names. */
const version = "2023-06-01";

export const messages: WireProtocol = {
  thinkingAsItems: true,
  noEmbeddings: "the endpoint uses the Messages protocol (`api: messages`), which does not support embeddings",
  headers: (key) => ({ ...(key === undefined ? {} : { "x-api-key": key }), "anthropic-version": version }),
  lacks({ request }) {
    const format = request?.["response_format"] as { readonly type?: string } | undefined;
    // The protocol supports JSON replies with a schema, but not without one.
    return ["seed", "minP", ...(format !== undefined && format.type !== "json_schema" ? (["format"] as const) : [])];
  },
  adjustments: (chat) => [
    "asked-by-messages",
    ...(maxTokensOf(chat) === undefined ? (["max-tokens-by-default"] as const) : []),
  ],
  body: messagesBody,
  send: sendTo("/messages"),
  read() {
    const events = new MessageEvents();
    return (event) => events.chunks(event);
  },
  refusal(refused) {
    const { failure, request, chat } = refused;
    const { reasoning = "auto" } = request.asker.spec;
    // Sampling settings are refused together, while thinking, and by newer models; thinking is refused if its signature does not
    // fit the preceding content.
    if (failure.status === 400 && "top_p" in chat && /`temperature` and `top_p` cannot both/.test(failure.error))
      return "topP";
    const [, field] = /`(temperature|top_p)` (?:may only|must be) .{0,80}\bthinking/.exec(failure.error) ?? [];
    if (field !== undefined && field in chat) return field === "top_p" ? "topP" : "temperature";
    if (
      failure.status === 400 &&
      reasoning === "auto" &&
      handsBack(chat) &&
      /\bsignature\b|thinking.{0,40} (cannot|modified)/i.test(failure.error)
    )
      return "no-thinking-back";
    return adaptationAfter(refused);
  },
};
