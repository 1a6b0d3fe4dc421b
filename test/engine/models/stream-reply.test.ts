import { describe, expect, it, vi } from "vitest";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { delta, event, refuses, says, scriptedServer, stream } from "./scripted-server.ts";
import type { Answer } from "./scripted-server.ts";
import type { Chunk } from "../../../source/engine/types.ts";
import { chunksOf, failure, modelsAt, retriesOf, textOf, toyRequest } from "./toy.ts";

describe("a model behind an endpoint", () => {
  it("streams text, then usage as the server counts it, then the finish reason", async () => {
    await using server = await scriptedServer(says("Pick B"));
    expect(await chunksOf(modelsAt(server.url).model("lab/org/large-1"))).toEqual([
      { type: "text", text: "Pick B" },
      { type: "usage", input: 7, output: 3, estimated: false },
      { type: "finish", reason: "stop" },
    ]);
    expect(server.seen[0]!.body).toEqual({
      model: "org/large-1",
      messages: [{ role: "user", content: "Which plan?" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("sends sampling, stop strings, tools and earlier calls in the protocol's format", async () => {
    await using server = await scriptedServer(says("ok"));
    const call = { id: "c1", name: "find", text: '{"q":1}', arguments: { q: 1 } };
    const request = toyRequest({
      messages: [
        { role: "system", content: "Plan." },
        { role: "assistant", content: "", calls: [call] },
        { role: "tool", callId: "c1", content: "found" },
      ],
      tools: [{ name: "find", description: "Finds", parameters: { type: "object" } }],
      stop: ["\n"],
      temperature: 0,
      topP: 0.9,
      maxTokens: 50,
      seed: 3,
    });
    await chunksOf(modelsAt(server.url).model("lab/m"), request);
    expect(server.seen[0]!.body).toMatchObject({
      messages: [
        { role: "system", content: "Plan." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: '{"q":1}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "found" },
      ],
      tools: [{ type: "function", function: { name: "find", description: "Finds", parameters: { type: "object" } } }],
      stop: ["\n"],
      temperature: 0,
      top_p: 0.9,
      max_tokens: 50,
      seed: 3,
    });
  });

  it("estimates usage if the server reports none, and marks that usage as estimated", async () => {
    await using server = await scriptedServer(stream(delta({ content: "abcdefgh計画" }), delta({}, "stop")));
    const usage = (await chunksOf(modelsAt(server.url).model("lab/m"))).find((chunk) => chunk.type === "usage");
    expect(usage).toEqual({ type: "usage", input: 7, output: 4, estimated: true });
  });

  it("assembles tool calls from their chunks", async () => {
    const piece = (index: number, id: string | undefined, name: string | undefined, text: string) =>
      delta({ tool_calls: [{ index, id, function: { name, arguments: text } }] });
    await using server = await scriptedServer(
      stream(
        piece(0, "a", "find", ""),
        piece(0, undefined, undefined, '{"q":'),
        piece(1, "b", "book", "{not json"),
        piece(0, undefined, undefined, '"x"}'),
        delta({}, "tool_calls"),
      ),
    );
    const calls = (await chunksOf(modelsAt(server.url).model("lab/m"))).filter((chunk) => chunk.type === "call");
    expect(calls.map((chunk) => chunk.call)).toEqual([
      { id: "a", name: "find", text: '{"q":"x"}', arguments: { q: "x" } },
      { id: "b", name: "book", text: "{not json", arguments: undefined },
    ]);
  });

  it("distinguishes calls if a server numbers all of them 0", async () => {
    const whole = (id: string, text: string) =>
      delta({ tool_calls: [{ index: 0, id, function: { name: "find", arguments: text } }] });
    const more = delta({ tool_calls: [{ index: 0, function: { arguments: " " } }] });
    await using server = await scriptedServer(stream(whole("a", "[1]"), whole("b", "[2]"), more, delta({}, "stop")));
    const calls = (await chunksOf(modelsAt(server.url).model("lab/m"))).filter((chunk) => chunk.type === "call");
    expect(calls.map(({ call }) => [call.id, call.text])).toEqual([
      ["a", "[1]"],
      ["b", "[2] "],
    ]);
  });

  it("does not parse arguments nested so deep that recursion would overflow the stack", async () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const call = delta({ tool_calls: [{ index: 0, id: "a", function: { name: "find", arguments: deep } }] });
    await using server = await scriptedServer(stream(call, delta({}, "stop")));
    const found = (await chunksOf(modelsAt(server.url).model("lab/m"))).find((chunk) => chunk.type === "call");
    expect(found?.call).toMatchObject({ text: deep, arguments: undefined });
  });
});

describe("a request over an unreliable connection", () => {
  const started =
    (then: (response: Parameters<Answer>[0]) => void): Answer =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta({ content: "half of " }), () => then(response));
    };

  it("waits for a Retry-After, in seconds or as a date, and reports the wait", async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    await using server = await scriptedServer(
      refuses(429, { error: { message: "slow down" } }, { "retry-after": "200" }),
      refuses(503, { error: { message: "overloaded" } }, { "retry-after": date }),
      says("at last"),
    );
    const clock = openTestClock();
    // Longer than every other wait, so the next due timer is the next attempt.
    const reading = chunksOf(modelsAt(server.url, { idleTimeout: 1e6 }, {}, clock).model("lab/m"));
    await until(() => expect(clock.due()).toEqual([200_000]));
    await clock.advance(199_999);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    await until(() => expect([server.seen.length, clock.due()[0]! <= 600_000]).toEqual([2, true]));
    await clock.advance(600_000);
    const chunks = await reading;
    expect(textOf(chunks)).toBe("at last");
    const [first, second] = retriesOf(chunks);
    expect(first).toEqual({ type: "retry", attempt: 1, status: 429, error: "429 slow down", wait: 200_000 });
    expect(second).toMatchObject({ attempt: 2, status: 503 });
    expect(second!.wait).toBeLessThanOrEqual(600_000);
  });

  it.each([
    ["an internal error", refuses(500, { error: { message: "oops" } }), "500 oops"],
    ["a cut stream", started((response) => response.destroy()), "the stream broke off"],
    ["a stream that ends too early", started((response) => response.end()), "ended before"],
    ["a chunk that is not JSON", started((response) => response.end('data: {"choi\n\n')), "not JSON"],
    ["a chunk of another shape", stream('data: {"choices":"none"}\n\n'), "not a list"],
    ["a choice that is null", stream('data: {"choices":[null]}\n\n'), "malformed stream"],
    ["a delta of another shape", stream('data: {"choices":[{"delta":7}]}\n\n'), "not an object"],
    ["a chunk that is null", stream("data: null\n\n"), "not an object"],
    ["an error inside a stream", stream(event({ error: { message: "out of memory" } })), "out of memory"],
  ])("is retried after %s, and voids the text that was streamed before", async (_name, trouble, words) => {
    await using server = await scriptedServer(trouble, says("whole"));
    const written = vi.spyOn(console, "error");
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"));
    expect(textOf(chunks)).toBe("whole");
    expect(retriesOf(chunks)).toHaveLength(1);
    // A console message would overwrite the screen.
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
    expect(retriesOf(chunks)[0]!.error).toContain(words);
  });

  it("aborts a stream after the idle timeout, and retries", async () => {
    await using server = await scriptedServer(
      started(() => {}),
      says("awake"),
    );
    const clock = openTestClock();
    const chunks: Chunk[] = [];
    const reading = (async () => {
      for await (const chunk of modelsAt(server.url, { idleTimeout: 20 }, {}, clock)
        .model("lab/m")
        .stream(toyRequest()))
        chunks.push(chunk);
    })();
    await until(() => expect(textOf(chunks)).toBe("half of "));
    await clock.advance(19_999);
    expect(retriesOf(chunks)).toEqual([]);
    await clock.advance(1);
    await until(() =>
      expect(retriesOf(chunks)[0]!.error).toContain(
        "idle timeout after 20 seconds (change it with `planwright endpoint add --silence`",
      ),
    );
    await until(() => expect(clock.due()).toEqual([expect.any(Number)]));
    await clock.advance(1);
    await reading;
    expect(textOf(chunks)).toBe("awake");
    await until(() => expect(server.dropped()).toBe(1));
  });

  it("keeps a reply with a finish reason, even if the connection breaks after it", async () => {
    await using server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta({ content: "all said" }) + delta({}, "stop"), () => response.destroy());
    });
    const chunks = await chunksOf(modelsAt(server.url).model("lab/m"));
    expect(textOf(chunks)).toBe("all said");
    expect(chunks.find((chunk) => chunk.type === "usage")).toMatchObject({ estimated: true });
  });

  it("fails immediately with the server's message if a retry is useless", async () => {
    await using server = await scriptedServer(refuses(400, { detail: "no such model" }));
    const problem = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(problem).toMatchObject({ status: 400, attempts: 1 });
    expect(problem.message).toContain("no such model");
    expect(problem.message).toContain(server.url);
    expect(server.seen).toHaveLength(1);
  });

  it("gives up after the attempts its policy allows", async () => {
    await using server = await scriptedServer(refuses(500, { error: { message: "broken for good" } }));
    const problem = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(problem).toMatchObject({ status: 500, attempts: 4 });
    expect(problem.message).toContain("after 4 attempts: 500 broken for good");
    expect(server.seen).toHaveLength(4);
  });

  it("fails at once if a server asks for a wait of hours", async () => {
    await using server = await scriptedServer(
      refuses(429, { error: { message: "quota" } }, { "retry-after": "86400" }),
    );
    const problem = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(problem.message).toContain("asks to wait 86,400 seconds: 429 quota");
  });

  it("reports the endpoint in the error if no server listens at its address", async () => {
    const server = await scriptedServer(says("never"));
    await server[Symbol.asyncDispose]();
    const problem = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect(problem.message).toContain(server.url);
    expect(problem.message).toContain("ECONNREFUSED");
    expect(problem.attempts).toBe(4);
  });

  it("closes its socket when aborted in the middle of a stream", async () => {
    await using server = await scriptedServer(started(() => {}));
    const stop = new AbortController();
    const models = modelsAt(server.url);
    const played = (async () => {
      for await (const chunk of models.model("lab/m").stream(toyRequest({ signal: stop.signal })))
        if (chunk.type === "text") stop.abort();
    })();
    await expect(played).rejects.toMatchObject({ name: "AbortError" });
    await until(() => expect(server.dropped()).toBe(1));
    expect(models.limiter("lab/m").state.running).toBe(0);
  });

  it("stops waiting for another attempt when aborted", async () => {
    await using server = await scriptedServer(refuses(429, {}, { "retry-after": "600" }));
    const stop = new AbortController();
    const clock = openTestClock();
    const reading = chunksOf(
      modelsAt(server.url, { idleTimeout: 1e6 }, {}, clock).model("lab/m"),
      toyRequest({ signal: stop.signal }),
    );
    await until(() => expect(clock.due()).toEqual([600_000]));
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  it("reuses a connection whose answer has ended", async () => {
    await using server = await scriptedServer(says("again"));
    const model = modelsAt(server.url).model("lab/m");
    await until(async () => {
      expect(textOf(await chunksOf(model))).toBe("again");
      expect(server.seen.length).toBeGreaterThan(server.connections());
    });
    expect(server.dropped()).toBe(0);
  });

  it("closes the connection if the server does not end its answer within a second after the reply is complete", async () => {
    await using server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`${delta({ content: "all" }, "stop")}data: [DONE]\n\n: still here\n`);
    });
    const clock = openTestClock();
    const models = modelsAt(server.url, { idleTimeout: 20 }, {}, clock);
    const chunks = await chunksOf(models.model("lab/m"));
    expect(textOf(chunks)).toBe("all");
    expect(clock.due()).toEqual([1000]);
    // The server counts it among its accepted connections.
    expect(models.limiter("lab/m").state.running).toBe(1);
    await clock.advance(1000);
    await until(() => expect(server.dropped()).toBe(1));
    await until(() => expect(models.limiter("lab/m").state.running).toBe(0));
  });

  it("gives a slow reader everything that arrived before the connection broke", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index} `);
    await using server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(texts.map((content) => delta({ content })).join(""), () => response.destroy());
    }, says("whole"));
    const taken: Chunk[] = [];
    for await (const chunk of modelsAt(server.url).model("lab/m").stream(toyRequest())) {
      taken.push(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(
      textOf(
        taken.slice(
          0,
          taken.findIndex(({ type }) => type === "retry"),
        ),
      ),
    ).toBe(texts.join(""));
  });

  it("waits for a slow reader without losing anything", async () => {
    const text = "many words ".repeat(200_000);
    await using server = await scriptedServer(
      stream(...(text.match(/.{1,200}/g) ?? []).map((part) => delta({ content: part })), delta({}, "stop")),
    );
    let taken = "";
    for await (const chunk of modelsAt(server.url).model("lab/m").stream(toyRequest())) {
      if (chunk.type === "text") taken += chunk.text;
      await new Promise(setImmediate);
    }
    expect(taken).toBe(text);
  });

  it("releases the socket and its permit when the reader stops early", async () => {
    await using server = await scriptedServer(started(() => {}));
    const models = modelsAt(server.url);
    for await (const chunk of models.model("lab/m").stream(toyRequest())) if (chunk.type === "text") break;
    await until(() => expect(server.dropped()).toBe(1));
    expect(models.limiter("lab/m").state.running).toBe(0);
  });
});
