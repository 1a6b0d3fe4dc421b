import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { inkParts } from "./build/ink-parts.ts";
import { memoryFolder } from "./build/memory-folder.ts";
import { TestSummary } from "./build/test-summary.ts";
import { WaitingFirst } from "./test/waiting-first.ts";

const { PLANWRIGHT_TEST_SUMMARY: summary } = process.env;
/** Programs and threads that tests start need not compile anew what others have compiled. */
const NODE_COMPILE_CACHE = join(tmpdir(), "node-compile-cache");

export default defineConfig({
  plugins: [inkParts],
  oxc: { jsx: { development: false } },
  // Users' files that a test loads itself; without this they would need the built program.
  resolve: { alias: [{ find: /^planwright$/, replacement: resolve("source/kit.ts") }] },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    reporters: ["default", ...(summary === undefined ? [] : [new TestSummary(summary)])],
    setupFiles: ["test/given-back.ts"],
    server: { deps: { inline: ["ink-table"] } },
    // The only limit there is: tests wait for conditions, and have none of their own (test/clock.test.ts).
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Stories and runs wait more than they compute: four at a time do well on two cores, where the usual is one.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // To load the program for each of 400 files anew takes as long as their tests. So files share their modules, and what one has
    // put in the place of something else is gone before the next test.
    isolate: false,
    // Collecting garbage less often: tests make much of it, which is old soon. The first run of a program limits the space of its
    // new objects to 32 MB (`lean-heap.ts`), but not below this least one; a fifth of the collections are left. What one file of
    // tests has compiled is not dropped before another needs it.
    execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64", "--no-flush-bytecode"],
    sequence: { sequencer: WaitingFirst },
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // The environment of a CI machine or a terminal must not change what the screens show.
    // React is the build that the program contains: the one for development takes several times as long for a screen.
    env: {
      CI: "",
      NO_COLOR: "",
      FORCE_COLOR: "",
      LC_ALL: "C.UTF-8",
      NODE_ENV: "production",
      NODE_COMPILE_CACHE,
      ...memoryFolder(),
    },
  },
});
