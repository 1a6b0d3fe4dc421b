/** A notebook whose published data are not installed, as one from a bundle may be. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describePublished, shared } from "../shared.ts";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();

function writeCell(limit: number): void {
  const cell = `suite: appbench\ndata: published\nlimit: ${limit}\nmodel: builtin/oracle\n`;
  writeFileSync(folder("mine", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
}

describePublished("a run of published tasks whose data are no longer installed", () => {
  test("is done if all its tasks have results, otherwise fails and names the data", async () => {
    mkdirSync(folder("settings"), { recursive: true });
    const settings = folder("settings", "settings.json");
    writeFileSync(settings, JSON.stringify({ data: { appbench: shared("data", "appbench") } }));
    mkdirSync(folder("mine"));
    writeCell(2);
    expect(await typed("run", folder("mine"))).toMatchObject({ status: 0 });
    rmSync(settings);
    const whole = await typed("run", folder("mine"));
    expect(whole.status).toBe(0);
    expect(whole.out).toContain("done; 2 right, 0 wrong, 0 failed of 2");
    writeCell(3);
    const more = await typed("run", folder("mine"));
    expect(more.status).toBe(1);
    expect(more.out).toContain("The published data of `appbench` are not installed");
  });
});
