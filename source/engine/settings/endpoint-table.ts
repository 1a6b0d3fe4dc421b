/** Protocols other than chat completions; the keys are the values of the setting `api`. */
const otherProtocols = { responses: "Responses", messages: "Messages" } as const;

/** Results of testing an endpoint. */
export type EndpointTable = {
  /** The model that was asked. */
  readonly model: string;
  /** All models the server lists. */
  readonly models: readonly string[];
  /** The protocol of the requests; chat completions if absent. */
  readonly api?: keyof typeof otherProtocols;
  /** False if a reply came in one piece. */
  readonly streams: boolean;
  readonly tools: "called" | "not called" | "refused";
  readonly thinks: boolean;
  /** Settings and fields omitted because the server refuses them. */
  readonly refused: readonly string[];
  /**
   * Numbers of the formats that this program writes. A number rises if an older program would read a file wrongly. It does not
   * rise for an additional field, because readers ignore unknown fields. A file without a number has format 1. Next to a number
   * above 1, `planwright` is the oldest version that reads it.
   */
  readonly context?: number;
  /** Seconds. */
  readonly firstToken: number;
  readonly tokensPerSecond?: number;
  /** Dimensions and largest batch, or why the server returns no embeddings. */
  readonly embeddings: string;
};

/** Returns the table in lines of a name and a value. */
export function tableLines(table: EndpointTable): readonly (readonly [string, string])[] {
  const { tokensPerSecond: speed, context } = table;
  return [
    ["models", table.models.join(", ") || "none listed"],
    ["protocol", table.api === undefined ? "chat completions" : otherProtocols[table.api]],
    ["streaming", table.streams ? "yes" : "no: the reply was not streamed"],
    ["tools", table.tools],
    ["thinking", table.thinks ? "yes" : "the reply has none"],
    ["refuses", table.refused.join(", ") || "none of the tried fields"],
    ["context", context === undefined ? "not reported" : `${context} tokens`],
    ["first token", `${table.firstToken.toFixed(2)} s`],
    ["speed", speed === undefined ? "not measurable without streaming" : `${speed.toFixed(1)} tokens/s`],
    ["embeddings", table.embeddings],
  ];
}
