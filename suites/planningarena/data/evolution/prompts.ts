/** Prompts for the three authors of command evolution (appendix A.9, own wording). */
import type { PromptTemplate } from "../../../../source/engine/protocol.ts";
import { promptPair } from "../../../../source/engine/settings/prompt-template.ts";

export type StageName = "suggest" | "edit" | "evaluate";

const bare = "Answer with one JSON object and nothing else, no Markdown.";
/** The slot `material` starts with a line break, and is empty without material. */
const user = "Tools:\n{{tools}}\n\nTask:\n{{task}}\n{{material}}";
const common = { role: "model", slots: ["tools", "task", "material"], user } as const;

export const evolutionPrompts = {
  suggest: promptPair("suggest", {
    ...common,
    system: [
      "You help to make new planning tasks out of old ones. Keep the tool chain; propose exactly one change that makes a different, realistic task:",
      "parameter: other goods, places, days or amounts; prune: take a part of the structure away; branch: add a part that uses an earlier result.",
      `${bare} {"kind": "parameter" | "prune" | "branch", "target": "subtask or value", "from": "...", "to": "...", "why": "..."}`,
    ].join("\n"),
  }),
  edit: promptPair("edit", {
    ...common,
    system: [
      "You write planning tasks. Carry out the suggested change on the given task. Stay within its scenario and the tools listed.",
      "The request must read like something a person says and hold every value that neither the user's information, the calendar nor an earlier result gives.",
      "The answer key lists subtasks in order; arguments are checked as PC (from request or user), TR (a date that follows from today) or TD (from an earlier result).",
      `${bare} {"query": "...", "queryZh": "...", "level": "easy" | "middle" | "hard", "structure": null or its name, "gold": {"subtasks": [...], "edges": [...], "literals": [...], "dates": [...]}}`,
    ].join("\n"),
  }),
  evaluate: promptPair("evaluate", {
    ...common,
    role: "judge",
    system: [
      "You judge planning tasks. Grade from 1 (bad) to 5 (good): completeness (nothing needed is missing), clarity (one reading), feasibility (the tools can do it), specificity (concrete, not vague).",
      `${bare} {"completeness": 4, "clarity": 4, "feasibility": 4, "specificity": 4}`,
    ].join("\n"),
  }),
} as const satisfies Readonly<Record<StageName, readonly PromptTemplate[]>>;
