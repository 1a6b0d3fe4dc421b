import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../../source/engine/types.ts";
import { until } from "../until.ts";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-killed-"));
  mkdirSync(join(folder, "sessions", "night"), { recursive: true });
  const cell = "suite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n";
  writeFileSync(join(folder, "sessions", "night", "session.md"), `# Over night\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function events(): Event[] {
  const runs = join(folder, "sessions", "night", "runs");
  const [run] = readdirSync(runs);
  const text = readFileSync(join(runs, run!, "events.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith('{"type":"content"'))
    .map((line) => JSON.parse(line) as Event);
}

const tasksOf = (type: Event["type"]) =>
  events().flatMap((event) => (event.type === type && "task" in event ? [event.task] : []));

describe("a power failure in the middle", () => {
  test("the run is finished after a restart: every task scored once, none lost, few calls sent again", async () => {
    await using models = await heldModels(folder);
    const first = showProgram({ args: ["night"], folder });
    await first.waitFor(/\b0\/31/);
    first.type("jr");
    models.reply(14);
    await first.waitFor(/\b14\/31/);
    // Results on the screen are on disk one frame later.
    await until(() => expect(tasksOf("scored")).toHaveLength(14));
    first.kill("SIGKILL");
    await first.ended;

    const second = showProgram({ args: ["night"], folder });
    await second.waitFor(/partly done/);
    models.reply();
    second.type("jr");
    await second.waitFor(/✓ done .*31\/31/s);
    second.type("q");
    expect(await second.ended).toBe(0);

    const scored = tasksOf("scored");
    expect(scored).toHaveLength(31);
    expect(new Set(scored).size).toBe(31);
    const again = tasksOf("started").length - 31;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(4);
    expect(second.written()).toContain("\u001b[?1049l");
    expect(second.screen()).toContain("31 right, 0 wrong, 0 failed of 31");
  });
});
