import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { serveBuiltinCommand } from "../../source/commands/endpoints/serve-builtin.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { chunksOf, modelsAt, retriesOf, textOf, toySuite, toyRequest } from "../engine/models/toy.ts";
import { until } from "../until.ts";

const tasks = ["t1", "t2"].map((id) => ({ id, question: "", input: 0, answer: 0, facets: {} }));
const suite = {
  ...toySuite.suite,
  open: () => Promise.resolve({ ...toySuite, tasks: () => Promise.resolve(tasks) }),
} as unknown as Suite;

function serving(line: string) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-serve-"));
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder);
  const stop = new AbortController();
  const said = { out: "", err: "" };
  const ended = serveBuiltinCommand(line.split(" "), {
    stdout: (text) => (said.out += text),
    stderr: (text) => (said.err += text),
    signal: stop.signal,
    suites: [suite],
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const url = async () => {
    await until(() => expect(said.out).toContain("\n"));
    return said.out.slice("listening on ".length).trim();
  };
  return { said, stop, ended, url };
}

it("serve-builtin prints its address, answers from the suites, and prints its faults at the end", async () => {
  const { said, stop, ended, url } = serving("--port 0 --rate-500 0.5 --seed 7");
  const models = modelsAt(await url(), { identify: true });
  const chunks = [
    ...(await chunksOf(models.model("lab/oracle"))),
    ...(await chunksOf(models.model("lab/oracle"), toyRequest({}, "t2"))),
  ];
  expect(said.out).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/v1\n$/u);
  expect(textOf(chunks)).toContain("right:t2");
  const counted = (await (await fetch(`${await url()}/planwright/faults`)).json()) as Record<string, number>;
  expect(counted["500"]).toBe(retriesOf(chunks).length);
  stop.abort();
  expect(await ended).toBe(0);
  expect(JSON.parse(said.out.split("\n")[1]!)).toEqual(counted);
});

it("serve-builtin reports an unknown task or suite", async () => {
  const models = modelsAt(await serving("--port 0").url(), { identify: true });
  await expect(chunksOf(models.model("lab/oracle"), toyRequest({}, "t3"))).rejects.toThrow("`t3`");
  const { spec, ...asker } = toyRequest().asker;
  const elsewhere = toyRequest({ asker: { ...asker, spec: { ...spec, suite: "nowhere" } } });
  await expect(chunksOf(models.model("lab/oracle"), elsewhere)).rejects.toThrow("(toy), got `nowhere`");
});

it.each([
  ["--rate-429 2", "`--rate-429` to be a number from 0 to 1, got `2`"],
  ["--port many", "`--port` to be a whole number from 0 to 65535"],
  ["--tokens 5", "Expected `--tokens` together with `--lorem`"],
  ["--frobnicate", "frobnicate"],
  ["here", "Expected flags only, got `here`"],
])("serve-builtin reports the mistake in `%s`", async (line, words) => {
  const { ended, said } = serving(line);
  expect(await ended).toBe(2);
  expect(said.err).toContain(words);
});

it("serve-builtin rejects rates of faults that add up to more than 1", async () => {
  const { ended, said } = serving("--rate-429 0.7 --rate-500 0.7");
  expect(await ended).toBe(2);
  expect(said.err).toContain("add up to at most 1");
});
