/** Every parser of text that models, servers, data sets or sessions write, and texts it can read. */
import { analyses } from "../../analyses/index.ts";
import { parseArguments, TextCalls } from "../../source/engine/models/replies/text-calls.ts";
import { LogDecoder } from "../../source/engine/log/file/log-codec.ts";
import { readReply } from "../../source/engine/models/network/reply-body.ts";
import { ThinkTags } from "../../source/engine/models/replies/think-tags.ts";
import { parseJsonAsPython } from "../../source/engine/python/json.ts";
import { parsePython } from "../../source/engine/python/literal.ts";
import { planAnalysisCell } from "../../source/engine/session/analysis-cell.ts";
import { readFrontMatter } from "../../source/engine/session/document/notebook-fields.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import { readSession, writeSession } from "../../source/engine/session/document/session-document.ts";
import { readTyped } from "../../source/engine/session/document/typed-text.ts";
import { DataProblem, parseJsonLines } from "../../source/engine/text/json-lines.ts";
import { printable, wrap } from "../../source/engine/text/printable.ts";
import { readPlan as readToolkitPlan } from "../../source/engine/toolkits/plan.ts";
import { loadPythonGrammar } from "../../suites/apibench/data/python-grammar.ts";
import { readAppList } from "../../test/suites/appbench/read-app-list.ts";
import { readCallForAnalysis, readCall } from "../../suites/appbench/score/call-text.ts";
import { canonicalCall } from "../../suites/appbench/score/canonical-call.ts";
import { readPlan as readAppPlan } from "../../suites/appbench/score/plan-text.ts";
import { suites } from "../../suites/index.ts";
import { parseQuestions } from "../../suites/own/data/question-file.ts";
import { compare } from "../../suites/own/score/checks.ts";
import { verdictIn } from "../../suites/own/score/judge.ts";
import { parseCall } from "../../suites/planningarena/data/literal.ts";
import { readPlannerReply, readResponderReply } from "../../suites/planningarena/score/transcript.ts";
import { readVerification, stateIn } from "../../suites/planbench/score/answers.ts";
import { extractLenient, saysUnsolvable } from "../../suites/planbench/score/extract-lenient.ts";
import { extractOfficial } from "../../suites/planbench/score/extract-official.ts";
import { readDomain, readProblem } from "../../suites/planbench/score/pddl.ts";
import { executed, validate } from "../../suites/planbench/score/validate.ts";
import { finish } from "../../suites/toolbench/ask/finish.ts";
import { parseAction } from "../../suites/travelplanner/ask/action.ts";
import { readCsv } from "../../suites/travelplanner/data/csv.ts";
import { readLiteral } from "../../suites/travelplanner/data/literal.ts";
import { readPlan as readTripPlan } from "../../suites/travelplanner/score/extract.ts";
import { planMistakes, planSteps } from "../../suites/ultratool/score/steps.ts";
import { readOfficial, readStrict } from "../../suites/ultratool/score/reading.ts";

export type Parser = { readonly read: (text: string) => unknown; readonly seeds: readonly string[] };

