/**
 * Requests to the judge in Planwright's words (the paper's dimensions, its scale of 1 to 10, the reference as an 8), and the
 * reading of its replies.
 */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { promptMessages } from "../../../source/engine/settings/prompt-template.ts";
import { stripOf } from "../../../source/engine/python/text.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json, Message, RunSpec } from "../../../source/engine/types.ts";
import { languages, splitName } from "../data/aspects.ts";
import { type Language, planDimensions, toolDimensions } from "./dimensions.ts";
import { words } from "../ask/prompt-words.ts";

const chatMarks = ["<|im_end|>", "<|im_end|", "<|im_start|>", "<|im_start|"];

/**
 * Prepares a plan for the judge. Removes chat marks. If the plan does not start with `1. `, removes the text before its first `1.
 * ` and a last paragraph that does not start with a digit. Text after a plan that starts with `1. ` stays.
 */
export function cleanPlan(answer: string): string {
  let text = answer;
  for (const mark of chatMarks) text = text.replaceAll(mark, "");
  if (text.trim().startsWith("1. ")) return text;
  const from = text.indexOf("1. ");
  if (from !== -1) text = text.slice(from);
  const gap = text.lastIndexOf("\n\n");
  if (gap === -1) return text;
  const last = text.slice(gap + 2);
  return last === "" || /^[0-9]/.test(last) ? text : text.slice(0, gap);
}

/**
 * Parses a judge's reply as strictly as the official program: deletes every `json`, strips backticks from both ends, then reads
 * plain JSON. Returns undefined for any other text, even for a newline after the closing fence; such a judgement is unknown,
 * never a score.
 */
export const parseJudgeReply = (reply: string): Json | undefined =>
  parseJson(stripOf(reply.replaceAll("json", ""), "`"));

export type JudgeCase = { readonly query: string; readonly reference: string; readonly answer: string };

const texts = {
  en: {
    expert: "You are an expert assessor. Score the",
    plan: "plan a model made for the query below",
    tool: "tool a model created for the query below",
    scale:
      "Score every dimension and the whole from 1 to 10, each with a reason. The reference answer is worth 8 in every dimension. For the whole: 1 for what is irrelevant, fundamentally wrong or harmful; 2 to 3 for what does no harm but is poor; 4 to 6 for what is acceptable but weak in some dimensions; 7 to 8 for what is close to the reference; 9 to 10 only for what is clearly better than the reference.",
    format: "Answer with a JSON list and nothing else, one object for each score, in this order and with these keys:",
    dimensions: "Dimensions:",
    query: "Query:",
    reference: "Reference answer:",
    answer: "Answer to score:",
    why: "why",
  },
  zh: {
    expert: "你是一名评估专家。请评价",
    plan: "模型为下面的请求所作的规划",
    tool: "模型为下面的请求所创建的工具",
    scale:
      "请对每个维度以及整体分别打1到10分，并说明理由。参考答案在各维度均为8分。整体评分：与请求无关、存在根本错误或有害为1分；无害但质量差为2到3分；可以接受但某些维度较弱为4到6分；接近参考答案为7到8分；只有明显优于参考答案才打9到10分。",
    format: "请只输出一个JSON列表，每个分数一个对象，顺序与键如下：",
    dimensions: "维度：",
    query: "请求：",
    reference: "参考答案：",
    answer: "待评答案：",
    why: "理由",
  },
} as const;

/** Returns the prompts of one judgement: the system message and the request. */
function promptsOf(of: "plan" | "tool", language: Language): readonly PromptTemplate[] {
  const [use, kind] = [texts[language], of === "plan" ? planDimensions : toolDimensions];
  const about = kind.dimensions.map(
    ({ title, key, about: asks }) => `- ${title} (${key[language]}): ${asks[language]}`,
  );
  const format = kind.dimensions.map(({ key }) => ({ [kind.reason[language]]: use.why, [key[language]]: 8 }));
  const text = [
    `${use.expert} ${use[of]}.`,
    `${use.dimensions}\n${about.join("\n")}`,
    use.scale,
    `${use.format}\n${JSON.stringify(format)}`,
    `${use.query}\n{{query}}`,
    `${use.reference}\n{{reference}}`,
    `${use.answer}\n{{answer}}`,
  ].join("\n\n");
  const aspect = of === "plan" ? "planning" : "tool_creation";
  const common = { role: "judge", language, when: { split: [splitName({ language, aspect })] } } as const;
  return [
    { ...common, name: `judge-${of}.system`, message: "system", text: words[language].system },
    { ...common, name: `judge-${of}`, message: "user", text },
  ];
}

export const judgePrompts = languages.flatMap((language) => [
  ...promptsOf("plan", language),
  ...promptsOf("tool", language),
]);

/** Builds the messages of one judgement. */
export const judgeMessages = (
  of: "plan" | "tool",
  language: Language,
  judged: JudgeCase,
  spec: Pick<RunSpec, "judgePrompts">,
): readonly Message[] => promptMessages(spec, promptsOf(of, language), judged);

/** Finds reference and answer in a judge's request, for the built-in judge. */
export function judgedIn(content: string, language: Language): { reference: string; answer: string } | undefined {
  const use = texts[language];
  const from = content.indexOf(`${use.reference}\n`);
  const to = content.lastIndexOf(`\n\n${use.answer}\n`);
  if (from === -1 || to < from) return undefined;
  return {
    reference: content.slice(from + use.reference.length + 1, to).trim(),
    answer: content.slice(to + use.answer.length + 3).trim(),
  };
}
