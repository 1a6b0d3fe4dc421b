/**
 * A protocol as one value: what builds the body of a request, sends it, reads the answer, and says what a refusal is about.
 * Requests and replies have one inner form, that of chat completions: servers of every protocol have the same peculiarities,
 * and one reader (`StreamedReply`) knows them.
 */
import type OpenAI from "openai";
import type { LeftOut } from "../../run-settings.ts";
import type { Adjustment, ModelRequest } from "../../types.ts";
import type { Adaptation, Body, Refused } from "./adaptation.ts";

export type SendOptions = {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  /** Infinity if the signal ends what takes too long. */
  readonly timeout: number;
};

export type WireProtocol = {
  /** Whether thinking goes back as the items it came in, instead of as text in a field. */
  readonly thinkingAsItems: boolean;
  /** Why it has no embeddings; absent if it has. */
  readonly noEmbeddings?: string;
  /** Returns the headers that authenticate a request. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** Returns what of a request it has no field for. */
  lacks(request: ModelRequest): readonly LeftOut[];
  /** Returns what is reported with a reply to this request. */
  adjustments(chat: Body): readonly Adjustment[];
  /** Builds what is sent, from the request in the words of chat completions. */
  body(chat: Body, without: ReadonlySet<Adaptation>): object;
  /** Resolves when the answer begins. Rejects with an error of the `openai` package. */
  send(client: OpenAI, body: object, options: SendOptions): Promise<Response>;
  /**
   * Returns a reader of one stream, which turns each of its values into chunks of chat completions. The reader throws
   * `MalformedChunk`, and `NoReply` if the reply failed.
   */
  read(body: object): (value: unknown) => readonly unknown[];
  /** Returns what to do differently in the next attempt; undefined if nothing helps. */
  refusal(refused: Refused): Adaptation | undefined;
};

/** Sends by POST to a path below the base URL. */
export function sendTo(path: `/${string}`): WireProtocol["send"] {
  return (client, body, options) => client.post(path, { body, ...options }).asResponse();
}

/** The usual header of a key. */
export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
