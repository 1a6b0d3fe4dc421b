import { defineConfig } from "rolldown";
import { inkTable } from "./build/ink-table.ts";

export default defineConfig({
  input: { planwright: "source/launch/planwright.ts", "clustering-worker": "source/engine/clustering/worker.ts" },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("ink-table") && !/^[A-Za-z]:/.test(id),
  plugins: [inkTable],
  output: { dir: "dist", format: "esm", sourcemap: true, chunkFileNames: "[name]-[hash].js", cleanDir: true },
});
