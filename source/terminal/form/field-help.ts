/** A line on the effect of a field, with an example, for every field of the form. */
import type { Field } from "./form-fields.ts";

/** Of settings whose rows have no note. */
const helps: Readonly<Record<string, string>> = {
  suite: "the benchmark that the tasks come from, such as appbench",
  split: "the part of the benchmark; several parts make a grid",
  data: "sample: tasks written for this project; published: the benchmark's own tasks, once installed; or your own data",
  strategy: "how plans are requested; several values make a grid",
  shots: "worked examples before each task, such as 3; several numbers make a grid",
  model: "ENDPOINT/MODEL, such as lab/llama-3.1-8b; several models make a grid",
  actor: "the model that acts on the plan, such as lab/llama-3.1-8b",
  responder: "the model that answers for the apps in a dialogue, such as builtin/responder",
  temperature: "0 chooses the most likely token; higher values vary replies, such as 0.7",
  topP: "chooses among the most likely tokens with this total probability, such as 0.9",
  maxTokens: "the maximum length of a reply in tokens, such as 1024",
  seed: "the seed of requests, and of the draw of tasks if there is a limit, such as 1",
  trial: "each number makes a run with new replies, such as 2",
};

/** Returns the note of a field or a description of its values, and an example unless the note contains one. */
export function fieldHelp({ name, title, note, choices, standard, typed }: Field): string {
  const about =
    note ?? helps[name] ?? (name.startsWith("filter.") ? "takes only tasks with these values" : title.toLowerCase());
  const example = choices.find(({ value }) => value !== standard && value !== "") ?? choices[0];
  if (example === undefined || /such as|["\d]|: /.test(about)) return about;
  return `${about}, ${typed || choices.length > 1 ? "such as" : "only"} ${example.title}`;
}
