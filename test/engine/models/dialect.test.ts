import { describe, expect, it } from "vitest";
import { refuses, says, scriptedServer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest } from "./toy.ts";

describe("a server that does not support all fields", () => {
  it("sends an equivalent field where a server refuses one by name, and remembers it", async () => {
    await using server = await scriptedServer(
      refuses(400, { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } }),
      refuses(400, { error: { message: "unknown field `stream_options`" } }),
      says("ok"),
    );
    const model = modelsAt(server.url).model("lab/m");
    const chunks = await chunksOf(model, toyRequest({ maxTokens: 9 }));
    expect(textOf(chunks)).toBe("ok");
    expect(retriesOf(chunks)).toHaveLength(2);
    expect(server.seen[2]!.body).toMatchObject({ max_completion_tokens: 9 });
    expect(Object.keys(server.seen[2]!.body)).not.toContain("stream_options");
    await chunksOf(model, toyRequest({ maxTokens: 9 }));
    expect(server.seen).toHaveLength(4);
  });

  it.each([
    ["Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."],
    ["Unsupported parameter: 'temperature' is not supported with this model."],
    ["`temperature` is deprecated for this model"],
  ])("asks without a temperature where the server takes none, and every reply says so: %s", async (message) => {
    await using server = await scriptedServer(refuses(400, { error: { message } }), says("ok"));
    const models = modelsAt(server.url);
    const request = toyRequest({ temperature: 0, topP: 0.9 });
    const first = await chunksOf(models.model("lab/o"), request);
    expect(retriesOf(first).map(({ error }) => error)).toEqual([`400 ${message}`]);
    expect(first.at(-1)).toEqual({ type: "finish", reason: "stop", without: ["temperature"] });
    expect(server.seen[0]!.body).toMatchObject({ temperature: 0, top_p: 0.9 });
    expect(server.seen[1]!.body).toMatchObject({ top_p: 0.9 });
    expect(Object.keys(server.seen[1]!.body)).not.toContain("temperature");
    const second = await chunksOf(models.model("lab/o"), request);
    expect(retriesOf(second)).toEqual([]);
    expect(second.at(-1)).toMatchObject({ without: ["temperature"] });
    const other = await chunksOf(models.model("lab/other"), request);
    expect(other.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(server.seen.at(-1)!.body).toMatchObject({ temperature: 0 });
  });

  it("leaves out top_p as well where both are refused", async () => {
    const both = refuses(400, { error: { message: "Unsupported parameters: 'temperature', 'top_p'" } });
    await using server = await scriptedServer(both, both, says("ok"));
    const chunks = await chunksOf(modelsAt(server.url).model("lab/o"), toyRequest({ temperature: 0, topP: 0.9 }));
    expect(chunks.at(-1)).toMatchObject({ without: ["temperature", "topP"] });
    expect(Object.keys(server.seen[2]!.body)).not.toEqual(expect.arrayContaining(["top_p"]));
  });

  it.each([
    ["Unsupported parameter: 'seed'"],
    ["temperature must be between 0 and 2"],
    ["`temperature` and `top_p` cannot both be specified for this model"],
  ])("keeps to what was asked for where the refusal is about something else: %s", async (message) => {
    await using server = await scriptedServer(refuses(400, { error: { message } }), says("never"));
    const asked = chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ temperature: 3, topP: 0.9, seed: 1 }));
    expect((await failure(asked)).message).toContain(message);
    expect(server.seen).toHaveLength(1);
  });

  it("restores a field it left out where that was not the cause", async () => {
    const message = "This model does not support tools (got temperature=0, tools=[])";
    const about = refuses(400, { error: { message } });
    await using server = await scriptedServer(about, about, says("ok"));
    const model = modelsAt(server.url).model("lab/m");
    const request = toyRequest({ temperature: 0 });
    expect((await failure(chunksOf(model, request))).message).toContain(message);
    expect(server.seen).toHaveLength(2);
    const later = await chunksOf(model, request);
    expect(later.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(server.seen[2]!.body).toMatchObject({ temperature: 0 });
  });
});
