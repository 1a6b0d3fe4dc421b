#!/usr/bin/env node
/** The entry point: reports if this version of Node is too old, then loads the program. */
import * as module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Planwright needs Node 22.18 or newer, but this is Node ${process.versions.node} (${process.execPath.replace(/[^ -~]/g, "?")})\n`,
  );
  process.exit(2);
}
module.enableCompileCache?.();
const { keepProgramFiles, main, printedBug } = await import("../cli.ts");
// Node would print the message unescaped, including control characters for the terminal.
process.on("uncaughtException", (error) => {
  process.stderr.write(printedBug(error));
  process.exit(1);
});
// The reason is thrown unchanged; for a reason that is not an `Error` Node would print its own text.
process.on("unhandledRejection", (reason) => {
  throw reason;
});
const keepNoMore = keepProgramFiles(import.meta.dirname);
process.exitCode = await main(process.argv.slice(2));
keepNoMore();
