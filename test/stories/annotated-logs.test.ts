/** From the question of a failed run to the annotated responsible step, over published logs at 80x24. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { describePublished, shared } from "../shared.ts";
import { showProgram } from "./shown-program.ts";

const folder = temporaryFolder();
const published = shared("data", "who-and-when");
const most = 6;

type Log = { readonly question: string; readonly history: readonly unknown[]; readonly mistake_reason: string };

/** The first nine logs of a set by number, and its longest, with their places in the list. */
function walked(set: string): readonly { readonly at: number; readonly log: Log }[] {
  const path = join(published, "Who&When", set);
  const names = readdirSync(path).toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
  const logs = names.map((name, at) => ({ at, log: JSON.parse(readFileSync(join(path, name), "utf8")) as Log }));
  const longest = logs.toSorted((one, other) => other.log.history.length - one.log.history.length)[0]!;
  return [...new Set([...logs.slice(0, 9), longest, logs[9]!])].slice(0, 10);
}

describePublished("ten published logs of a set, including the longest", () => {
  it.each([
    ["Algorithm-Generated", 2, 10],
    ["Hand-Crafted", 3, 130],
  ])("open from the question at the annotated step after at most six keys: %s", async (set, cell, longest) => {
    expect(await typed("import", "who-and-when", published, "--into", folder("logs"))).toMatchObject({ status: 0 });
    const logs = walked(set);
    expect(logs).toHaveLength(10);
    expect(Math.max(...logs.map(({ log }) => log.history.length))).toBe(longest);
    const screen = showProgram({ args: ["logs"], folder: folder(), columns: 80, rows: 24 });
    await screen.waitFor(/run algorithm-generated/);
    screen.type("j".repeat(cell));
    await screen.waitFor(new RegExp(`▌ +run ${set.toLowerCase()}`));
    screen.type("o");
    await screen.waitFor(/as listed/);
    let row = 0;
    for (const { at, log } of logs) {
      screen.type((at >= row ? "j" : "k").repeat(Math.abs(at - row)));
      row = at;
      await screen.waitFor(new RegExp(` ${at + 1}/\\d+ `));
      let keys = 0;
      const press = (key: string) => {
        keys += 1;
        screen.type(key);
      };
      press("\r");
      await screen.waitFor(/1 Plan\]/);
      press("2");
      await screen.waitFor(/\[2 Steps\]/);
      press("e");
      const seen = await screen.waitFor(/# mistake_step {2}who-and-when/);
      expect(keys).toBeLessThanOrEqual(most);
      const reason = log.mistake_reason.trim().split(/\s+/).slice(0, 2).join(" ");
      expect(seen.replaceAll(/\s+/g, " ")).toContain(reason);
      screen.type("\u001b");
      await screen.waitFor(/as listed/);
    }
    screen.type("\u001bq");
    screen.kill("SIGTERM");
    await screen.ended;
  });
});
