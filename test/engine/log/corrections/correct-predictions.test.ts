import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionWorkbench } from "../../../../source/engine/workbench/session-workbench.ts";
import { SessionFolder } from "../../../../source/engine/session/session-folder.ts";
import { openSettings } from "../../../../source/engine/settings/settings.ts";
import type { Mistake } from "../../../../source/engine/types.ts";
import { appbench } from "../../../../suites/appbench/index.ts";
import { jsonLines, temporaryFolder, typed } from "../../../commands/typed.ts";

const at = temporaryFolder();

test("a correction of an error in imported answers is kept when the answers are scored again", async () => {
  const nothing = { task: "ss-001", output: "I cannot do this." };
  const file = jsonLines(at("a.jsonl"), [nothing, nothing]);
  const keep = () => typed("score", "appbench", "--predictions", file, "--into", at("kept"));
  expect((await keep()).status).toBe(0);
  const [run] = readdirSync(at("kept", "runs")) as [string];
  const path = join(at("kept", "runs", run), "overrides.json");
  const open = async () => {
    const settings = await openSettings(at("settings"));
    const loaded = new SessionWorkbench({
      folder: new SessionFolder(at("kept")),
      suites: [appbench],
      analyses: [],
      settings,
    });
    const [cell] = loaded.cells().filter(({ kind }) => kind === "run");
    loaded.state(cell!.id);
    return { loaded, cell: cell!.id };
  };
  const errorsOf = (loaded: SessionWorkbench) => loaded.rows(run).map(({ score }) => score!.errors);

  const { loaded, cell } = await open();
  const [first, second] = errorsOf(loaded) as [Mistake[], Mistake[]];
  expect(first).toEqual(second);
  const [error] = first as [Mistake];
  await loaded.correct({ run, task: "ss-001 (2)" }, error, "missing-api", "it declines");
  const override = { was: error.kind, source: expect.any(String), reason: "it declines" };
  const corrected = [first, [{ ...error, kind: "missing-api", override }, ...second.slice(1)]];
  expect(errorsOf(loaded)).toEqual(corrected);
  await loaded.rescore(cell);
  expect(errorsOf(loaded)).toEqual(corrected);
  await loaded.close();

  expect((await keep()).status).toBe(0);
  const again = await open();
  expect(errorsOf(again.loaded)).toEqual(corrected);
  await again.loaded.correct({ run, task: "ss-001 (2)" }, errorsOf(again.loaded)[1]![0]!, undefined, "");
  expect(errorsOf(again.loaded)).toEqual([first, second]);
  await again.loaded.close();

  const unfit = [{ task: "ss-001", step: 77, kind: "no-plan", source: "ada", reason: "so" }];
  writeFileSync(path, JSON.stringify(unfit));
  const written = await keep();
  expect(written.err).toContain(
    "Corrections of 1 task could not be applied (Expected the override of ss-001, step 77 to match one",
  );
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(unfit);
  writeFileSync(path, "[");
  expect((await keep()).err).toContain("overrides.json to be JSON");
  const kept = await open();
  expect(errorsOf(kept.loaded)).toEqual([first, second]);
  await kept.loaded.close();
});
