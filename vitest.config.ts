import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { inkParts } from "./build/ink-parts.ts";
import { TestSummary } from "./build/test-summary.ts";
import { WaitingFirst } from "./test/waiting-first.ts";

const { PLANWRIGHT_TEST_SUMMARY: summary } = process.env;

export default defineConfig({
  plugins: [inkParts],
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
    sequence: { sequencer: WaitingFirst },
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // The environment of a CI machine or a terminal must not change what the screens show.
    env: { CI: "", NO_COLOR: "", FORCE_COLOR: "", LC_ALL: "C.UTF-8" },
  },
});
