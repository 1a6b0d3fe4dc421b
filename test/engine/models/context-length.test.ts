import { describe, expect, test } from "vitest";
import { isTooLong } from "../../../source/engine/models/limits/retry-policy.ts";
import { ContextProblem } from "../../../source/engine/models/problem.ts";
import { refuses, scriptedServer } from "./scripted-server.ts";
import { chunksOf, modelsAt } from "./toy.ts";

const refused = (status: number, error: string) => isTooLong({ kind: "refused", status, error });

describe("a prompt longer than the model's context", () => {
  test.each([
    [400, "400 This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."],
    [400, "400 The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
    [400, "400 The input (123 tokens) is longer than the model's context length (100 tokens)."],
    [400, "400 the request exceeds the available context size. try increasing the context size"],
    [400, "400 Requested tokens (5000) exceed context window of 4096"],
    [400, "400 prompt is too long: 200001 tokens > 200000 maximum"],
    [400, "400 The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
    [400, "400 Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
    [422, "422 Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"],
    [413, "413 Please reduce the length of the messages or completion."],
    [400, "400 litellm.ContextWindowExceededError: too much"],
  ])("is recognised from %i %s", (status, error) => {
    expect(refused(status, error)).toBe(true);
  });

  test.each([
    [413, "413 Request too large: tokens per minute (TPM) 6000, please reduce the length of the messages"],
    [400, "400 max_tokens is too large: 999999. This model supports at most 16384 completion tokens"],
    [400, "400 Unsupported parameter: context"],
    [401, "401 prompt is too long"],
  ])("is not recognised from %i %s", (status, error) => {
    expect(refused(status, error)).toBe(false);
  });

  test("is recognised by the server's own error name, and is not sent again", async () => {
    const body = { error: { message: "Too much.", code: "context_length_exceeded" } };
    await using server = await scriptedServer(refuses(400, body));
    await expect(chunksOf(modelsAt(server.url).model("lab/m"))).rejects.toThrow(ContextProblem);
    expect(server.seen).toHaveLength(1);
  });
});
