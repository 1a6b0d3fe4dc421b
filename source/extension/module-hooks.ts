/** How modules of the user's own are loaded: `planwright` is the program that is running, and types are taken out. */
import { readFileSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";
import { noteOwnFiles } from "../engine/work/own-files.ts";
import { ExtensionProblem } from "./definition.ts";
import { withoutTypes } from "./own-source.ts";
import { refuseOwnExits } from "./process-exit.ts";

/** The public API, of the bundle or of the source, whichever is running: there is one copy of each module. */
const kit = new URL(import.meta.url.endsWith(".ts") ? "../kit.ts" : "./kit.js", import.meta.url).href;

/** Texts of the user's files, by address: what is executed is what was hashed, whatever is written there later. */
const texts = new Map<string, string>();

/** From now on these modules can be loaded. */
export function serveModules(added: ReadonlyMap<string, string>): void {
  if (texts.size === 0) {
    register();
    refuseOwnExits();
  }
  for (const [url, text] of added) texts.set(url, text);
  noteOwnFiles(added.keys());
}

function register(): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "planwright") return next(kit, context);
      const resolved = next(specifier, context);
      if (isUnread(specifier, context.parentURL, resolved.url))
        throw new ExtensionProblem(
          `${fileURLToPath(context.parentURL!)}: Expected the path of each import to be written out, as its code is hashed into runs, got ${fileURLToPath(resolved.url)}`,
        );
      return resolved;
    },
    load(url, context, next) {
      const text = texts.get(url) ?? textOfPackage(url);
      if (text === undefined) return next(url, context);
      return { format: url.endsWith(".json") ? "json" : "module", source: text, shortCircuit: true };
    },
  });
}

/** True where one of the user's files imports another one by a path that was worked out: nobody knew of it. */
function isUnread(specifier: string, parent: string | undefined, url: string): boolean {
  const isPath = /^(\.|\/|file:)/.test(specifier);
  return isPath && texts.has(parent ?? "") && !texts.has(url) && /^file:.*\.(ts|mts|mjs|js|json)$/.test(url);
}

/** Of TypeScript in an installed package, whose types Node does not take out. */
function textOfPackage(url: string): string | undefined {
  if (!url.startsWith("file:") || !/\/node_modules\/.*\.m?ts$/.test(url)) return undefined;
  const path = fileURLToPath(url);
  return withoutTypes(readFileSync(path, "utf8"), path);
}
