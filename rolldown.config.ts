import { defineConfig, type RolldownOptions } from "rolldown";
import { builtFrom, executable, grammars, lighterChunks } from "./build/bundled-files.ts";
import { inkParts } from "./build/ink-parts.ts";
import { licences } from "./build/licences.ts";
import { lighterPackages } from "./build/lighter-packages.ts";

/**
 * Dependencies are bundled: reading some hundred small files one by one took as long as everything else at the start, and
 * whoever installs the program installs one package. Left out are packages that may not be installed.
 */
const apart =
  /^(node:|@(duckdb|huggingface|resvg)\/|react-devtools-core|(bullmq|hyparquet-writer|ioredis|pdfkit|svg-to-pdfkit)$)/;

const transform: RolldownOptions["transform"] = {
  define: { __dirname: "import.meta.dirname", "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
};

const program: RolldownOptions = {
  input: {
    cli: "source/launch/planwright.ts",
    kit: "source/kit.ts",
    "analysis-thread": "source/analysis-thread.ts",
  },
  platform: "node",
  external: (id) => apart.test(id),
  plugins: [inkParts, lighterPackages, executable("cli.js"), grammars, licences, builtFrom, lighterChunks],
  transform,
  output: {
    dir: "dist",
    format: "esm",
    sourcemap: true,
    // The licences are in a file of their own.
    comments: false,
    chunkFileNames: "[name]-[hash].js",
    cleanDir: true,
    // What is needed at once is read at once: what every command needs, what most need, and the screen.
    codeSplitting: {
      groups: [
        { name: "start", test: /source[\\/]cli\.ts$/, priority: 3 },
        {
          name: "program",
          test: /(suites[\\/]index|analyses[\\/]index|commands[\\/](index|session[\\/]open-session))\.ts$/,
          priority: 2,
        },
        { name: "screen", test: /terminal[\\/]start\.tsx$/, priority: 1 },
      ],
    },
  },
};

/** What runs in threads and processes of its own, each in one file: none of them loads the program. */
const beside = {
  "clustering-worker": "source/engine/clustering/kernel/worker.ts",
  "log-check-worker": "source/engine/log/file/log-check-worker.ts",
  "python-grammar-worker": "suites/apibench/data/python-grammar-worker.ts",
  "question-file-worker": "suites/own/data/question-file-worker.ts",
  "onnx-program": "source/engine/clustering/embedding/onnx-program.ts",
};

export default defineConfig([
  program,
  ...Object.entries(beside).map(([name, file]): RolldownOptions => ({
    input: { [name]: file },
    platform: "node",
    external: (id) => apart.test(id),
    transform,
    output: { dir: "dist", format: "esm", sourcemap: true, codeSplitting: false },
  })),
]);
