/** The questions of the first start, and the notebook in which it ends. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { analyses } from "../../analyses/index.ts";
import { suites } from "../../suites/index.ts";
import { firstSteps, isFirstStart } from "../../source/commands/session/first-steps.ts";
import { startBuiltinServer } from "../../source/engine/models/builtin/builtin-server.ts";
import { packageFolder } from "../../source/engine/settings/package-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { until } from "../until.ts";
import { temporaryFolder } from "./typed.ts";

const at = temporaryFolder();
let back = "";
beforeEach(() => {
  packageFolder();
  back = process.cwd();
  process.chdir(at());
});
afterEach(() => process.chdir(back));

/** Answers the questions in order, and further ones by Esc. Waits for the run if one begins. */
async function answered(ports: readonly number[], isRunning: boolean, ...answers: readonly string[]) {
  const said: string[] = [];
  const asked: string[] = [];
  const context = {
    stdout: (text: string) => void said.push(text),
    stderr: (text: string) => void said.push(text),
    signal: new AbortController().signal,
    suites,
    analyses,
  };
  const settings = await openSettings();
  const asks = async (text: string) => {
    asked.push(text);
    return answers[asked.length - 1];
  };
  const workbench = await firstSteps(context, settings, { asks, ports });
  const [cell] = workbench.cells().filter(({ kind }) => kind === "run");
  const name = basename(workbench.folder);
  const hasBegun = () => {
    const state = workbench.state(cell!.id);
    return state.kind === "run" && state.runs.some(({ status }) => status === "running" || status === "done");
  };
  if (isRunning) await until(() => expect(hasBegun()).toBe(true));
  await workbench.close();
  const hasRun = existsSync(join(workbench.folder, "runs"));
  return { said: said.join(""), asked: asked.length, name, hasRun, source: cell!.source, settings: settings.read() };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe("the first start", () => {
  it("appears only if nobody has used the program", async () => {
    const settings = await openSettings();
    expect(isFirstStart(settings, at())).toBe(true);
    expect(isFirstStart(settings, packageFolder())).toBe(false);
    mkdirSync(at("sessions"));
    expect(isFirstStart(settings, at())).toBe(false);
    settings.change((before) => ({
      ...before,
      endpoints: [{ name: "lab", baseUrl: "http://127.0.0.1:1/v1", concurrency: 1, idleTimeout: 1, identify: false }],
    }));
    expect(isFirstStart(settings, at("elsewhere"))).toBe(false);
  });

  it("opens the welcome notebook after Esc, without running it", async () => {
    expect(await answered([], false)).toMatchObject({ name: "welcome", hasRun: false, asked: 1 });
  });

  it("runs the welcome notebook if chosen, and repeats the question if the input is not a number", async () => {
    const { said, ...found } = await answered([], true, "four", "2");
    expect(found).toMatchObject({ name: "welcome", hasRun: true, asked: 2 });
    expect(said).toContain("Expected a number from 1 to 3, got four");
  });

  it("asks again after Enter alone, before any server is asked", async () => {
    const { said, ...found } = await answered([1], false, "", " ");
    expect(found).toMatchObject({ name: "welcome", hasRun: false, asked: 3 });
    expect(said).toContain("Expected a number from 1 to 3, got nothing");
    expect(said).not.toContain("127.0.0.1:1 ");
  });

  it("contacts no server before consent, and runs the chosen model after consent", async () => {
    const nobody = () => Promise.reject(new Error("No task is asked for"));
    const server = await startBuiltinServer({ lorem: 8, sources: { loadedFor: nobody, taskFor: nobody } });
    const port = Number(new URL(server.url).port);
    try {
      expect((await answered([port], false)).said).not.toContain(`127.0.0.1:${port}`);
      const { said, settings, source, ...found } = await answered([port], true, "1", "1");
      expect(found).toMatchObject({ name: "first", hasRun: true });
      expect(found.asked).toBeLessThanOrEqual(2);
      const [endpoint] = settings.endpoints;
      expect(endpoint).toMatchObject({ name: "local", baseUrl: `http://127.0.0.1:${port}/v1` });
      expect(said).toContain(`127.0.0.1:${port}  ${endpoint!.models![0]}`);
      expect(source).toContain(`model: "local/${endpoint!.models![0]}"`);
    } finally {
      await server.close();
    }
  });

  it("runs the welcome notebook if no server answers", async () => {
    const silent = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
    await new Promise((listening) => silent.once("listening", listening));
    try {
      const { said, ...found } = await answered([portOf(silent)], true, "1");
      expect(found).toMatchObject({ name: "welcome", hasRun: true });
      expect(said).toContain("No server answered, so the welcome notebook runs.");
      expect(said).toContain(`127.0.0.1:${portOf(silent)}  nothing`);
    } finally {
      silent.close();
    }
  });

  it("asks the user at most three questions before it runs a file of questions", async () => {
    writeFileSync(at("sums.csv"), "question,answer\nWhat is 2 + 2?,4\n");
    const found = await answered([], true, "3", "nowhere.csv", "sums.csv", "2");
    expect(found).toMatchObject({ name: "first", hasRun: true, asked: 4 });
    expect(found.said).toContain("Expected a file, found none at");
    expect(found.source).toBe('suite: own\nfrom: "sums.csv"\nmodel: "builtin/oracle"\n');
    expect(readFileSync(at("sessions", "first", "sums.csv"), "utf8")).toContain("2 + 2");
    expect(existsSync(at("sessions", "first", "runs"))).toBe(true);
  });
});
