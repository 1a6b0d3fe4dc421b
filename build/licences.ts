/** The licences of all packages that are part of the bundle, in one file beside it: most ask for nothing but that. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "rolldown";

type Package = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly folder: string;
};

/** Packages whose files are copied instead of bundled. */
const copied = ["tree-sitter-wasms"];
/** Compiled into one of those, whose licence is that of its collection alone. */
const grammar = { name: "tree-sitter-python", holder: "2016 Max Brunsfeld" };

export const licences: Plugin = {
  name: "licences",
  writeBundle({ dir }, bundle) {
    const packages = new Map<string, Package>();
    const take = (file: string) => {
      const found = packageOf(file);
      if (found !== undefined) packages.set(`${found.name} ${found.version}`, found);
    };
    for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") chunk.moduleIds.forEach(take);
    for (const name of copied) take(join("node_modules", name, "package.json"));
    const texts = [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => textOf(each));
    texts.push(`---- ${grammar.name}, MIT ----\n\n${mitLicence(grammar.holder)}\n`);
    writeFileSync(join(dir!, "licences.txt"), `Planwright contains these packages.\n\n${texts.join("\n")}`);
  },
};

/** The package a file of node_modules belongs to; undefined for files of our own. */
function packageOf(file: string): Package | undefined {
  if (!file.includes("node_modules")) return undefined;
  for (let folder = dirname(file.replace(/^\0/, "").split("?")[0]!); ; folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (existsSync(path)) {
      const read = JSON.parse(readFileSync(path, "utf8")) as Partial<Package>;
      if (read.name !== undefined && read.version !== undefined)
        return { ...read, name: read.name, version: read.version, folder };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Throws if a package has no licence file and none can be written for it. */
function textOf({ author, folder, license = "no licence named", name, version }: Package): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  const holder = typeof author === "object" ? author.name : author?.replace(/ <.*/, "");
  if (file === undefined && (license !== "MIT" || holder === undefined))
    throw new Error(`Expected ${name} to have a licence file, or an author and the MIT licence`);
  const text = file === undefined ? mitLicence(holder!) : readFileSync(join(folder, file), "utf8").trim();
  return `---- ${name} ${version}, ${license} ----\n\n${text}\n`;
}

/** Writes our licence with another holder. */
function mitLicence(holder: string): string {
  const own = readFileSync(join(import.meta.dirname, "..", "LICENSE"), "utf8").trim();
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
