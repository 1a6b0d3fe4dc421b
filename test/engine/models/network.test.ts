import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { proxyFor } from "../../../source/engine/models/network/proxy.ts";
import { refuses, says, scriptedServer } from "./scripted-server.ts";
import { chunksOf, failure, modelsAt, textOf } from "./toy.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the destination of a request", () => {
  it("comes from the endpoint alone, not from variables of other programs", async () => {
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-Team: secret-team\nAuthorization: Bearer sk-other\nUser-Agent: other");
    vi.stubEnv("OPENAI_API_KEY", "sk-other");
    vi.stubEnv("OPENAI_ORG_ID", "org-other");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-other");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    await using server = await scriptedServer(says("ok"));
    await chunksOf(modelsAt(server.url).model("lab/m"));
    const { headers } = server.seen[0]!;
    expect(JSON.stringify(headers)).not.toMatch(/other|secret-team|stainless/);
    const known =
      /^(accept|accept-encoding|accept-language|connection|content-length|content-type|host|sec-fetch-mode)$/;
    expect(Object.keys(headers).filter((name) => !known.test(name))).toEqual(["user-agent"]);
  });
});

describe("a proxy", () => {
  it("comes from the usual environment variable, and the proxy's password stays secret", async () => {
    await using proxy = await scriptedServer(says("by proxy"));
    const environment = { HTTP_PROXY: proxy.url.replace("http://", "http://user:pass-word@") };
    const models = modelsAt("http://lab.invalid/v1", {}, environment);
    expect(textOf(await chunksOf(models.model("lab/m")))).toBe("by proxy");
    expect(proxy.seen[0]!.headers).toMatchObject({
      host: "lab.invalid",
      "proxy-authorization": `Basic ${Buffer.from("user:pass-word").toString("base64")}`,
    });
  });

  it("is never used for loopback, nor for names in NO_PROXY", async () => {
    await using proxy = await scriptedServer(refuses(500, {}));
    await using server = await scriptedServer(says("direct"));
    const environment = { HTTP_PROXY: proxy.url, http_proxy: proxy.url };
    expect(textOf(await chunksOf(modelsAt(server.url, {}, environment).model("lab/m")))).toBe("direct");
    expect(proxy.seen).toEqual([]);
  });

  it.each([
    ["https://lab.example/v1", {}, undefined],
    ["https://lab.example/v1", { HTTPS_PROXY: "http://u:p@proxy:3128" }, "HTTPS_PROXY proxy:3128"],
    ["https://lab.example/v1", { HTTPS_PROXY: "proxy:3128", https_proxy: "http://small:1" }, "https_proxy small:1"],
    ["http://lab.example/v1", { HTTPS_PROXY: "http://proxy:3128" }, undefined],
    ["http://localhost:8000/v1", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["http://[::1]:8000/v1", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["http://127.9.9.9/v1", { HTTP_PROXY: "http://proxy:3128" }, undefined],
    ["https://a.lab.example/v1", { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "x, .lab.example" }, undefined],
    [
      "https://collab.example/v1",
      { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "lab.example" },
      "HTTPS_PROXY proxy:3128",
    ],
    ["https://lab.example:99/v1", { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "lab.example:99" }, undefined],
    ["https://lab.example/v1", { HTTPS_PROXY: "http://proxy:3128", no_proxy: "*" }, undefined],
  ])("depends on address and environment: for %s with %j it is %s", (url, environment, expected) => {
    const proxy = proxyFor(url, environment);
    expect(proxy && `${proxy.variable} ${proxy.address}`).toBe(expected);
  });

  it("is reported by the name of its variable, never by its value, if the value is not a URL", async () => {
    const models = modelsAt("http://lab.invalid/v1", {}, { HTTP_PROXY: "socks5://user:pass-word@x" });
    const { message } = await failure(chunksOf(models.model("lab/m")));
    expect(message).toContain("`HTTP_PROXY`");
    expect(message).not.toContain("pass-word");
  });
});

describe("a redirect", () => {
  it("is followed on the same server, with the whole request", async () => {
    await using server = await scriptedServer(refuses(308, {}, { location: "/v2/chat" }), says("moved"));
    expect(textOf(await chunksOf(modelsAt(server.url).model("lab/m")))).toBe("moved");
    expect(server.seen[1]!.body).toEqual(server.seen[0]!.body);
  });

  it("is not followed to another server, which would get the key and the question", async () => {
    let asked = 0;
    const other = createServer((_request, response) => response.end(String((asked += 1))));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/chat/completions`;
    await using server = await scriptedServer(refuses(307, {}, { location }));
    const { message, attempts } = await failure(chunksOf(modelsAt(server.url).model("lab/m")));
    expect([asked, attempts]).toEqual([0, 1]);
    expect(message).toContain("307");
    other.close();
  });
});
