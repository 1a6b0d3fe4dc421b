/** Whether a server refused a request because its prompt does not fit the model's context. */
import type { RequestFailure } from "./retry-policy.ts";

/** What servers write: OpenAI, vLLM, SGLang, llama.cpp, TGI, Anthropic, Gemini, Mistral, Bedrock, Groq. */
const wordings: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size_error|contextwindowexceeded/,
  /(maximum|max) context length/,
  /(exceeds?|longer than|larger than|beyond|outside) (of )?(the |its )?(available |maximum |model's |models )*(context|(input|model|sequence) length)/,
  /(context|model) (length|window|size)( limit)? (is |was )?(exceeded|too small)/,
  /prompt (is )?too long|input is too long|input length .{0,60} exceeds/,
  /input token count .{0,60} exceeds/,
  /`inputs` (tokens \+|must have less than)/,
  /reduce the length of the (messages|prompt|input)/,
];

/** A limit of requests or tokens a minute names tokens too, but comes with another status or says what it is. */
export function isTooLong({ kind, status, error, code = "" }: RequestFailure): boolean {
  if (kind !== "refused" || status === undefined || ![400, 413, 422].includes(status)) return false;
  const words = `${code} ${error.slice(0, 2000)}`.toLowerCase();
  return !/per (minute|day|hour)/.test(words) && wordings.some((wording) => wording.test(words));
}
