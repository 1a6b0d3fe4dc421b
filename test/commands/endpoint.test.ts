import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endpointCommand } from "../../source/commands/endpoints/endpoint.ts";
import { startBuiltinServer } from "../../source/engine/models/builtin/builtin-server.ts";
import { toySources } from "../engine/models/toy.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-endpoint-"));
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function typed(line: string) {
  let out = "";
  let err = "";
  const status = await endpointCommand(line.split(" "), {
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    signal: new AbortController().signal,
  });
  return { status, out, err };
}

it("an endpoint is saved, listed and removed", async () => {
  vi.stubEnv("LAB_KEY", "sk-secret-of-the-lab");
  const added = await typed(
    "add lab --base-url https://lab.example/v1 --key-env LAB_KEY --concurrency 3 --rpm 60 --price-input 0.5 --price-output 2 --models a,org/b",
  );
  expect(added).toMatchObject({ status: 0, err: "" });
  const listed = await typed("list");
  for (const words of ["lab", "https://lab.example/v1", "key in LAB_KEY", "concurrency 3", "60 requests", "a, org/b"])
    expect(listed.out).toContain(words);
  expect(JSON.parse((await typed("list --json")).out)).toMatchObject([
    { name: "lab", prices: { "*": { input: 0.5, output: 2 } }, models: ["a", "org/b"], silence: 300 },
  ]);
  expect(readFileSync(join(folder, "settings.json"), "utf8") + listed.out + added.out).not.toContain("sk-secret");
  expect(await typed("remove lab")).toMatchObject({ status: 0 });
  expect((await typed("list")).out).toContain("No endpoints yet");
  expect(await typed("remove lab")).toMatchObject({ status: 2 });
});

it("adding an endpoint replaces an existing one only on request", async () => {
  await typed("add lab --base-url http://localhost:1/v1");
  expect(await typed("add lab --base-url http://localhost:2/v1")).toMatchObject({ status: 2 });
  expect(await typed("add lab --base-url http://localhost:2/v1 --replace")).toMatchObject({ status: 0 });
  expect((await typed("list")).out).toContain("http://localhost:2/v1");
});

it.each([
  ["add", "got no name"],
  ["add lab", "Expected `--base-url URL`"],
  ["add builtin --base-url http://localhost/v1", "a name other than `builtin`"],
  ["add lab --base-url nowhere", "Expected `baseUrl` to be an http or https URL"],
  ["add lab --base-url http://localhost/v1 --concurrency many", "`--concurrency` to be a whole number of at least 1"],
  ["add lab --base-url http://localhost/v1 --price-input 1", "`--price-input` and `--price-output` together"],
  ["add lab --base-url http://localhost/v1 --key sk-1", "--key"],
  ["rename lab", "Expected add, list, remove or test, got `rename`"],
  ["test lab", "Expected an existing endpoint"],
])("the endpoint command reports the mistake in `%s`", async (line, words) => {
  const { status, err } = await typed(line);
  expect(status).toBe(2);
  expect(err).toContain(words);
  expect(err).toContain("planwright endpoint add NAME");
});

const secret = "very-secret-0123456789";
it.each([
  [`--base-url https://me:${secret}@lab.example/v1`, "a user name or password"],
  [`--base-url https://lab.example/v1?key=${secret}`, "a query"],
  [
    `--base-url http://localhost/v1 --key-env sk-${secret}`,
    "Expected `keyEnv` to be the name of an environment variable",
  ],
  [`--base-url http://localhost/v1 --key-env sk_${secret.replaceAll("-", "_")}`, "got what looks like a key"],
  [`--base-url http://localhost/v1 --headers x-key=sk_${secret.replaceAll("-", "_")}`, "Expected `--headers` to name"],
  [`--base-url http://localhost/v1 --headers x-key:${secret}`, "Expected `--headers NAME=VARIABLE`"],
  [`--base-url http://localhost/v1 --headers x-key=${secret}`, "Expected `headers.x-key` to be the name of"],
  [`--base-url http://localhost/v1 --query ${secret}`, "Expected `--query NAME=VALUE`"],
  [`--base-url http://localhost/v1 ${secret}`, "Expected one name, got 2"],
  [`--base-url http://localhost/v1 --key=${secret}`, "got `--key`"],
])("the endpoint command never prints a key: %s", async (flags, words) => {
  const { status, out, err } = await typed(`add lab ${flags}`);
  expect(status).toBe(2);
  expect(err).toContain(words);
  expect(out + err).not.toMatch(/secret/);
  expect((await typed("list")).out).toContain("No endpoints yet");
});

it("an endpoint accepts any environment variable that is set, and hides an unusual name of a variable", async () => {
  const name = "hf_abcdefghijKLMNOPqrstuvwxyzABCDEFGH";
  vi.stubEnv(name, "x");
  const { status, out } = await typed(`add lab --base-url http://localhost/v1 --key-env ${name}`);
  expect(status).toBe(0);
  expect(out).toContain("key in [key]");
});

it("testing an endpoint sends one small request", async () => {
  const server = await startBuiltinServer({ sources: toySources });
  try {
    await typed(`add local --base-url ${server.url} --identify`);
    const tried = await typed("test local --model oracle");
    expect(tried).toMatchObject({ status: 0, err: expect.stringContaining("Requests a tool call") });
    expect(tried.out).toContain("local/oracle replied: ready");
    expect((await typed("test local --model builtin/slips?rate=1")).out).toContain("replied: ready");
    const unknown = await typed("test local --model nobody");
    expect(unknown).toMatchObject({ status: 1 });
    expect(unknown.err).toContain(
      "Expected a built-in model (oracle, slips, responder, replay, nothing, filler), got `nobody`",
    );
  } finally {
    await server.close();
  }
  const gone = await typed("test local --model oracle");
  expect(gone.status).toBe(1);
  expect(gone.err).toContain("ECONNREFUSED");
});
