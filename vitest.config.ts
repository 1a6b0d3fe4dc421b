import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { inkStdin } from "./build/ink-stdin.ts";
import { inkTable } from "./build/ink-table.ts";

export default defineConfig({
  plugins: [inkStdin, inkTable],
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    globalSetup: ["test/build-program.ts"],
    server: { deps: { inline: ["ink-table"] } },
    // The only limit there is: tests wait for conditions, and have none of their own (test/clock.test.ts).
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Stories and runs wait more than they compute: three at a time do well on two cores, where the usual is one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // The environment of a CI machine or a terminal must not change what the screens show.
    env: { CI: "", NO_COLOR: "", FORCE_COLOR: "", LC_ALL: "C.UTF-8" },
  },
});
