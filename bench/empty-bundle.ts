/** The least a program with Ink can be, bundled as ours is: it takes this long to start, and so much room. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

export const emptyBundle = "a bundled, empty Ink app";

/** Writes it into a folder. Gives the file to start. */
export async function bundledEmptyApp(folder: string): Promise<string> {
  const define = { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' };
  await build({
    input: join(import.meta.dirname, "empty-app.ts"),
    platform: "node",
    external: /^(node:|react-devtools-core)/,
    transform: { define },
    output: { dir: folder, format: "esm" },
  });
  const entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { enableCompileCache } from "node:module";\nenableCompileCache();\nawait import("./empty-app.js");\n`,
  );
  return entry;
}
