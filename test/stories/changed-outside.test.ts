import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../until.ts";
import { openProgram } from "./pseudo-terminal.ts";

let folder: string;
const document = () => join(folder, "mine", "session.md");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-changed-"));
  mkdirSync(join(folder, "mine"));
  writeFileSync(document(), "# Mine\n\nfirst thoughts\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a notebook that another program changed is read again; if the user changed it, too, both versions are kept", async () => {
  const program = openProgram({ args: [join(folder, "mine")], folder });
  await program.waitFor(/first thoughts/);
  writeFileSync(document(), "# Mine\n\nsecond thoughts\n");
  await program.waitFor(/second thoughts[\s\S]*session\.md was changed elsewhere and reloaded/);

  // One cell is deleted here, and another text is written on disk.
  program.type("dd");
  await program.waitFor(/The cell is deleted/);
  writeFileSync(document(), "# Mine\n\nthird thoughts\n");
  await program.waitFor(/session\.md was changed elsewhere: y loads that version, n keeps both/);
  program.type("n");
  await program.waitFor(/third thoughts/);
  expect(readFileSync(join(folder, "mine", "session.outside.md"), "utf8")).toContain("third thoughts");
  program.type("\u001b");
  await program.waitFor(/This notebook is empty/);
  program.type("s");
  await until(() => expect(readFileSync(document(), "utf8")).not.toContain("thoughts"));
  program.type("q");
  expect(await program.ended).toBe(0);
});

test("a notebook reports that its file was removed while open, and saving writes the file again with the typed text", async () => {
  const program = openProgram({ args: [join(folder, "mine")], folder });
  await program.waitFor(/first thoughts/);
  program.type("b");
  await program.waitFor(/Which kind of cell/);
  program.type("\r");
  await program.waitFor(/editing: Esc leaves/);
  program.type("second thoughts");
  await program.waitFor(/second thoughts/);
  program.type("\u001b");
  await program.waitFor(/second thoughts[\s\S]*Enter edit\/open/);

  rmSync(document());
  await program.waitFor(/unsaved[\s\S]*session\.md was removed: s writes the file again/);
  program.type("s");
  await program.waitFor(/second thoughts[\s\S]*Saved/);
  expect(readFileSync(document(), "utf8")).toBe("# Mine\n\nfirst thoughts\n\nsecond thoughts\n");
  program.type("q");
  expect(await program.ended).toBe(0);
});
