/**
 * An author without a model, for tests and trials: it changes one value of a task in the request and approves every
 * task.
 */
import { field, isRecord } from "../../../../source/engine/text/json-record.ts";
import type { Chunk, Json, Model } from "../../../../source/engine/types.ts";

/** Replacement texts, used in turn. */
const others = ["the copper coast", "the marsh villages", "the glass harbour", "the salt plains"];

/** Creates the author; `grade` is its grade as an evaluator. */
export function standInAuthor(grade = 4): Model {
  let next = 0;
  return {
    name: "builtin/author",
    readsAnswerKey: true,
    async *stream({ messages, asker }): AsyncIterable<Chunk> {
      const text = messages.at(-1)!.content;
      const task = jsonAfter(text, "Task:\n");
      const suggestion = jsonAfter(text, "Suggestion:\n");
      const reply =
        asker.stage === "suggest"
          ? suggest(task, others[next++ % others.length]!)
          : asker.stage === "edit"
            ? edit(task, suggestion)
            : { completeness: grade, clarity: grade, feasibility: grade, specificity: grade };
      yield { type: "text", text: JSON.stringify(reply) };
      yield { type: "usage", input: text.length, output: 20, estimated: true };
      yield { type: "finish", reason: "stop" };
    },
  };
}

function jsonAfter(text: string, mark: string): Json {
  const from = text.indexOf(mark);
  if (from < 0) return null;
  const to = text.indexOf("\n", from + mark.length);
  return JSON.parse(text.slice(from + mark.length, to < 0 ? undefined : to)) as Json;
}

/** Suggests replacing the first text value of the key that occurs literally in the request. */
function suggest(task: Json, to: string): Json {
  const query = String(field(task, "query"));
  const gold = field(task, "gold");
  const subtasks = (field(gold, "subtasks") ?? []) as readonly Json[];
  const bound = subtasks.flatMap((subtask) =>
    ((field(subtask, "args") ?? []) as readonly Json[]).map((arg) => field(arg, "value")),
  );
  const literals = (field(gold, "literals") ?? []) as readonly Json[];
  const from = [...bound, ...literals].find(
    (value) => typeof value === "string" && value.length > 3 && query.includes(value),
  );
  return {
    kind: "parameter",
    target: "a value of the request",
    from: from ?? "",
    to,
    why: "another place makes another task",
  };
}

function edit(task: Json, suggestion: Json): Json {
  const [from, to] = [String(field(suggestion, "from")), String(field(suggestion, "to"))];
  const changed = from === "" ? task : (JSON.parse(JSON.stringify(task).replaceAll(from, to)) as Json);
  if (!isRecord(changed)) return null;
  const { query, level, structure, gold } = changed;
  return { query: query!, queryZh: `请帮我：${String(query)}`, level: level!, structure: structure!, gold: gold! };
}
