/** The score of a task: the score that the process gave before its answer, otherwise the score that it gives on request. */
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import { Problem } from "../../../source/engine/problem.ts";
import type { AgentEvent } from "../../../source/engine/protocol.ts";
import { scoreNote } from "../../../source/engine/strategies/process.ts";
import { field, isRecord, listAt, recordAt, textAt } from "../../../source/engine/text/json-record.ts";
import type { Json, Mistake, Outcome, Score } from "../../../source/engine/types.ts";
import type { Episodes } from "../ask/episodes.ts";
import type { ProcessTask } from "../data/tasks.ts";

/** Maximum number of parts and of errors of a score, because a process may be in a loop. */
const most = 200;
/** Most lines and requests until a score comes. */
const mostEvents = 10_000;

/** Returns the process's score of an answer. Throws `Problem` if it gives none that can be read. */
export async function scoreOutcome(
  task: ProcessTask,
  { answer, steps }: Outcome,
  context: ScoreContext,
  { name, episodes }: { readonly name: string; readonly episodes: Episodes },
): Promise<Score> {
  const noted = steps.findLast((step) => step.type === "note" && step.kind === scoreNote);
  if (noted?.type === "note") return readScore(noted.data, { name, task, answer });
  return episodes.with(task, context.spec, context.signal, async (program) => {
    await program.write({ type: "score", task: task.id, answer: answer ?? null, model: { url: program.modelUrl } });
    for (let count = 0; count < mostEvents; count++) {
      const event = await program.next(context.signal);
      if (event.type === "request") await judge(event, context);
      else if (textAt(event.value, "type") === "score") return readScore(event.value, { name, task, answer });
    }
    throw new Problem("tool", `\`${name}\` wrote ${mostEvents} lines without a score`);
  });
}

/** Only the judge is asked for a score. */
async function judge(
  { role, messages, reply, refuse }: Extract<AgentEvent, { readonly type: "request" }>,
  { ask }: ScoreContext,
): Promise<void> {
  if (role !== "judge" || ask === undefined)
    return refuse(role === "judge" ? "The run names no judge" : `Expected the model \`judge\`, got \`${role}\``);
  try {
    reply({ text: await ask("score", messages) });
  } catch (thrown) {
    refuse((thrown as Error).message);
    throw thrown;
  }
}

type Scored = { readonly name: string; readonly task: ProcessTask; readonly answer: Json | undefined };

function readScore(line: Json | undefined, { name, task, answer }: Scored): Score {
  const given = field(line, "value");
  const value = typeof given === "boolean" ? Number(given) : given;
  const errors = listAt(line, "errors").slice(0, most).map(mistakeIn);
  if (value === null || value === undefined) {
    const [first] = errors;
    throw new Problem("tool", `\`${name}\` gave no score${first?.note === undefined ? "" : `: ${first.note}`}`);
  }
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    throw new Problem(
      "tool",
      `Expected \`${name}\` to give a score from 0 to 1, got ${JSON.stringify(value).slice(0, 80)}`,
    );
  const parts = Object.entries(recordAt(line, "parts")).slice(0, most);
  const numbers = parts.flatMap(([part, each]) =>
    typeof each === "number" || typeof each === "boolean" ? [[part, Number(each)] as const] : [],
  );
  return {
    value,
    metrics: { ...Object.fromEntries(numbers.map(([part, each]) => [`part.${part}`, each])), score: value },
    checks: numbers.map(([part, each]) => ({ name: part, kept: each >= 1, message: String(each) })),
    errors: value < 1 && errors.length === 0 ? [wrong(task, answer)] : errors,
  };
}

/** Reads an error: a string, or an object with the fields of a mistake. */
function mistakeIn(error: Json): Mistake {
  if (!isRecord(error)) return { kind: "reported", note: typeof error === "string" ? error : JSON.stringify(error) };
  const texts = (["key", "expected", "got", "note"] as const).flatMap((part) => {
    const text = field(error, part);
    return text === undefined ? [] : [[part, typeof text === "string" ? text : JSON.stringify(text)] as const];
  });
  return { kind: "reported", ...Object.fromEntries(texts) };
}

function wrong({ answer: reference }: ProcessTask, answer: Json | undefined): Mistake {
  if (answer === undefined) return { kind: "no-answer" };
  return { kind: "wrong-answer", ...(reference !== null && { expected: asText(reference) }), got: asText(answer) };
}

const asText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
