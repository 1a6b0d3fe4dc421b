/** The site: README, `documentation/` and the README of every suite, as `pages.ts` copies them. Nothing is written twice. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";

const site = join(import.meta.dirname, "..");
const pages = join(site, "pages");
const { description } = JSON.parse(readFileSync(join(site, "../package.json"), "utf8")) as {
  readonly description: string;
};

/** The first page of each line of the index, under the line's own words. */
const index = readFileSync(join(pages, "documentation/index.md"), "utf8");
const wishes = [...index.matchAll(/^\| (.+?) \| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, text, link]) => ({
  text: text!,
  link: `/${join("documentation", link!).replace(".md", "")}`,
}));
const suites = readdirSync(join(pages, "suites")).map((name) => ({ text: name, link: `/suites/${name}/README` }));

export default defineConfig({
  title: "Planwright",
  description,
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: pages,
  outDir: join(site, "dist"),
  cacheDir: join(site, "node_modules/.vitepress"),
  rewrites: { "README.md": "index.md" },
  // Files that are no pages; `pages.ts` has found them.
  ignoreDeadLinks: [/\.(ts|py|jsonl)$/, /LICENSE$/],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { run: "yaml", analysis: "yaml", kinds: "yaml" },
    // The pages hold no HTML: what looks like a tag is text.
    config: (md) => void md.set({ html: false }),
  },
  themeConfig: {
    nav: [
      { text: "First hour", link: "/documentation/first-hour" },
      { text: "I want to ...", link: "/documentation/index" },
      { text: "Reference", link: "/documentation/reference" },
    ],
    sidebar: [
      { text: "I want to ...", items: wishes },
      { text: "Benchmarks", items: suites },
    ],
    search: { provider: "local" },
    outline: [2, 3],
  },
});
