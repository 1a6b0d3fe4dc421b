/** Reads a file of questions and prints the seconds of processor time and the memory, in MB, that it takes. Argument: the file. */
import { readQuestions } from "../suites/own/data/question-file.ts";

export type QuestionsWeight = { readonly seconds: number; readonly memory: number };

const [path] = process.argv.slice(2) as [string];
const [before, resident] = [process.cpuUsage(), process.memoryUsage.rss()];
const { tasks } = readQuestions(path);
const { user, system } = process.cpuUsage(before);
const memory = tasks.length === 0 ? 0 : (process.memoryUsage.rss() - resident) / 1e6;
console.log(JSON.stringify({ seconds: (user + system) / 1e6, memory } satisfies QuestionsWeight));
