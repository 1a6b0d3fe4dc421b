import { describe, expect, it, vi } from "vitest";
import { createEmbeddings } from "../../../source/engine/models/embeddings.ts";
import { Limiter } from "../../../source/engine/models/limits/limiter.ts";
import { refuses, says, scriptedServer } from "./scripted-server.ts";
import type { Answer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, toyRequest } from "./toy.ts";
import { until } from "../../until.ts";

describe("API keys", () => {
  const key = "sk-very-secret-0123456789";

  it("come from the environment, and never appear in an error", async () => {
    const echo: Answer = (response, { headers }) =>
      refuses(401, { error: { message: `bad key ${key} in ${headers.authorization}` } })(response, {
        url: "",
        headers,
        body: {},
      });
    await using server = await scriptedServer(refuses(500, { error: { message: `${key}!` } }), echo);
    const model = modelsAt(server.url, { keyEnv: "LAB_KEY" }, { LAB_KEY: key }).model("lab/m");
    const told: string[] = [];
    const played = (async () => {
      for await (const chunk of model.stream(toyRequest())) if (chunk.type === "retry") told.push(chunk.error);
    })();
    const problem = await failure(played);
    expect(server.seen[1]!.headers.authorization).toBe(`Bearer ${key}`);
    expect(told).toEqual(["500 [key]!"]);
    expect(problem.message).toContain("401 bad key [key] in Bearer [key]");
    expect(JSON.stringify([problem.message, problem.stack, problem.cause])).not.toContain(key);
  });

  it("are reported by the name of the environment variable before anything is sent if the variable is not set", async () => {
    await using server = await scriptedServer(says("never"));
    const models = modelsAt(server.url, { keyEnv: "LAB_KEY" });
    const problem = await failure(chunksOf(models.model("lab/m")));
    expect(problem.message).toContain("`LAB_KEY`");
    expect(models.problem("lab/m")).toBe(problem.message);
    // A caller may prepare for requests without first asking if any are possible.
    await models.ready("lab/m");
    await models.ready("nowhere/m");
    expect(server.seen).toHaveLength(0);
  });

  it.each(["two\nlines", "ключ", "\u201cquoted\u201d", "a\u0000b", "a\u007fb"])(
    "are reported without their value if they are invalid in a header: %j",
    async (unsendable) => {
      await using server = await scriptedServer(says("never"));
      const models = modelsAt(server.url, { keyEnv: "LAB_KEY" }, { LAB_KEY: unsendable });
      const problem = await failure(chunksOf(models.model("lab/m")));
      expect(problem.message).toBe(
        "Expected the key of endpoint `lab` to be one line of plain letters, digits and signs; the value of the environment variable `LAB_KEY` cannot be sent",
      );
      expect(server.seen).toHaveLength(0);
    },
  );

  it("are not shown if a user configured the key in place of the variable's name", async () => {
    const models = modelsAt("http://127.0.0.1:1", { keyEnv: "hf_abcdefghijKLMNOPqrstuvwxyzABCDEFGH" });
    const { message } = await failure(chunksOf(models.model("lab/m")));
    expect(message).toBe("Expected the key of endpoint `lab` in the environment variable `[key]`, found none");
  });

  it("are not sent to other services", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-of-someone-else");
    await using server = await scriptedServer(says("ok"));
    await chunksOf(modelsAt(server.url).model("lab/m"));
    expect(server.seen[0]!.headers.authorization).toBeUndefined();
  });

  it("are sent, like task identities, only to servers that require them", async () => {
    await using server = await scriptedServer(says("ok"));
    await chunksOf(modelsAt(server.url).model("lab/m"));
    await chunksOf(modelsAt(server.url, { identify: true }).model("lab/m"));
    expect(server.seen.map(({ headers }) => headers["x-planwright-task"] !== undefined)).toEqual([false, true]);
  });
});

describe("names of models", () => {
  it("are checked, and a wrong name gives an error", () => {
    const models = modelsAt("http://127.0.0.1:1/v1");
    expect(models.problem("gpt")).toContain("`endpoint/model`");
    expect(models.problem("elsewhere/m")).toContain("(builtin, lab), got `elsewhere`");
    expect(models.problem("builtin/nobody")).toContain("got `nobody`");
    expect(models.problem("lab/org/m")).toBeUndefined();
  });

  it("have the price of their model, or of all models", () => {
    const prices = { big: { input: 5, output: 9 }, "*": { input: 1, output: 2 } };
    const models = modelsAt("http://127.0.0.1:1/v1", { prices });
    expect(models.model("lab/big").price).toEqual({ input: 5, output: 9 });
    expect(models.model("lab/toString").price).toEqual({ input: 1, output: 2 });
    expect(modelsAt("http://127.0.0.1:1/v1").model("lab/big").price).toBeUndefined();
  });
});

describe("embeddings", () => {
  async function asked(url: string, idleTimeout: number) {
    const lab = { name: "lab", baseUrl: url, concurrency: 1, idleTimeout, identify: false };
    const { embeddings } = await createEmbeddings("lab/m", {
      settings: { endpoints: [lab], data: {} },
      limiter: new Limiter(lab),
      policy: { attempts: 1 },
      environment: {},
    });
    const { signal } = new AbortController();
    return failure(embeddings.create({ model: "m", input: ["a"], encoding_format: "float" }, { signal }));
  }

  it("are rejected with the server's words if the answer contains no vectors", async () => {
    await using server = await scriptedServer(refuses(200, { error: { message: "this model does not embed" } }));
    const { message } = await asked(server.url, 60);
    expect(message).toContain("answered without vectors");
    expect(message).toContain("this model does not embed");
    expect(server.seen).toHaveLength(1);
  });

  it("wait half a minute longer for a silent server than streams wait for the next chunk", async () => {
    await using server = await scriptedServer(() => {});
    expect((await asked(server.url, -29.99)).message).toContain("no connection: This operation was aborted");
    await until(() => expect(server.dropped()).toBe(1));
  });
});
