/**
 * What bundled packages do as they are loaded, or at each request, and nobody needs: some of it takes as long as starting Node. The
 * packages stay as they are but for these lines; where a new version words one otherwise, the build stops.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Change = { readonly file: RegExp; readonly from: RegExp; readonly to: string };

const text = JSON.stringify(join(import.meta.dirname, "..", "source", "engine", "text", "graphemes.ts"));

const changes: readonly Change[] = [
  // `conf` brings a validator for those who give it a schema. Settings are checked by `settings-check.ts`.
  {
    file: /conf\/dist\/source\/index\.js$/,
    from: /^import .* from 'ajv\/dist\/2020\.js';$/m,
    to: "const Ajv = undefined;",
  },
  {
    file: /conf\/dist\/source\/index\.js$/,
    from: /^import .* from 'ajv-formats';$/m,
    to: "const ajvFormatsModule = {};",
  },
  // Only two classes of the HTTP client are used: without its `fetch`, sockets, caches and mocks it loads in a quarter of the
  // time.
  {
    file: /undici\/index\.js$/,
    from: /^'use strict'[^]*(?=\nconst Agent = )[^]*module\.exports\.ProxyAgent = ProxyAgent\n[^]*$/,
    to: "exports.Agent = require('./lib/dispatcher/agent');\nexports.ProxyAgent = require('./lib/dispatcher/proxy-agent');\n",
  },
  // The client describes every request and reply for a log that is switched off (`logLevel` in `models/client.ts`).
  {
    file: /openai\/internal\/utils\/log\.mjs$/,
    from: /^export function redactURL\(value\) \{$/m,
    to: '$&\n    return "";',
  },
  {
    file: /openai\/internal\/utils\/log\.mjs$/,
    from: /^export const formatRequestDetails = \(details\) => \{$/m,
    to: "$&\n    return {};",
  },
  // The layout's bytes are in the file itself: fetching them from there loads an HTTP client.
  { file: /yoga-wasm-base64-esm\.js$/, from: /return w\|\|"function"!=typeof fetch\?/, to: "return true?" },
  // A segmenter reads the tables of Unicode, which simple texts do not need.
  {
    file: /(ansi-tokenize\/build\/tokenize|ink\/build\/line-update|slice-ansi\/tokenize-ansi|string-width\/index|wrap-ansi\/index)\.js$/,
    from: /^const (\w+) = new Intl\.Segmenter\(.*\);$/m,
    to: `import { graphemes as graphemesOf } from ${text};\nconst $1 = { segment: graphemesOf };`,
  },
  // The expression of all emoji takes longer to be made than a frame to be drawn: it is made for the first emoji.
  { file: /string-width\/index\.js$/, from: /\/\^\[\\u0020-\\u007E\]\*\$\/\.test\(string\)/, to: "isSimple(string)" },
  { file: /string-width\/index\.js$/, from: /^/, to: `import { isSimple } from ${text};\n` },
  { file: /string-width\/index\.js$/, from: /^const rgiEmojiRegex = .*$/m, to: "" },
  {
    file: /string-width\/index\.js$/,
    from: /if \(rgiEmojiRegex\.test\(segment\)/,
    to: "if (/^\\p{Emoji}/u.test(segment) && /^\\p{RGI_Emoji}$/v.test(segment)",
  },
];

export const lighterPackages = {
  name: "lighter-packages",
  /** Throws if a file has no such line. */
  load(id: string): string | null {
    const wanted = changes.filter(({ file }) => id.includes("node_modules") && file.test(id));
    if (wanted.length === 0) return null;
    return wanted.reduce(
      (code, { from, to }) => {
        if (!from.test(code)) throw new Error(`Expected ${from} in ${id}, which build/lighter-packages.ts changes`);
        return code.replace(from, to);
      },
      readFileSync(id, "utf8"),
    );
  },
};
