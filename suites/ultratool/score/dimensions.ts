/** What a judge scores: the stated dimensions of plans and of created tools, with the keys its replies use. */
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";

export type Language = "en" | "zh";

export type Dimension = {
  readonly name: string;
  readonly title: string;
  readonly key: Readonly<Record<Language, string>>;
  /** What the judge is to look at, in our words. */
  readonly about: Readonly<Record<Language, string>>;
};

export type Judgement = {
  readonly dimensions: readonly Dimension[];
  readonly reason: Readonly<Record<Language, string>>;
};

/** Six dimensions and the judge's own overall score, in the order replies give them (paper, planning). */
export const planDimensions: Judgement = {
  reason: { en: "Reasoning", zh: "打分理由" },
  dimensions: [
    {
      name: "accuracy",
      title: "Accuracy",
      key: { en: "Accuracy Score", zh: "准确性分数" },
      about: {
        en: "Do the steps serve the aims and the facts of the query, with nothing made up?",
        zh: "步骤是否符合请求的目标与事实，没有凭空增加内容？",
      },
    },
    {
      name: "completeness",
      title: "Completeness",
      key: { en: "Completeness Score", zh: "完整性分数" },
      about: {
        en: "Is every task and every constraint of the query covered?",
        zh: "请求中的每项任务与每个限制是否都被覆盖？",
      },
    },
    {
      name: "executability",
      title: "Executability",
      key: { en: "Executability Score", zh: "可执行性分数" },
      about: {
        en: "Can the steps be carried out one after the other: a coherent order, none missing, none superfluous?",
        zh: "步骤能否依次执行：顺序连贯，不缺少也不多余？",
      },
    },
    {
      name: "syntactic_soundness",
      title: "Syntactic soundness",
      key: { en: "Syntactic Soundness Score", zh: "语法健全性分数" },
      about: { en: "Is the language correct and fluent?", zh: "语言是否正确、通顺？" },
    },
    {
      name: "structural_rationality",
      title: "Structural rationality",
      key: { en: "Structural Rationality Score", zh: "结构合理性分数" },
      about: {
        en: "Is it an ordered tree in which every child belongs to its parent?",
        zh: "是否是有序的树状结构，子步骤都属于其父步骤？",
      },
    },
    {
      name: "efficiency",
      title: "Efficiency",
      key: { en: "Efficiency Score", zh: "高效性分数" },
      about: { en: "Is it concise, without needless subdivision?", zh: "是否简洁，没有不必要的细分？" },
    },
    {
      name: "overall",
      title: "Overall",
      key: { en: "Overall Score", zh: "总分" },
      about: { en: "The plan as a whole.", zh: "对规划的总体评价。" },
    },
  ],
};

/** Five dimensions and the judge's total (paper, tool creation). */
export const toolDimensions: Judgement = {
  reason: { en: "Scoring Reason", zh: "打分理由" },
  dimensions: [
    {
      name: "format_compliance",
      title: "Format compliance",
      key: { en: "Format Compliance Score", zh: "格式遵从性分数" },
      about: {
        en: "Does it have a name, a description, arguments {type, properties} and results {type, properties}?",
        zh: "是否具有 name、description、arguments {type, properties} 与 results {type, properties}？",
      },
    },
    {
      name: "accuracy",
      title: "Accuracy",
      key: { en: "Accuracy Score", zh: "准确性分数" },
      about: { en: "Does the tool do what the query asks for?", zh: "工具是否完成请求所要求的事？" },
    },
    {
      name: "content_reasonableness",
      title: "Content reasonableness",
      key: { en: "Content Reasonableness Score", zh: "内容合理性分数" },
      about: {
        en: "Do its arguments and results make sense together with its description?",
        zh: "参数与结果是否与其描述相符？",
      },
    },
    {
      name: "executability",
      title: "Executability",
      key: { en: "Executability Score", zh: "可执行性分数" },
      about: { en: "Could it be built and called as described?", zh: "能否按描述实现并调用？" },
    },
    {
      name: "richness",
      title: "Richness",
      key: { en: "Richness Score", zh: "丰富度分数" },
      about: { en: "Does it say enough to be useful?", zh: "信息是否足够丰富、有用？" },
    },
    {
      name: "overall",
      title: "Total",
      key: { en: "Total Score", zh: "总分" },
      about: { en: "The tool as a whole.", zh: "对工具的总体评价。" },
    },
  ],
};

/**
 * The scores of a parsed judgement, read by position and key as officially; undefined where one is missing or no number. On
 * the judge's scale of 1 to 10, not range-checked: published judgements hold zeros.
 */
export function scoresOf(judgement: Json, kind: Judgement, language: Language): number[] | undefined {
  if (!Array.isArray(judgement)) return undefined;
  const entries: readonly Json[] = judgement;
  const scores: number[] = [];
  for (const [index, { key }] of kind.dimensions.entries()) {
    const score = field(entries[index], key[language]);
    if (typeof score !== "number") return undefined;
    scores.push(score);
  }
  return scores;
}
