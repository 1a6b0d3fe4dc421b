import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { looksLikeKey } from "../../../source/engine/settings/secret.ts";
import { openSettings, SettingsProblem } from "../../../source/engine/settings/settings.ts";
import type { Endpoint, Settings } from "../../../source/engine/settings/settings.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "planwright-settings-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const lab: Endpoint = {
  name: "lab",
  baseUrl: "http://localhost:8000/v1",
  concurrency: 4,
  idleTimeout: 30,
  identify: false,
};
const withEndpoint = (endpoint: object) => (settings: Settings) => ({
  ...settings,
  endpoints: [{ ...lab, ...endpoint } as Endpoint],
});

describe("settings", () => {
  it("are empty at first, and are saved after the first change", async () => {
    const where = folder();
    const store = await openSettings(where);
    expect(store.read()).toEqual({ endpoints: [], data: {} });
    expect(store.problem).toBeUndefined();
    expect(readdirSync(where)).toEqual([]);
    store.change((settings) => ({ endpoints: [lab], data: { ...settings.data, appbench: "/data/appbench" } }));
    expect((await openSettings(where)).read()).toEqual({
      format: 1,
      endpoints: [lab],
      data: { appbench: "/data/appbench" },
    });
    expect(statSync(store.path).mode & 0o077).toBe(0);
  });

  it("have defaults for the omitted fields of an endpoint", async () => {
    const where = folder();
    const endpoint = { name: "lab", baseUrl: lab.baseUrl };
    writeFileSync(join(where, "settings.json"), JSON.stringify({ endpoints: [endpoint] }));
    expect((await openSettings(where)).read().endpoints).toEqual([{ ...lab, concurrency: 8, idleTimeout: 300 }]);
  });

  it("written by version 0.1.0 are read, including the idle timeout, which was called `silence`", async () => {
    const where = folder();
    const { idleTimeout, ...others } = lab;
    const file = { endpoints: [{ ...others, silence: idleTimeout }], data: {} };
    writeFileSync(join(where, "settings.json"), JSON.stringify(file));
    const store = await openSettings(where);
    expect(store.problem).toBeUndefined();
    expect(store.read()).toEqual({ endpoints: [lab], data: {} });
    store.change((settings) => ({ ...settings, data: { appbench: "/data" } }));
    expect((await openSettings(where)).read()).toEqual({ format: 1, endpoints: [lab], data: { appbench: "/data" } });
  });

  it("keep the changes of two programs that write at the same time", async () => {
    const where = folder();
    const [one, other] = [await openSettings(where), await openSettings(where)];
    one.change((settings) => ({ ...settings, data: { ...settings.data, a: "/a" } }));
    other.change((settings) => ({ ...settings, data: { ...settings.data, b: "/b" } }));
    expect((await openSettings(where)).read().data).toEqual({ a: "/a", b: "/b" });
  });

  it.each([
    ["below a file", () => join(folder(), "file", "below")],
    ["a link to nothing", () => join(folder(), "link")],
    ["below /proc, which takes no folders", () => "/proc/planwright/settings"],
  ])("are empty and cannot be saved if the settings folder is unusable: %s", async (_, place) => {
    const where = place();
    if (where.endsWith("below")) writeFileSync(dirname(where), "");
    if (where.endsWith("link")) symlinkSync(`${where}-nowhere/far`, where);
    const store = await openSettings(where);
    expect(store.problem).toMatch(/^Settings can be neither read nor saved \(.+\); Planwright continues without them$/);
    expect(store.read()).toEqual({ endpoints: [], data: {} });
    expect(() => store.change(withEndpoint({}))).toThrow("Settings cannot be saved");
  });

  it.each([
    ['{"endpoints": [', "Expected JSON"],
    ['{"endpoints": [{"name": "lab"}]}', "Expected `endpoints.0.baseUrl` to be of type string, got nothing"],
    ['{"endpoints": 5}', "Expected `endpoints` to be of type array, got `5`"],
    ['{"colour": "red"}', "Expected no field `colour`"],
    ["[1]", "Expected"],
  ])("are renamed and reported if they are unreadable: %s", async (text, message) => {
    const where = folder();
    writeFileSync(join(where, "settings.json"), text);
    const store = await openSettings(where);
    expect(store.problem).toContain(message);
    expect(store.problem).toContain("settings.json.unreadable-1");
    expect(store.read()).toEqual({ endpoints: [], data: {} });
    expect(readFileSync(join(where, "settings.json.unreadable-1"), "utf8")).toBe(text);
    store.change(withEndpoint({}));
    expect((await openSettings(where)).read().endpoints).toEqual([lab]);
  });

  it.each([
    [{ name: "builtin" }, "Expected `endpoints.0.name` to be a name other than `builtin`"],
    [{ name: "a/b" }, "Expected `endpoints.0.name` to be letters, digits and dashes (at most 64), got `a/b`"],
    [{ baseUrl: "localhost:8000" }, "Expected `endpoints.0.baseUrl` to be an http or https URL"],
    [{ baseUrl: "https://me:secret@host/v1" }, "without user name, password"],
    [{ concurrency: 0 }, "Expected `endpoints.0.concurrency` to be at least 1, got `0`"],
    [{ concurrency: 1.5 }, "Expected `endpoints.0.concurrency` to be a whole number, got `1.5`"],
    [{ idleTimeout: 0 }, "Expected `endpoints.0.idleTimeout` to be more than 0, got `0`"],
    [{ idleTimeout: 90_000 }, "Expected `endpoints.0.idleTimeout` to be at most 86400, got `90000`"],
    [{ idleTimeout: 30, silence: 30 }, "Expected no field `silence` in `endpoints.0`"],
    [{ keyEnv: "sk-12345" }, "Expected `endpoints.0.keyEnv` to be the name of an environment variable"],
    [{ key: "sk-12345" }, "Expected no field `key` in `endpoints.0`"],
    [{ prices: { m: { input: -1, output: 0 } } }, "Expected `endpoints.0.prices.m.input` to be at least 0, got `-1`"],
    [JSON.parse('{"__proto__": {"identify": true}}'), "Expected no field `__proto__` in `endpoints.0`"],
    [{ query: JSON.parse('{"__proto__": "x"}') }, "Expected no field `__proto__` in `endpoints.0.query`"],
    [{ prices: JSON.parse('{"__proto__": {}}') }, "Expected no field `__proto__` in `endpoints.0.prices`"],
  ])("reject %j by field, and write nothing", async (wrong, message) => {
    const where = folder();
    const store = await openSettings(where);
    expect(() => store.change(withEndpoint(wrong))).toThrow(SettingsProblem);
    expect(() => store.change(withEndpoint(wrong))).toThrow(message);
    expect(readdirSync(where)).toEqual([]);
  });

  it("contain the address of the workers' Redis, and use workers by default", async () => {
    const where = folder();
    const url = "rediss://lab.example:7000/2";
    writeFileSync(join(where, "settings.json"), JSON.stringify({ workers: { url } }));
    expect((await openSettings(where)).read().workers).toEqual({ url, use: true });
  });

  it.each([
    ["http://lab:6379", "got a URL with http://lab:6379"],
    ["lab:6379", "got a URL with lab://"],
    ["redis://", "got "],
    ["redis://lab/name", "got a URL with redis://lab"],
    ["redis://me:hidden@lab", "got a URL with redis://lab and a user name or password"],
    ["redis://lab?password=hidden", "got a URL with redis://lab and a query"],
  ])("reject %s as the address of the workers' Redis, and show no password", async (url, got) => {
    const store = await openSettings(folder());
    const change = () => store.change((settings) => ({ ...settings, workers: { url, use: true } }));
    expect(change).toThrow(
      `Expected \`workers.url\` to be an address such as redis://HOST:6379 or rediss://HOST:6379, without user name and password, ${got}`,
    );
    expect(change).not.toThrow("hidden");
  });

  const key = "sk-very-secret-0123456789";
  it.each([
    [`{"endpoints": ${key}}`, "Expected JSON"],
    [`{"endpoints": [{"name": "lab", "apiKey": "${key}" "x"}]}`, "Expected JSON, got something else at line 1 column "],
    [JSON.stringify(key), "Expected `the settings` to be of type object, got a text"],
    [`{"endpoints": "${key}"}`, "got a text that is not shown"],
    [`{"endpoints": {"key": "${key}"}}`, "Expected `endpoints` to be of type array, got an object"],
    [`{"endpoints": ["${key}"]}`, "Expected `endpoints.0` to be of type object, got a text"],
    [`{"data": {"appbench": ["${key}"]}}`, "Expected `data.appbench` to be of type string, got a list"],
    [JSON.stringify({ endpoints: [{ ...lab, name: `${key}/x` }] }), "got a text that is not shown"],
    [
      JSON.stringify({ endpoints: [{ ...lab, baseUrl: `https://me:${key}@h/v1` }] }),
      "a URL with https://h and a user name",
    ],
    [JSON.stringify({ endpoints: [{ ...lab, baseUrl: `https://h/?key=${key}#${key}` }] }), "a query and a fragment"],
    [JSON.stringify({ endpoints: [{ ...lab, keyEnv: key }] }), "the name of an environment variable, got a text"],
    [JSON.stringify({ endpoints: [{ ...lab, headers: { authorization: key } }] }), "environment variable, got a text"],
    [
      JSON.stringify({ endpoints: [{ ...lab, headers: { [`Bearer ${key}`]: "X" } }] }),
      "the fields of `endpoints.0.head",
    ],
  ])("never print a key that a user wrote into the settings: %s", async (text, message) => {
    const where = folder();
    writeFileSync(join(where, "settings.json"), text);
    const { problem } = await openSettings(where);
    expect(problem).toContain(message);
    expect(problem).not.toContain("secret");
  });
});

it.each([
  ["hf_abcdefghijKLMNOPqrstuvwxyzABCDEFGH", true],
  ["sk_live_0123456789abcdef", true],
  ["Ab3dE5gH7jK9mN1pQ", true],
  ["AKIAIOSFODNN7123EXAMPLE", true],
  ["OPENAI_API_KEY", false],
  ["AZURE_OPENAI_KEY_EASTUS2", false],
  ["MYCOMPANYINTERNALKEY1", false],
  ["myCompanyInternalKeyVariable", false],
  ["VERTEX_AI_SERVICE_ACCOUNT_2024_PRODUCTION", false],
])("settings detect API keys: %s looks like a key: %s", (text, is) => {
  expect(looksLikeKey(text)).toBe(is);
});
