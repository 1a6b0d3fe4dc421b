/** Code that a notebook has loaded although its user has not allowed that code: each notebook is in a folder of its own. */
import { existsSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { notebook, userFolder } from "./program.ts";

const user = userFolder("served");
const appbench = "suite: appbench\ndata: sample\nstrategy: [direct, once]\nmodel: builtin/oracle\nlimit: 2";
const front = (file: string) => `---\nwith: [${file}]\n---\n\n`;
const wasLoaded = () => existsSync(user.at("loaded"));
const spoken = (text: string) => text.replaceAll(/\s+/g, " ");

describe("a hostile notebook", () => {
  test.each([
    ["../outside.ts", /Expected a path inside the folder of the notebook/],
    ["/etc/hosts.ts", /relative to the folder of the notebook/],
    ["link.ts", /inside the notebook's folder|link/],
    ["imports.ts", /to import files inside the notebook's folder/],
    ["missing.ts", /found none/],
  ])("cannot have %s loaded", (file, why) => {
    user.write("outside.ts", `import { writeFileSync } from "node:fs";\nwriteFileSync("loaded", "yes");\n`);
    user.write("session/imports.ts", `import "../outside.ts";\n`);
    symlinkSync(user.at("outside.ts"), user.at("session/link.ts"));
    user.write("session/session.md", front(file) + notebook(appbench));
    const { err, out } = user.planwright("run", "session", "--allow", file);
    expect(spoken(err + out)).toMatch(why);
    expect(wasLoaded()).toBe(false);
  });

  test.each([
    ["a computed path", 'await import("./" + "later.ts");'],
    ["a path with a query", "await import(`./later.ts?${1}`);"],
    ["a package of its own", 'await import("later");'],
    [
      "require",
      'const { createRequire } = await import("node:module");\ncreateRequire(import.meta.url)("./later.cjs");',
    ],
  ])("cannot load code that the user has not allowed by %s", (_, code) => {
    const later = `import { writeFileSync } from "node:fs";\nwriteFileSync("loaded", "yes");\n`;
    user.write("session/later.ts", later);
    user.write("session/later.cjs", `require("node:fs").writeFileSync("loaded", "yes");\n`);
    user.write(
      "session/node_modules/later/package.json",
      '{"name": "later", "type": "module", "exports": "./index.js"}',
    );
    user.write("session/node_modules/later/index.js", later);
    user.write("session/variant.ts", `import { define } from "planwright";\n${code}\nexport default define({});\n`);
    user.write("session/session.md", front("variant.ts") + notebook(appbench));
    const { err, out } = user.planwright("run", "session", "--allow", "variant.ts");
    expect(spoken(err + out)).toContain(
      "Expected imports by literal paths of files that existed when you allowed the notebook's code",
    );
    expect(wasLoaded()).toBe(false);
  });
});