const json = [
  '{"a": [1, 2.5e3, null, true, "x\\u00e9\\n"], "__proto__": {"b": {}}}',
  '[{"name": "f", "arguments": {}}]',
];
const python = ["{'a': [1, 'x', (2,), None], 'b': {'c': True}}", "[{'step': '1.1 do', 'tool': {'f': \"it's\"}}]"];
const calls = [
  "[a = getRide(#from='here', #time=8)]",
  "f(x=1, y='a', z=[1, {'k': None}])",
  "Search[Paris, 2022-03-16]",
];
const think = ["<think>why</think>answer", "no\n<think>\nmore</think>\n```\n<think>\n```", "</think>late"];
const tools = [
  '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>',
  '```json\n{"name": "f"}\n```',
  "[TOOL_CALLS] []",
];
const cells = [
  "suite: appbench\nmodel: builtin/oracle\nlimit: [1, 2]\nbudget: {run: {tokens: 5}}\n",
  "pane: errors\nof: [a]\n",
];
const sessions = [
  "# Title\n\n```run a\nsuite: x\n```\n\n~~~analysis b\npane: y\n~~~\n",
  "---\ndefaults: {limit: 3}\n---\n\n````run\n```\n````\n",
];
const server = [
  'data: {"choices": [{"delta": {"content": "x"}}]}\n\ndata: [DONE]\n\n',
  '{"error": {"message": "no"}}',
  "<html>",
];
const log = [
  '{"type":"started","run":"r","task":"t","facets":{}}',
  '{"type":"prompt","run":"r","task":"t","messages":[{"ref":"m0"}]}',
  '{"type":"content","ref":"m0","message":{"role":"user","content":"x"}}',
];
const planner = [
  '{"GlobalThought": "", "OrderSteps": {"TotalSteps": 1, "StepDetail": {"StepNumber": 1, "Action": []}}}',
];

const pddlDomain =
  "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x - t) :precondition (p ?x) :effect (and (q ?x) (not (p ?x)))))";
const world = {
  domain: readDomain(pddlDomain, "file"),
  problem: readProblem("(define (problem e) (:objects x - t) (:init (p x)) (:goal (and (q x))))", "file"),
};
const context = { suites, defaultData: () => "sample" as const };
const listNodes = await loadPythonGrammar();

async function everyChunk(text: string): Promise<void> {
  const { pieces } = await readReply(new Response(text), () => {});
  for await (const values of pieces) for (const _ of values);
}

