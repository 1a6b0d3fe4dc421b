/**
 * The first start: asks at most three questions and ends in a notebook that runs. A server receives a request for its models only
 * after the user agrees.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { createInterface, emitKeypressEvents } from "node:readline";
import { modelsAt } from "../../engine/models/probe.ts";
import { packageFolder } from "../../engine/settings/package-folder.ts";
import { checkEndpoint } from "../../engine/settings/settings-check.ts";
import { SessionFolder } from "../../engine/session/session-folder.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { printable } from "../../engine/text/printable.ts";
import type { CommandContext } from "../shell/command.ts";
import { namedPath, openFor } from "./open-session.ts";

/** Ports of Ollama, vLLM, llama.cpp, LM Studio and SGLang. */
const usualPorts: readonly number[] = [11434, 8000, 8080, 1234, 30000];

type Asking = {
  /** Asks one question; resolves to undefined after Esc or the end of the input. */
  readonly asks?: (text: string) => Promise<string | undefined>;
  /** Ports of 127.0.0.1 that are asked for models. */
  readonly ports?: readonly number[];
};
type Dialogue = Required<Asking> & { readonly context: CommandContext; readonly settings: SettingsStore };

/** A cell of the first notebook, without the model. */
type Wanted = { readonly source: string; readonly file?: string };

const samples: Wanted = { source: "suite: appbench\ndata: sample\nlimit: 10\nprompting: [hierarchical, flat]\n" };

/** Returns true if the program was never used in this folder: no endpoint, no `sessions/`, and not in a clone of the project. */
export const isFirstStart = (settings: SettingsStore, folder = process.cwd()): boolean =>
  settings.read().endpoints.length === 0 && !existsSync(resolve(folder, "sessions")) && folder !== packageFolder();

/** Resolves to a notebook whose run has started, or to the welcome notebook. */
export async function firstSteps(
  context: CommandContext,
  settings: SettingsStore,
  { asks = askedOnTerminal, ports = usualPorts }: Asking = {},
): Promise<SessionWorkbench> {
  const dialogue = { context, settings, asks, ports };
  const begin = await choice(dialogue, "What do you want to begin with?", [
    `a model on this machine: looks for a server at 127.0.0.1, ports ${ports.join(", ")}`,
    "the welcome notebook: its model is built in and needs no server",
    "questions of my own, from a file",
  ]);
  if (begin === 0) return withModel(dialogue);
  if (begin === 2) return withQuestions(dialogue);
  return begun(await welcome(context), begin === 1);
}

const welcome = (context: CommandContext) => openFor("welcome", context, { mustExist: true, drafts: true });

async function withModel(dialogue: Dialogue): Promise<SessionWorkbench> {
  const { context, settings } = dialogue;
  const found = await foundModels(dialogue);
  if (found.length === 0) {
    context.stdout(
      "No server answered, so the welcome notebook runs. `planwright endpoint add NAME --base-url URL` adds a server\n",
    );
    return begun(await welcome(context), true);
  }
  const model = found.length === 1 ? 0 : await choice(dialogue, "Which model?", found.map(described));
  if (model === undefined) return welcome(context);
  return begun(await newNotebook(context, samples, added(settings, found[model]!)), true);
}

async function withQuestions(dialogue: Dialogue): Promise<SessionWorkbench> {
  const { asks, context, settings } = dialogue;
  let file: string | undefined;
  while (file === undefined) {
    const typed = await asks("File with a column `question` and a column `answer` (CSV, JSON or JSON Lines): ");
    if (typed === undefined) return welcome(context);
    const path = resolve(typed.trim());
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) file = path;
    else context.stdout(`Expected a file, found none at ${printable(path)}\n`);
  }
  const asked = await choice(dialogue, "Which model answers?", [
    "the first model found on this machine: looks for a server at 127.0.0.1",
    "builtin/oracle: reads the answer key, so that you see how a run looks",
  ]);
  if (asked === undefined) return welcome(context);
  const [first] = asked === 0 ? await foundModels(dialogue) : [];
  const model = first === undefined ? "builtin/oracle" : added(settings, first);
  const wanted = { source: `suite: own\nfrom: ${JSON.stringify(basename(file))}\n`, file };
  return begun(await newNotebook(context, wanted, model), true);
}

type Found = { readonly port: number; readonly model: string };
const described = ({ port, model }: Found) => `${model} at 127.0.0.1:${port}`;

/** Asks each port, and prints a line for each. */
async function foundModels({ context: { stdout, signal }, ports }: Dialogue): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const port of ports) {
    const models = await modelsAt(`http://127.0.0.1:${port}/v1`, signal);
    stdout(`  127.0.0.1:${port}  ${models.length === 0 ? "nothing" : models.map(printable).join(", ")}\n`);
    found.push(...models.map((model) => ({ port, model })));
  }
  return found;
}

/** Saves the server as the endpoint `local`; returns the model's name in cells. */
function added(settings: SettingsStore, { port, model }: Found): string {
  const endpoint = checkEndpoint({ name: "local", baseUrl: `http://127.0.0.1:${port}/v1`, models: [model] });
  settings.change((before) => ({ ...before, endpoints: [...before.endpoints, endpoint] }));
  return `local/${model}`;
}

async function newNotebook(context: CommandContext, { source, file }: Wanted, model: string) {
  if (file !== undefined) new SessionFolder(namedPath("first")).keepFile(basename(file), readFileSync(file, "utf8"));
  const workbench = await openFor("first", context, { drafts: true });
  const note = workbench.cells().at(-1)?.id;
  const run = workbench.insert("run", note, `${source}model: ${JSON.stringify(model)}\n`, "first");
  workbench.insert("analysis", run, "pane: errors\nof: [first]\n", "mistakes");
  workbench.save();
  return workbench;
}

/** Begins the notebook's first run if wanted. */
function begun(workbench: SessionWorkbench, isWanted: boolean): SessionWorkbench {
  const run = workbench.cells().find(({ kind }) => kind === "run");
  if (isWanted && run !== undefined && workbench.readOnly === undefined) void workbench.run(run.id);
  return workbench;
}

/** Resolves to the index of the chosen line; undefined after Esc. */
async function choice({ asks, context: { stdout } }: Dialogue, question: string, lines: readonly string[]) {
  stdout(`\n${question}\n${lines.map((line, index) => `  ${index + 1}  ${printable(line)}\n`).join("")}`);
  for (;;) {
    const typed = await asks("Number, or Esc for the welcome notebook: ");
    if (typed === undefined) return undefined;
    const number = Number(typed);
    if (Number.isInteger(number) && number >= 1 && number <= lines.length) return number - 1;
    stdout(`Expected a number from 1 to ${lines.length}, got ${typed.trim() === "" ? "nothing" : printable(typed)}\n`);
  }
}

const askedOnTerminal = (text: string) =>
  new Promise<string | undefined>((resolved) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout, escapeCodeTimeout: 50 });
    emitKeypressEvents(process.stdin, lines);
    let answer: string | undefined;
    const leave = (_: string | undefined, key: { readonly name?: string } | undefined) => {
      if (key?.name === "escape") lines.close();
    };
    process.stdin.on("keypress", leave);
    lines.on("close", () => {
      process.stdin.off("keypress", leave);
      if (answer === undefined) process.stdout.write("\n");
      resolved(answer);
    });
    lines.on("SIGINT", () => process.exit(130));
    lines.question(text, (typed) => {
      answer = typed;
      lines.close();
    });
  });
