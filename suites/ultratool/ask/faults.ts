/** Builds replies with exactly one mistake of a named kind, to check analyses against known faults. */
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Played } from "../../../source/engine/loaded-suite.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import { listForm, shownList } from "./lists.ts";
import { shownReference } from "./prompts.ts";
import { judgings } from "../score/score-task.ts";
import type { Reference, UltraTask } from "../data/task.ts";

export function faultyReply(task: UltraTask, asked: Asked, kind: string, random: () => number): Reply | undefined {
  if (asked.role === "judge")
    return kind === "unreadable-judgement" ? { text: "I would give this plan a good mark." } : undefined;
  const reference = task.answer;
  if (reference.aspect === "planning") return planFault(reference.plan, kind, random);
  const lists = listForm(asked.spec.options);
  const whole = shownReference(reference, lists);
  switch (kind) {
    case "broken-text":
      return whole.length < 8 ? undefined : { text: brokenText(whole) };
    case "missing-brace":
      return whole.endsWith("}]") ? { text: `${whole.slice(0, -2)}]` } : undefined;
    case "fenced":
      return { text: `Here is the result:\n\`\`\`json\n${whole}\n\`\`\`` };
    default: {
      const steps = listFault(reference, task, kind, random);
      return steps === undefined ? undefined : { text: shownList(steps, lists) };
    }
  }
}

/** Returns whether the role that makes this mistake is played by the model, and the task allows the mistake. */
export function allowsFault(task: UltraTask, { roles, spec }: Played, kind: string, random: () => number): boolean {
  if (kind === "unreadable-judgement") return roles.includes("judge") && judgings(task) > 0;
  const asked: Asked = { role: "model", spec, stage: "", messages: [], tools: [] };
  return roles.includes("model") && faultyReply(task, asked, kind, random) !== undefined;
}

/** Truncates the text inside the first step, before any list could be closed, so that no repair can parse it. */
const brokenText = (whole: string): string => whole.slice(0, Math.max(4, whole.indexOf("step") + 3));

type Steps = readonly JsonRecord[];

function listFault(
  reference: Exclude<Reference, { aspect: "planning" }>,
  task: UltraTask,
  kind: string,
  random: () => number,
): Steps | undefined {
  const { steps } = reference;
  if (steps.length === 0) return undefined;
  const at = Math.floor(random() * steps.length);
  const changed = (part: JsonRecord): Steps => steps.map((step, index) => (index === at ? { ...step, ...part } : step));
  switch (kind) {
    case "dropped-step":
      return steps.filter((_, index) => index !== at);
    case "flipped-flag":
      if (!reference.aspect.endsWith("awareness")) return undefined;
      return changed({ tool: steps[at]!.tool === "1" ? "0" : "1" });
    case "other-tool":
    case "invented-tool":
      if (reference.aspect !== "tool_selection") return undefined;
      return selectionFault(reference.steps[at]!.tool, task, kind, changed, random);
    case "malformed-tool": {
      if (reference.aspect !== "tool_creation") return undefined;
      const described = steps[at]!.tool;
      if (!isRecord(described)) return undefined;
      const { description: _, ...tool } = described;
      return changed({ tool });
    }
    default:
      return reference.aspect === "tool_usage" ? usageFault(reference.steps, kind, random) : undefined;
  }
}

function selectionFault(
  right: string,
  task: UltraTask,
  kind: string,
  changed: (part: JsonRecord) => Steps,
  random: () => number,
): Steps | undefined {
  const others = (task.input.toolset ?? []).map(({ name }) => name).filter((name) => name !== right);
  if (kind === "invented-tool") return changed({ tool: `${right}_plus` });
  return others.length === 0 ? undefined : changed({ tool: pick(others, random) });
}

function usageFault(
  steps: readonly { readonly step: string; readonly param: Readonly<Record<string, string>> }[],
  kind: string,
  random: () => number,
): Steps | undefined {
  const isResult = (value: string) => value.startsWith("<") && value.endsWith(">");
  const places = steps.flatMap(({ param }, at) =>
    Object.keys(param)
      .filter((key) => param[key] !== "" && (kind !== "unmarked-result" || isResult(param[key]!)))
      .map((key) => ({ at, key })),
  );
  if (places.length === 0) return undefined;
  const { at, key } = pick(places, random);
  const { [key]: value = "", ...rest } = steps[at]!.param;
  const put = (param: Readonly<Record<string, string>>): Steps =>
    steps.map((step, index) => (index === at ? { ...step, param } : step));
  switch (kind) {
    case "missing-argument":
      return put(rest);
    case "changed-value":
      return put({ ...steps[at]!.param, [key]: isResult(value) ? `<other ${value.slice(1)}` : `${value} or so` });
    case "unmarked-result":
      return put({ ...steps[at]!.param, [key]: value.slice(1, -1) });
    default:
      return undefined;
  }
}

function planFault(plan: string, kind: string, random: () => number): Reply | undefined {
  const lines = plan.split("\n");
  const children = lines.flatMap((line, index) => (/^\d+\.\d+ /.test(line) ? [index] : []));
  const [first] = children;
  if (first === undefined) return undefined;
  switch (kind) {
    case "dropped-step": {
      const last = children.at(-1)!;
      return { text: lines.filter((_, index) => index !== last).join("\n") };
    }
    case "orphan":
      return { text: `${plan}\n99.1 Check everything once more` };
    case "duplicate-number":
      return { text: [...lines.slice(0, first + 1), lines[first], ...lines.slice(first + 1)].join("\n") };
    case "not-numbered": {
      const at = pick(children, random);
      return { text: [...lines.slice(0, at), "And do not forget:", ...lines.slice(at)].join("\n") };
    }
    default:
      return undefined;
  }
}
