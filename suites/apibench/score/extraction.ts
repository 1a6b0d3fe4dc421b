/** The call in a model's reply, as the official Gorilla scripts cut it out. */

export type Hub = "torchhub" | "huggingface" | "tensorflowhub";
export const hubs: readonly Hub[] = ["torchhub", "huggingface", "tensorflowhub"];

/**
 * The text the official scripts parse as the call. Undefined where a TorchHub reply has no `api_call`: such a reply is
 * neither right nor a hallucination. The other hubs then use the whole reply. The odd slice of the field is the original's: from two
 * characters after the first colon to the last closing parenthesis, and without one up to the last character.
 */
export function extractCall(reply: string, hub: Hub): string | undefined {
  const pieces = reply.split("api_call");
  if (pieces[1] === undefined) return hub === "torchhub" ? undefined : reply;
  const piece = pieces[1].split("api_provider")[0]!;
  const characters = [...piece];
  const start = Math.max(0, characters.indexOf(":"));
  const last = characters.lastIndexOf(")");
  const end = last < 0 ? characters.length - 1 : last + 1;
  return characters.slice(start + 2, end).join("");
}
