/** A process that runs test files of the copy for as long as it is asked to: starting costs more than most files take. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { activeFile } from "./switch.ts";

export type Asked = {
  /** The mutant that is switched on; -1 for none. */
  readonly mutant: number;
  readonly file: string;
};
export type Ran = { readonly failed: boolean; readonly seconds: number };

const root = join(import.meta.dirname, "..", "..");
const vitest = await createVitest(
  {
    root,
    watch: false,
    maxWorkers: 1,
    reporters: [{}],
    setupFiles: [join(import.meta.dirname, "note-met.ts")],
  },
  {},
);
await vitest.standalone();

process.on("message", (asked: Asked) => void run(asked).then((ran) => process.send!(ran)));
process.send!("ready");

async function run({ mutant, file }: Asked): Promise<Ran> {
  writeFileSync(activeFile, String(mutant));
  // State of files run earlier does not matter here.
  vitest.state.clearErrors();
  const path = join(root, file);
  const from = performance.now();
  const { testModules, unhandledErrors } = await vitest.runTestFiles([path]);
  const passed = testModules.some((module) => module.moduleId === path && module.ok());
  return { failed: !passed || unhandledErrors.length > 0, seconds: (performance.now() - from) / 1000 };
}
