import { defineConfig } from "rolldown";
import { executable } from "./build/executable.ts";
import { grammars } from "./build/grammars.ts";
import { inkTable } from "./build/ink-table.ts";
import { licences } from "./build/licences.ts";

/**
 * Dependencies are bundled: reading some hundred small files one by one took as long as everything else at the start, and
 * whoever installs the program installs one package. Left out are packages that may not be installed.
 */
const apart = /^(node:|@huggingface\/|react-devtools-core)/;

export default defineConfig({
  input: {
    cli: "source/launch/planwright.ts",
    kit: "source/kit.ts",
    "clustering-worker": "source/engine/clustering/kernel/worker.ts",
    "log-check-worker": "source/engine/log/log-check-worker.ts",
    "onnx-program": "source/engine/clustering/embedding/onnx-program.ts",
  },
  platform: "node",
  external: (id) => apart.test(id),
  plugins: [inkTable, executable("cli.js"), grammars, licences],
  transform: {
    define: { __dirname: "import.meta.dirname", "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  },
  output: { dir: "dist", format: "esm", sourcemap: true, chunkFileNames: "[name]-[hash].js", cleanDir: true },
});