export const parsers: Readonly<Record<string, Parser>> = {
  "Python literals": { read: parsePython, seeds: python },
  "JSON as Python reads it": { read: parseJsonAsPython, seeds: json },
  "arguments of calls": { read: parseArguments, seeds: json },
  "thinking in text": { read: (text) => pieces(new ThinkTags(), text), seeds: think },
  "calls in text": { read: (text) => inPieces(new TextCalls(["f"]), text), seeds: tools },
  "replies of servers": { read: everyChunk, seeds: server },
  "lines of a log": { read: loggedEvent, seeds: log },
  "JSON Lines": { read: (text) => parseJsonLines(text, "file"), seeds: [...json, ...log] },
  sessions: { read: (text) => sameAgain(text), seeds: sessions },
  "front matter": { read: (text) => readFrontMatter(text, suites), seeds: ["defaults: {limit: 3}\n", ...cells] },
  "run cells": { read: (text) => planRunCell(text, context), seeds: cells },
  "analysis cells": { read: (text) => planAnalysisCell(text, analyses), seeds: cells },
  "text being typed, as it is kept": {
    read: (text) => readTyped(readSession(sessions[0]!), text),
    seeds: ['{"place":1,"kind":"note","name":"","source":"a","text":"b"}'],
  },
  "text for the screen": {
    read: (text) => wrap(printable(text), 20),
    seeds: [...think, "\u001b[2J 👩\u200d👩 می\u200cخ 日本"],
  },
  "plans of toolkits": {
    read: (text) => readToolkitPlan(text, new Set([1])),
    seeds: ['[{"Toolkit 1": "x"}]', ...json],
  },
  "AppBench: plans": { read: (text) => readAppPlan(text), seeds: calls },
  "AppBench: calls": {
    read: (text) => [readCall(text), readCallForAnalysis(text), canonicalCall("app", text)],
    seeds: calls,
  },
  "AppBench: lists of apps": { read: (text) => readAppList(text, ["a", "b"]), seeds: ["['a', 'b']", "[a]"] },
  "UltraTool: answers, with repairs": {
    read: (text) => [readOfficial(text, "A", "gpt"), readOfficial(text, "C", "other"), readStrict(text, "P")],
    seeds: python,
  },
  "UltraTool: plans": { read: (text) => [planSteps(text), planMistakes(text)], seeds: ["1. a\n1.1 b\n2 c", ...python] },
  "TravelPlanner: plans": { read: (text) => readTripPlan(text), seeds: ['[{"days": 1, "breakfast": "-"}]', ...python] },
  "TravelPlanner: literals": { read: readLiteral, seeds: python },
  "TravelPlanner: actions": { read: parseAction, seeds: calls },
  "TravelPlanner: CSV": {
    read: (text) => readCsv(bytes(text), "file", () => {}),
    seeds: ['a,"b ""c""\nd",e\r\n1,2,3\n'],
  },
  "PlanningArena: calls": { read: parseCall, seeds: calls },
  "PlanningArena: replies": {
    read: (text) => [readPlannerReply(text), readResponderReply(text)],
    seeds: [...planner, ...json],
  },
  "PlanBench: PDDL": { read: (text) => [readDomain(text, "file"), readProblem(text, "file")], seeds: [pddlDomain] },
  "PlanBench: plans": {
    read: (text) => [validate(world.domain, world.problem, text), executed(world.domain, world.problem, text)],
    seeds: ["(a x)\n(a x)", "0: (A x y) [1]\n; why\n```\n(a)"],
  },
  "PlanBench: replies": {
    read: (text) =>
      ["blocksworld", "mystery_blocksworld", "logistics", "depots", "obfuscated_randomized_blocksworld"].map(
        (config) => [
          extractOfficial(config, "task_1_plan_generation", text, "analysis"),
          extractOfficial(config, "task_1_plan_generation_state_tracking", text, "plan-bench"),
          extractLenient({ config, ...world }, text),
          [readVerification(config, text), stateIn(config, text), saysUnsolvable(text)],
        ],
      ),
    seeds: [
      "1. pick up the red block\n[PLAN]\nstack the red block on top of the blue block\n[PLAN END]",
      "load package_0 into truck_0 at location_0_0\ndrive truck_0 from location_0_0 to location_0_1",
      "The above plan is invalid. The following action at step 2 has unmet preconditions:\nattack object a\nThe unmet preconditions are:\nharmony, pain object b and object c craves object d",
    ],
  },
  "ToolBench: finish": { read: finish, seeds: ['{"return_type": "give_answer", "final_answer": "x"}', ...json] },
  "Own questions: files": {
    read: (text) => ["q.csv", "q.jsonl", "q.json"].map((name) => questionsIn(text, name)),
    seeds: ['id,question,answer,topic\n1,"a ""b""\nc",7,x\n', '[{"question":"a","answer":{"b":[1]}}]', ...json],
  },
  "Own questions: replies": {
    read: (text) => [
      ...(["exact", "contains", "number", "json", "one-of"] as const).map((check) => compare(check, text, "7")),
      verdictIn(text),
    ],
    seeds: ["So it is\nAnswer: 1,234.5e3", '```json\n{"a": [1]}\n```', "Because.\nVerdict: **right**"],
  },
  "APIBench: calls": { read: listNodes, seeds: ["torch.hub.load('a', model='b')", "f(g(h(1)), [x for x in y])"] },
};

/** A file that cannot be read is refused in a sentence. */
function questionsIn(text: string, name: string): unknown {
  try {
    return parseQuestions(text, name);
  } catch (error) {
    if (error instanceof DataProblem) return error.message;
    throw error;
  }
}

/** Whoever reads a log counts the lines that cannot be read, whatever the error. */
function loggedEvent(text: string): unknown {
  try {
    return new LogDecoder().decode(text);
  } catch {
    return undefined;
  }
}
function pieces(tags: ThinkTags, text: string): unknown {
  return [...text].flatMap((character) => tags.take(character)).concat(tags.end());
}
function inPieces(reader: TextCalls, text: string): unknown {
  for (let at = 0; at < text.length; at += 3) reader.take(text.slice(at, at + 3));
  return reader.end(true);
}
/** Checks that text read is written back unchanged to the byte. */
function sameAgain(text: string): void {
  if (writeSession(readSession(text)) !== text) throw new Error("Expected the same session, written back");
}
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += 7) yield all.subarray(at, at + 7);
}
