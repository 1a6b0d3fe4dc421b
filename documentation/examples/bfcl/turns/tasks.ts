/** The tasks of several turns, read from the wheel's files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem, type Task } from "planwright";
import type { FunctionDescription } from "../checker.ts";
import type { World } from "./execute.ts";
import { Dict, fromJson, type Py, text } from "./python/value.ts";
import type { Tables } from "./systems/system.ts";
import { readExtensions, readTables } from "./tables.ts";

/** The categories by BFCL's own names, with their tasks in bfcl-eval 2026.3.23. */
export const turnCategories = [
  { name: "multi_turn_base", title: "Base", tasks: 200 },
  { name: "multi_turn_miss_func", title: "Missing functions", tasks: 200 },
  { name: "multi_turn_miss_param", title: "Missing parameters", tasks: 200 },
  { name: "multi_turn_long_context", title: "Long context", tasks: 200 },
] as const;

export const turnFile = (name: string) => `bfcl_eval/data/BFCL_v4_${name}.json`;
export const turnAnswerFile = (name: string) => `bfcl_eval/data/possible_answer/BFCL_v4_${name}.json`;

const descriptionFiles: Readonly<Record<string, string>> = {
  GorillaFileSystem: "gorilla_file_system",
  MathAPI: "math_api",
  MessageAPI: "message_api",
  TwitterAPI: "posting_api",
  TicketAPI: "ticket_api",
  TradingBot: "trading_bot",
  TravelAPI: "travel_booking",
  VehicleControlAPI: "vehicle_control",
};
const descriptionFile = (name: string) => `bfcl_eval/data/multi_turn_func_doc/${descriptionFiles[name]}.json`;
export const descriptionPaths: readonly string[] = Object.keys(descriptionFiles).map(descriptionFile);

export type Turn = {
  /** What the user says; empty if functions are added instead. */
  readonly said: string;
  /** Functions that there are from this turn on. */
  readonly added: readonly FunctionDescription[];
};
export type TurnsInput = {
  readonly world: World;
  readonly turns: readonly Turn[];
  /** The functions of the first turn. */
  readonly functions: readonly FunctionDescription[];
};
/** The answer key: the right calls of each turn. */
export type TurnsTask = Task<TurnsInput, readonly (readonly string[])[]>;

type Source = { readonly folder: string; readonly descriptions: Map<string, Promise<readonly FunctionDescription[]>> };

async function linesOf(folder: string, file: string): Promise<readonly string[]> {
  const content = await readFile(join(folder, file), "utf8");
  return content.split("\n").filter((line) => line.trim() !== "");
}

function descriptionsOf({ folder, descriptions }: Source, name: string): Promise<readonly FunctionDescription[]> {
  const read =
    descriptions.get(name) ??
    linesOf(folder, descriptionFile(name)).then((lines) =>
      lines.map((line) => JSON.parse(line) as FunctionDescription),
    );
  descriptions.set(name, read);
  return read;
}

const dictOf = (value: Py | undefined): Dict => (value instanceof Dict ? value : new Dict());
const listOf = (value: Py | undefined): readonly Py[] => (Array.isArray(value) ? value : []);

/** Reads the tasks of a category. Throws `Problem` if questions and answers do not belong together. */
export async function readTurnTasks(folder: string, category: string): Promise<readonly TurnsTask[]> {
  const source: Source = { folder, descriptions: new Map() };
  const isLong = category === "multi_turn_long_context";
  const questions = (await linesOf(folder, turnFile(category))).map((line) => dictOf(fromJson(line)));
  const answers = (await linesOf(folder, turnAnswerFile(category))).map((line) => dictOf(fromJson(line)));
  const classes = new Set(questions.flatMap((each) => listOf(each.get("involved_classes")).map(text)));
  const tables: Record<string, Tables> = {};
  for (const name of classes) tables[name] = await readTables(folder, name);
  const extensions = isLong ? await readExtensions(folder) : new Map<string, Py>();
  return Promise.all(
    questions.map(async (question, index): Promise<TurnsTask> => {
      const id = text(question.get("id") ?? "");
      const answer = answers[index];
      if (answer === undefined || text(answer.get("id") ?? "") !== id)
        throw new Problem("bug", `Expected the answer to ${id} in line ${index + 1} of ${turnAnswerFile(category)}`);
      const involved = listOf(question.get("involved_classes")).map(text);
      const world = {
        id,
        classes: involved,
        scenario: dictOf(question.get("initial_config")),
        isLong,
        tables,
        extensions,
      };
      const input = {
        world,
        ...turnsOf(question, (await Promise.all(involved.map((name) => descriptionsOf(source, name)))).flat()),
      };
      return {
        id,
        question: input.turns.map(({ said }) => said).find((said) => said !== "") ?? "",
        input,
        answer: listOf(answer.get("ground_truth")).map((calls) => listOf(calls).map(text)),
        facets: { category, turns: input.turns.length, systems: involved.length },
      };
    }),
  );
}

/** Functions that are held back are added in a turn in which the user says nothing. */
function turnsOf(question: Dict, all: readonly FunctionDescription[]): Omit<TurnsInput, "world"> {
  const missed = dictOf(question.get("missed_function"));
  const held = new Set(missed.values().flatMap((names) => listOf(names).map(text)));
  const turns = listOf(question.get("question")).map((messages, index): Turn => {
    const said = listOf(messages).map((message) => text(dictOf(message).get("content") ?? ""));
    const names = listOf(missed.get(String(index))).map(text);
    return { said: said.join("\n\n"), added: all.filter(({ name }) => names.includes(name)) };
  });
  return { turns, functions: all.filter(({ name }) => !held.has(name)) };
}
