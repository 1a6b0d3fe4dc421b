/**
 * Copies what the site shows into `pages/`: README and the other documents of the checkout, `documentation/`, the README of every
 * suite, with their pictures; what pages link to and what is no page goes into `pages/public`. Throws if a linked file is missing.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dirname, "..");
const pages = join(import.meta.dirname, "pages");

const documents = readdirSync(root).filter((name) => name.endsWith(".md"));
const described = readdirSync(join(root, "documentation"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("documentation", name));
const suites = readdirSync(join(root, "suites"))
  .map((name) => join("suites", name, "README.md"))
  .filter((path) => existsSync(join(root, path)));

rmSync(pages, { recursive: true, force: true });
for (const path of [...documents, ...described, ...suites]) {
  copy(path, path);
  for (const [, link] of readFileSync(join(root, path), "utf8").matchAll(/\]\(([^)#:\s]+)\)/g)) {
    const linked = normalize(join(dirname(path), link!));
    if (/\.(png|svg)$/.test(linked)) copy(linked, linked);
    else if (!linked.endsWith(".md")) copy(linked, join("public", linked));
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(pages, to)), { recursive: true });
  cpSync(join(root, from), join(pages, to));
}
