/** `planwright help`: prints all commands, one command, or a document. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder, packageSessions } from "../../engine/settings/package-folder.ts";
import { similarName } from "../../engine/text/similar-name.ts";
import { ArgumentProblem } from "./arguments.ts";
import type { Command } from "./command.ts";
import { foldedText } from "./folded-text.ts";
import { foundLines, type Page } from "./page-search.ts";
import { screenFlagTexts } from "../session/screen-flags.ts";

/** Columns; text in wider columns is hard to read. */
const widest = 120;

/** Returns the command of a program with these commands. */
export const helpCommand = (all: () => readonly Command[]): Command => ({
  name: "help",
  summary: "list commands and topics, show a command's options or a document, or find a word",
  usage: `planwright help [COMMAND, TOPIC or WORDS]

Without a word, lists all commands and topics. A topic is the name of a document in the folder documentation/ or
of a benchmark. If a word names a command and a topic, the command comes first. For any other word, or several words,
prints the lines that contain them, each after the command that prints its page. Phrases and whole words come first.`,
  takes: ["text"],
  flags: {},
  async run([word, ...more], { stdout, showPage }) {
    const commands = all();
    // Output other than a terminal gets every text unfolded.
    const { columns } = process.stdout;
    const tell = (text: string) =>
      stdout(columns === undefined ? text : foldedText(text, Math.max(20, Math.min(columns, widest))));
    if (word === undefined) {
      tell(help(commands));
      return 0;
    }
    const command = commands.find(({ name }) => name === word);
    const topic = topicFiles().get(word);
    if (more.length > 0 || (command === undefined && topic === undefined)) {
      const lines = foundLines(pagesOf(commands), [word, ...more].join(" "));
      if (lines.length > 0) {
        stdout(`${lines.join("\n")}\n`);
        return 0;
      }
      const known = [...commands.map(({ name }) => name), ...topicNames()];
      const similar = similarName(word, known);
      const expected = similar === undefined ? `(${known.join(", ")})` : `(did you mean \`${similar}\`?)`;
      throw new ArgumentProblem(
        `Expected one command or topic, or words of the documentation ${expected}, got \`${[word, ...more].join(" ")}\``,
      );
    }
    if (command !== undefined) tell(`${helpOn(command)}${topic === undefined ? "" : "\n"}`);
    if (topic === undefined) return 0;
    const page = readFileSync(topic, "utf8");
    // A terminal that does not know its width reports 0.
    if (showPage === undefined) stdout(page);
    else await showPage(page, Math.max(20, Math.min(columns || 80, widest)));
    return 0;
  },
});

/** Returns the text of `planwright help` for these commands. */
export const topicNames = (): readonly string[] => [...topicFiles().keys()];

/** Returns the texts of the package by name: the documents in `documentation`, and each benchmark's description. */
function topicFiles(): ReadonlyMap<string, string> {
  const [texts, suites] = ["documentation", "suites"].map((name) => join(packageFolder(), name)) as [string, string];
  const written = readdirSync(texts).filter((name) => name.endsWith(".md"));
  const told = readdirSync(suites).filter((name) => existsSync(join(suites, name, "README.md")));
  return new Map([
    ...written.toSorted().map((name) => [name.slice(0, -".md".length), join(texts, name)] as const),
    ...told.toSorted().map((name) => [name, join(suites, name, "README.md")] as const),
  ]);
}

function pagesOf(commands: readonly Command[]): readonly Page[] {
  const texts = [...topicFiles()].map(([name, path]) => ({
    prints: `planwright help ${name}`,
    text: readFileSync(path, "utf8"),
  }));
  return [...commands.map((each) => ({ prints: `planwright ${each.name} --help`, text: helpOn(each) })), ...texts];
}

const helpOn = ({ summary, usage }: Command): string => `${summary}\n\n${usage.trim()}\n`;

function help(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Planwright: a notebook for the terminal to study how language models plan and use tools.",
    "",
    "  planwright [SESSION]   open a notebook (sessions/welcome by default)",
    ...Object.entries(screenFlagTexts).map(([name, about]) => `    ${`--${name}`.padEnd(21)}  ${about}`),
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Every command takes --with FILE, which adds suites, strategies and analyses of your own (repeatable).",
    "planwright COMMAND --help shows the options of a command. In the notebook, ? lists all keys.",
    `planwright help TOPIC prints a page of the documentation: ${topicNames().join(", ")}.`,
    `Notebooks that come with Planwright, to be opened by name: ${packageSessions().join(", ")}.`,
    "",
  ].join("\n");
}
