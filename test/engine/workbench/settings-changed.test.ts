import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSettings } from "../../../source/engine/settings/settings.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";
import { says, scriptedServer } from "../models/scripted-server.ts";

const sessions = temporarySessions();

test("an open notebook notices an endpoint that another program adds, and keeps the existing endpoints", async () => {
  await using server = await scriptedServer(says("1"));
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false };
  const text = "```run main\nsuite: tiny\nmodel: other/m\nlimit: 1\n```\n";
  const loaded = await sessions.open(text, { settings: { endpoints: [lab] }, suites: [tinySuite().suite] });
  const [known] = loaded.endpoints;
  let notified = 0;
  loaded.subscribe(() => (notified += 1));

  const elsewhere = await openSettings(join(sessions.folder, "settings"));
  const other = { ...lab, name: "other", models: ["m"] };
  elsewhere.change((settings) => ({ ...settings, endpoints: [...settings.endpoints, other] }));
  await until(() => expect(loaded.modelNames()).toContain("other/m"));
  expect(notified).toBeGreaterThan(0);
  expect(loaded.endpoints[0]).toBe(known);
  await loaded.run(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done" });
});

test("settings that another program wrote before the first read are noticed", async () => {
  const folder = join(sessions.folder, "settings");
  const [here, elsewhere] = [await openSettings(folder), await openSettings(folder)];
  const lab = { name: "lab", baseUrl: "http://127.0.0.1:9", concurrency: 1, idleTimeout: 60, identify: false };
  elsewhere.change((settings) => ({ ...settings, endpoints: [lab] }));
  const unwatch = here.watch(() => {});
  await until(() => expect(here.read().endpoints).toMatchObject([{ name: "lab" }]));
  unwatch();
});

test("removed settings stay in effect, and are reported and written again with the next change", async () => {
  const folder = join(sessions.folder, "settings");
  const here = await openSettings(folder);
  const lab = { name: "lab", baseUrl: "http://127.0.0.1:9", concurrency: 1, idleTimeout: 60, identify: false };
  here.change((settings) => ({ ...settings, endpoints: [lab] }));
  const unwatch = here.watch(() => {});
  onTestFinished(unwatch);
  const names = () => here.read().endpoints.map(({ name }) => name);

  rmSync(here.path);
  await until(() => expect(here.trouble).toBe("settings.json was removed"));
  expect(names()).toEqual(["lab"]);

  mkdirSync(here.path);
  await until(() => expect(here.trouble).toContain("cannot be used (EISDIR: illegal operation on a directory)"));
  expect(names()).toEqual(["lab"]);
  expect(() => here.change((settings) => settings)).toThrow("EISDIR");
  rmdirSync(here.path);

  writeFileSync(here.path, "{");
  await until(() => expect(here.trouble).toContain("cannot be used (Expected JSON"));
  rmSync(here.path);
  here.change((settings) => ({ ...settings, endpoints: [...settings.endpoints, { ...lab, name: "other" }] }));
  await until(() => expect(here.trouble).toBeUndefined());
  expect(names()).toEqual(["lab", "other"]);
});

test("a folder with the name of the settings file is not deleted", async () => {
  const folder = join(sessions.folder, "settings");
  mkdirSync(join(folder, "settings.json"), { recursive: true });
  const { problem } = await openSettings(folder);
  expect(problem).toContain("Settings can be neither read nor saved (EISDIR");
  expect(existsSync(join(folder, "settings.json"))).toBe(true);
});
