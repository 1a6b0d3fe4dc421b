import { describe, expect, it } from "vitest";
import { delta, refuses, says, scriptedServer, stream } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest } from "./toy.ts";

describe("a server that does not support all fields", () => {
  it("gets an equivalent field in place of a field that its error names, also in later requests", async () => {
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
  ])("gets no temperature if it rejects the field, which every reply reports: %s", async (message) => {
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

  it("gets no top_p either if it rejects both fields", async () => {
    const both = refuses(400, { error: { message: "Unsupported parameters: 'temperature', 'top_p'" } });
    await using server = await scriptedServer(both, both, says("ok"));
    const chunks = await chunksOf(modelsAt(server.url).model("lab/o"), toyRequest({ temperature: 0, topP: 0.9 }));
    expect(chunks.at(-1)).toMatchObject({ without: ["temperature", "topP"] });
    expect(Object.keys(server.seen[2]!.body)).not.toEqual(expect.arrayContaining(["top_p"]));
  });

  it.each([
    ["Unsupported parameter: 'logit_bias'"],
    ["temperature must be between 0 and 2"],
    ["`temperature` and `top_p` cannot both be specified for this model"],
  ])("gets the requested fields if it rejects the request for another reason: %s", async (message) => {
    await using server = await scriptedServer(refuses(400, { error: { message } }), says("never"));
    const asked = chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ temperature: 3, topP: 0.9, seed: 1 }));
    expect((await failure(asked)).message).toContain(message);
    expect(server.seen).toHaveLength(1);
  });

  it("gets a field again if the request failed without the field, too", async () => {
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

/** Refusals of servers that do not accept all parameters, and the reports about them. */
const refusals = [
  ["seed", 400, { error: { message: "Unsupported parameter: 'seed' is not supported with this model." } }, "seed"],
  [
    "seed",
    422,
    {
      object: "error",
      message: { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
    },
    "seed",
  ],
  [
    "seed",
    400,
    [{ error: { code: 400, message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' } }],
    "seed",
  ],
  ["stop", 400, { error: { message: "Unsupported parameter: 'stop' is not supported with this model." } }, "stop"],
  [
    "temperature",
    400,
    { error: { message: "Only the default value is supported.", param: "temperature", code: "unsupported_value" } },
    "temperature",
  ],
  ["top_p", 400, { error: { message: "Unsupported value", param: "top_p" } }, "topP"],
  ["max_tokens", 400, { error: { message: "'max_tokens' is not supported, use max_completion_tokens" } }, "max_tokens"],
  [
    "stream_options",
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] },
    "stream_options",
  ],
] as const;

describe("adaptation to a server's refusal", () => {
  const request = toyRequest({ seed: 3, stop: ["END"], temperature: 0.5, topP: 0.9, maxTokens: 9 });

  it.each(refusals)("drops %s after status %i and %j", async (field, status, body, name) => {
    await using server = await scriptedServer((response, seen) =>
      (field in seen.body ? refuses(status, body) : says("ok"))(response, seen),
    );
    const model = modelsAt(server.url).model("lab/m");
    const chunks = await chunksOf(model, request);
    expect(textOf(chunks)).toBe("ok");
    expect(chunks.at(-1)).toMatchObject({ without: [name] });
    expect((await chunksOf(model, request)).at(-1)).toMatchObject({ without: [name] });
    expect(server.seen).toHaveLength(3);
  });

  it("drops max_tokens if the server rejects both its newer and its older name", async () => {
    await using server = await scriptedServer((response, seen) => {
      const field = ["max_tokens", "max_completion_tokens"].find((name) => name in seen.body);
      const refusal = refuses(400, { error: { message: `Unsupported parameter: '${field}'`, param: field } });
      (field === undefined ? says("ok") : refusal)(response, seen);
    });
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ maxTokens: 9 }));
    expect(chunks.at(-1)).toMatchObject({ without: ["maxTokens"] });
  });

  it("moves system messages into the first user message", async () => {
    await using server = await scriptedServer((response, seen) => {
      const roles = (seen.body["messages"] as { role: string }[]).map(({ role }) => role);
      const refusal = refuses(400, { object: "error", message: "System role not supported", code: 400 });
      (roles.includes("system") ? refusal : says("ok"))(response, seen);
    });
    const messages = [
      { role: "system", content: "Plan." },
      { role: "user", content: "Where?" },
    ] as const;
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ messages }));
    expect(chunks.at(-1)).toMatchObject({ without: ["system"] });
    expect(server.seen[1]!.body["messages"]).toEqual([{ role: "user", content: "Plan.\n\nWhere?" }]);
  });

  it("cuts the reply at rejected stop strings, even if a stop string is split between chunks", async () => {
    const refusal = refuses(400, { error: { message: "Unsupported parameter: 'stop'" } });
    const text = ["one", "\nObs", "ervation", " two"].map((content) => delta({ content }));
    await using server = await scriptedServer(refusal, stream(...text, delta({}, "stop")), says("no\nObs"));
    const model = modelsAt(server.url).model("lab/m");
    const asked = toyRequest({ stop: ["\nObservation"] });
    const chunks = await chunksOf(model, asked);
    expect(textOf(chunks)).toBe("one");
    expect(chunks.at(-1)).toEqual({ type: "finish", reason: "stop", without: ["stop"] });
    expect(textOf(await chunksOf(model, asked))).toBe("no\nObs");
  });

  it("can be configured by the endpoint in advance", async () => {
    await using server = await scriptedServer(says("ok"));
    const models = modelsAt(server.url, { refuses: ["seed", "temperature", "max_tokens"] });
    const chunks = await chunksOf(models.model("lab/m"), request);
    expect(chunks.at(-1)).toMatchObject({ without: ["seed", "temperature", "max_tokens"] });
    expect(server.seen[0]!.body).toMatchObject({ max_completion_tokens: 9, top_p: 0.9 });
    expect(server.seen[0]!.body).not.toHaveProperty("seed");
  });
});

describe("an endpoint's own headers and query", () => {
  const headers = { "api-key": "LAB_KEY", "X-Title": "LAB_TITLE" };
  const environment = { LAB_KEY: "secret-0123", LAB_TITLE: "Plan" };

  it("are sent with every request, and a secret header is never shown", async () => {
    await using server = await scriptedServer(refuses(401, { error: { message: "wrong key secret-0123" } }));
    const models = modelsAt(server.url, { headers, query: { "api-version": "2024-10-21" } }, environment);
    const problem = await failure(chunksOf(models.model("lab/m")));
    expect(server.seen[0]!.headers).toMatchObject({ "api-key": "secret-0123", "x-title": "Plan" });
    expect(server.seen[0]!.url).toBe("/v1/chat/completions?api-version=2024-10-21");
    expect(problem.message).toContain("wrong key [key]");
  });

  it("are reported if the environment variable has no value", () => {
    const models = modelsAt("http://127.0.0.1:1/v1", { headers }, { LAB_KEY: "secret-0123" });
    expect(models.problem("lab/m")).toBe(
      "Expected the header `X-Title` of endpoint `lab` in the environment variable `LAB_TITLE`, found none",
    );
  });
});

it("an endpoint's extra request fields are sent, but never override the program's own", async () => {
  await using server = await scriptedServer(says("ok"));
  const fields = { lab_field: 20, lab_fields: { inner: false } };
  await chunksOf(modelsAt(server.url).model("lab/m"), toyRequest({ request: { ...fields, model: "other" } }));
  expect(server.seen[0]!.body).toMatchObject({ ...fields, model: "m" });
});
