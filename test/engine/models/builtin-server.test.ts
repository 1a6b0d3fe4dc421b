import { describe, expect, it } from "vitest";
import { startBuiltinServer } from "../../../source/engine/models/builtin/builtin-server.ts";
import type { BuiltinServerOptions } from "../../../source/engine/models/builtin/builtin-server.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import { refuses, says, scriptedServer } from "./scripted-server.ts";
import type { Answer } from "./scripted-server.ts";
import { chunksOf, modelsAt, retriesOf, textOf, toyRequest, toySources } from "./toy.ts";

async function serving(options: Partial<BuiltinServerOptions> = {}) {
  const server = await startBuiltinServer({ sources: toySources, ...options });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

const all = (models: Models, count: number, name = "lab/oracle") =>
  Promise.all(Array.from({ length: count }, (_, task) => chunksOf(models.model(name), toyRequest({}, `t${task}`))));

describe("built-in models over HTTP", () => {
  it("give the same answers over HTTP as in process", async () => {
    await using server = await serving();
    const models = modelsAt(server.url, { identify: true });
    expect(textOf(await chunksOf(models.model("lab/oracle")))).toBe("right:t1");
    expect(textOf(await chunksOf(models.model("lab/slips?loud=1")))).toBe("loud:t1");
    await expect(chunksOf(models.model("lab/nobody"))).rejects.toThrow("400 Expected a built-in model");
  });

  it("reject requests without the identity of a task, and name the option that adds it", async () => {
    await using server = await serving();
    await expect(chunksOf(modelsAt(server.url).model("lab/oracle"))).rejects.toThrow("--identify");
  });

  it("can answer every request with filler text, streamed or whole", async () => {
    await using server = await serving({ lorem: 64 });
    const chunks = await chunksOf(modelsAt(server.url).model("lab/any"));
    expect(chunks.find((chunk) => chunk.type === "usage")).toMatchObject({ output: 64 });
    const asked = { model: "any", messages: [{ role: "user", content: "?" }] };
    const post = (body: object) =>
      fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
    const streamed = await (await post({ ...asked, stream: true })).text();
    expect(streamed.match(/"delta":\{"content":"[^"]+"\}/g)).toHaveLength(64);
    const whole = (await (await post(asked)).json()) as object;
    expect(whole).toMatchObject({ object: "chat.completion", usage: { completion_tokens: 64 } });
  });

  it("list themselves, and reject unknown names", async () => {
    await using server = await serving();
    const models = (await (await fetch(`${server.url}/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual(["oracle", "slips", "responder", "nothing", "filler"]);
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
    expect((await fetch(`${server.url}/chat/completions`, { method: "POST", body: "{" })).status).toBe(400);
  });
});

describe("injected faults", () => {
  it("include refusals above a number of concurrent requests, until a request ends", async () => {
    await using server = await serving({ lorem: 4, concurrency: 2, pace: 20, retryAfter: 0 });
    const models = modelsAt(server.url, { concurrency: 3 });
    const chunks = await all(models, 3, "lab/any");
    expect(chunks.map(textOf).every((text) => text !== "")).toBe(true);
    const retries = chunks.flatMap(retriesOf);
    expect(retries[0]).toMatchObject({ status: 429, error: "429 Too many requests: 2 at a time are taken" });
    expect(server.faults()).toMatchObject({ requests: 3 + retries.length, "429": retries.length });
  });

  it.each([
    ["429", { retryAfter: 0.01 }, "429 Too many requests"],
    ["500", {}, "500 Internal error"],
    ["cut", {}, "the stream broke off"],
    ["malformed", {}, "malformed stream"],
    ["stall", {}, "idle timeout after 0.5 seconds"],
  ] as const)("occur at the rate of their kind (%s), and runs recover from them", async (kind, more, words) => {
    await using server = await serving({ rates: { [kind]: 0.3 }, seed: 4, ...more });
    // Only a stall needs a short idle timeout: a busy machine may pause too.
    const idleTimeout = kind === "stall" ? 0.5 : 10;
    const replies = await all(modelsAt(server.url, { identify: true, idleTimeout }), 20);
    expect(replies.map(textOf)).toEqual(Array.from({ length: 20 }, (_, task) => `right:t${task}`));
    const retries = replies.flatMap(retriesOf);
    const counted = server.faults();
    expect(counted[kind]).toBe(retries.length);
    expect(counted["requests"]).toBe(20 + retries.length);
    expect(retries.length).toBeGreaterThan(1);
    for (const retry of retries) expect(retry.error).toContain(words);
  });

  it("hit the same requests with the same seed", async () => {
    const fates = async () => {
      await using server = await serving({ rates: { 500: 0.5 }, seed: 11, lorem: 1 });
      const statuses = [];
      const body = JSON.stringify({ model: "any", messages: [] });
      for (let count = 0; count < 20; count++)
        statuses.push((await fetch(`${server.url}/chat/completions`, { method: "POST", body })).status);
      return statuses;
    };
    const once = await fates();
    expect(await fates()).toEqual(once);
    expect(new Set(once)).toEqual(new Set([200, 500]));
  });

  it("reduce the concurrency if there are many refusals, but not after one refusal", async () => {
    const busy: Answer = refuses(429, { error: { message: "busy" } }, { "retry-after": "0" });
    const say = says("fine");
    await using server = await scriptedServer(busy, say, ...Array.from({ length: 10 }, () => busy), say);
    const models = modelsAt(server.url, { concurrency: 4 });
    const allowed = () => models.limiter("lab/m").state.allowed;
    await chunksOf(models.model("lab/m"));
    expect(allowed()).toBe(4);
    await all(models, 4, "lab/m");
    expect(allowed()).toBeLessThan(4);
  });
});
