/** Loads users' modules: resolves `planwright` to the running program and removes types. */
import { readFileSync } from "node:fs";
import { sep } from "node:path";
import * as module from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { noteOwnFiles } from "../engine/work/own-files.ts";
import { ExtensionProblem } from "./definition.ts";
import { type OwnSource, withoutTypes } from "./own-source.ts";
import { refuseOwnExits } from "./process-exit.ts";

/** The public API of the running bundle or source, so that each module exists only once. */
const kit = new URL(import.meta.url.endsWith(".ts") ? "../kit.ts" : "./kit.js", import.meta.url).href;

/** Texts of users' files by address, so that the hashed text is executed even if the file has changed. */
const texts = new Map<string, string>();

/** Addresses of the folders of notebooks, which may contain code that the user has not allowed. */
const guarded = new Set<string>();

/**
 * Makes these modules loadable. Throws `ExtensionProblem` if a notebook's code differs from the code that this program has
 * loaded, because Node loads a module once.
 */
export function serveModules({ texts: added, inside }: OwnSource): void {
  const changed = [...added].find(([url, text]) => inside !== undefined && (texts.get(url) ?? text) !== text);
  if (changed !== undefined)
    throw new ExtensionProblem(
      `${fileURLToPath(changed[0])}: The file has changed since it was loaded; restart Planwright`,
    );
  if (texts.size === 0) {
    register();
    refuseOwnExits();
  }
  for (const [url, text] of added) texts.set(url, text);
  if (inside !== undefined) guarded.add(pathToFileURL(inside + sep).href);
  noteOwnFiles(added.keys());
}

function register(): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "planwright") return next(kit, context);
      const resolved = next(specifier, context);
      const isGuarded = [...guarded].some((folder) => resolved.url.startsWith(folder));
      if (isGuarded && !texts.has(resolved.url))
        throw new ExtensionProblem(
          `${fileURLToPath(resolved.url)}: Expected imports by literal paths of files that existed when you allowed the notebook's code`,
        );
      if (isUnread(specifier, context.parentURL, resolved.url))
        throw new ExtensionProblem(
          `${fileURLToPath(context.parentURL!)}: Expected a literal path in each import, because runs store a hash of this code, got ${fileURLToPath(resolved.url)}`,
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

/** Returns whether one user's file imports another by a computed path, which was not known when the code was hashed. */
function isUnread(specifier: string, parent: string | undefined, url: string): boolean {
  const isPath = /^(\.|\/|file:)/.test(specifier);
  return isPath && texts.has(parent ?? "") && !texts.has(url) && /^file:.*\.(ts|mts|mjs|js|json)$/.test(url);
}

/** Returns the text of TypeScript in an installed package, whose types Node does not remove. */
function textOfPackage(url: string): string | undefined {
  if (!url.startsWith("file:") || !/\/node_modules\/.*\.m?ts$/.test(url)) return undefined;
  const path = fileURLToPath(url);
  return withoutTypes(readFileSync(path, "utf8"), path);
}
