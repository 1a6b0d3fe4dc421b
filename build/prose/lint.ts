/**
 * The prose linter (`npm run prose`): textlint's kernel with the rules of `rules.ts`, over the documents and over every text
 * that `npm run texts` prints. Ends with status 1 if a sentence breaks a rule.
 */
import { globSync, readFileSync } from "node:fs";
import { TextlintKernel, type TextlintRuleReporter } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import plain from "@textlint/textlint-plugin-text";
import { screenTexts } from "../texts.ts";
import { fusedStart, literal, rules } from "./rules.ts";

/** `documentation/history.md` and older sections of the changelog stay as they were written. */
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ".github/**/*.md",
  "documentation/**/*.md",
  "suites/*/README.md",
];
/** It keeps the words in which changes were noted. */
const history = "documentation/history.md";

type TextNode = {
  readonly type: string;
  readonly range: readonly [number, number];
  readonly children?: readonly TextNode[];
};

export type Finding = { readonly line: number; readonly message: string };

/** Blanks in a rule match several, because the marks of Markdown are read as blanks. */
const spaced = rules.map((rule) => ({
  ...rule,
  pattern: new RegExp(rule.pattern.source.replaceAll(" ", " +"), rule.pattern.flags),
}));

/** The words of a paragraph, each at its place: code reads as a noun of x, and marks and addresses as blanks. */
function words(source: string, paragraph: TextNode): string {
  const [start, end] = paragraph.range;
  const letters = Array.from({ length: end - start }, () => " ");
  const copy = (node: TextNode): void => {
    if (node.type === "Str" || node.type === "Code")
      for (let at = node.range[0]; at < node.range[1]; at++)
        letters[at - start] = node.type === "Code" ? "x" : source[at]!.replace(/\s/, " ");
    node.children?.forEach(copy);
  };
  copy(paragraph);
  return literal.reduce((text, exact) => text.replaceAll(exact, "x".repeat(exact.length)), letters.join(""));
}

/** Sentences of a text that break a rule. A label without a full stop needs no subject if `labels` are read. */
function broken(text: string, labels: boolean): readonly { readonly at: number; readonly message: string }[] {
  return [...text.matchAll(/\S.*?(?:[.!?](?=\s|$)|$)/g)].flatMap(({ 0: sentence, index }) => {
    const found = spaced.flatMap(({ name, pattern, use }) => {
      const hit = pattern.exec(sentence);
      return hit === null ? [] : [{ at: index + hit.index, message: `${name}: "${hit[0]}", use: ${use}` }];
    });
    const whole = labels ? sentence.endsWith(".") : !sentence.endsWith("?");
    if (whole && fusedStart.test(sentence))
      found.push({ at: index, message: `fused-start: "${sentence.split(" ")[0]}", begin with the subject` });
    return found;
  });
}

/** A rule of textlint that reads a whole paragraph at a time, because a phrase may cross a link. */
const houseRule =
  (labels: boolean): TextlintRuleReporter =>
  ({ RuleError, report, getSource, locator }) => {
    const check = (label: boolean) => (node: Parameters<typeof report>[0]) => {
      for (const { at, message } of broken(words(getSource(), node), label))
        report(node, new RuleError(message, { padding: locator.at(at) }));
    };
    return { Paragraph: check(labels), TableCell: check(true), Header: check(true) };
  };

/** Node wraps the plugins, which are CommonJS, once more than vitest does. */
const pluginOf = <Plugin>(loaded: { readonly default: Plugin }): Plugin =>
  "default" in loaded ? loaded.default : (loaded as unknown as Plugin);

/** Places of a text that break a rule. A file `.md` is read as Markdown, `.txt` as one text of the screen a line. */
export async function proseFindings(text: string, ext: ".md" | ".txt"): Promise<readonly Finding[]> {
  const { messages } = await new TextlintKernel().lintText(text, {
    ext,
    filePath: `text${ext}`,
    plugins: [
      { pluginId: "markdown", plugin: pluginOf(markdown) },
      { pluginId: "text", plugin: pluginOf(plain) },
    ],
    rules: [{ ruleId: "house", rule: houseRule(ext === ".txt") }],
  });
  return messages.map(({ loc, message }) => ({ line: loc.start.line, message }));
}

/** All findings of the checkout in the current folder, as `file:line  message`. */
export async function checkoutFindings(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of globSync(documents, { exclude: [history] }).toSorted())
    for (const { line, message } of await proseFindings(readFileSync(path, "utf8"), ".md"))
      found.push(`${path}:${line}  ${message}`);
  const texts = screenTexts();
  for (const { line, message } of await proseFindings(texts.map(({ text }) => text).join("\n\n"), ".txt")) {
    const { path, line: at, text } = texts[(line - 1) / 2]!;
    found.push(`${path}:${at}  ${message}  (${text})`);
  }
  return found;
}

if (import.meta.main) {
  const found = await checkoutFindings();
  for (const each of found) process.stdout.write(`${each}\n`);
  process.stdout.write(`${found.length} sentences break a rule of build/prose/rules.ts\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
