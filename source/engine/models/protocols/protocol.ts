/**
 * A protocol as one value: it builds a request body, sends it, reads the answer and interprets a refusal. Requests and replies
 * have one internal form, that of chat completions: servers of every protocol have the same peculiarities, which one reader
 * (`StreamedReply`) handles.
 */
import type OpenAI from "openai";
import type { Adjustment, LeftOut } from "../../run-settings.ts";
import type { ModelRequest } from "../../types.ts";
import type { Adaptation, Body, Refused } from "./adaptation.ts";

export type SendOptions = {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  /** Infinity if the signal limits the time. */
  readonly timeout: number;
};

export type WireProtocol = {
  /** True if thinking is sent back as its original items instead of as text in a field. */
  readonly thinkingAsItems: boolean;
  /** The reason why the protocol has no embeddings; absent if it has embeddings. */
  readonly noEmbeddings?: string;
  /** Returns the headers that authenticate a request. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  /** Returns the settings of a request for which the protocol has no field. */
  lacks(request: ModelRequest): readonly LeftOut[];
  /** Returns remarks reported with a reply to this request. */
  adjustments(chat: Body): readonly Adjustment[];
  /** Builds the request body from the request as chat completions. */
  body(chat: Body, without: ReadonlySet<Adaptation>): object;
  /** Resolves when the answer begins. Rejects with an error of the `openai` package. */
  send(client: OpenAI, body: object, options: SendOptions): Promise<Response>;
  /**
   * Returns a reader of one stream, which converts its values to chunks of chat completions. The reader throws `MalformedChunk`
   * for a value that it cannot convert, and `NoReply` if the reply failed.
   */
  read(body: object): (value: unknown) => readonly unknown[];
  /** Returns the adaptation for the next attempt; undefined if no adaptation can help. */
  refusal(refused: Refused): Adaptation | undefined;
};

/** Sends by POST to a path below the base URL. */
export const sendTo =
  (path: `/${string}`): WireProtocol["send"] =>
  (client, body, options) =>
    client.post(path, { body, ...options }).asResponse();

/** The usual header for a key: `Authorization: Bearer`. */
export const bearer = (key: string | undefined) => (key === undefined ? {} : { authorization: `Bearer ${key}` });
