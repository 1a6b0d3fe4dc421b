/** Dimensions that a judge scores, for plans and for created tools, with the keys of its replies. */
import { field } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";

export type Language = "en" | "zh";

export type Dimension = {
  readonly name: string;
  readonly title: string;
  readonly key: Readonly<Record<Language, string>>;
  /** Instruction to the judge, in our words. */
  readonly about: Readonly<Record<Language, string>>;
};

export type Judgement = {
  readonly dimensions: readonly Dimension[];
  readonly reason: Readonly<Record<Language, string>>;
};

/** Name, English and Chinese heading, and instructions to the judge in both languages, in Planwright's words. */
type Row = readonly [name: string, heading: string, zhKey: string, about: string, zhAbout: string];

function judgement(enReason: string, rows: readonly Row[]): Judgement {
  const dimensions = rows.map(([name, heading, zhKey, en, zh]): Dimension => {
    const title = heading.slice(0, 1) + heading.slice(1).toLowerCase();
    return { name, title, key: { en: `${heading} Score`, zh: zhKey }, about: { en, zh } };
  });
  return { reason: { en: enReason, zh: "打分理由" }, dimensions };
}

/** Six dimensions and the judge's own overall score, in reply order (paper, planning). */
export const planDimensions = judgement("Reasoning", [
  [
    "accuracy",
    "Accuracy",
    "准确性分数",
    "Do the steps serve the aims and the facts of the query, with nothing made up?",
    "步骤是否符合请求的目标与事实，没有凭空增加内容？",
  ],
  [
    "completeness",
    "Completeness",
    "完整性分数",
    "Is every task and every constraint of the query covered?",
    "请求中的每项任务与每个限制是否都被覆盖？",
  ],
  [
    "executability",
    "Executability",
    "可执行性分数",
    "Can the steps be carried out one after the other: a coherent order, none missing, none superfluous?",
    "步骤能否依次执行：顺序连贯，不缺少也不多余？",
  ],
  [
    "syntactic_soundness",
    "Syntactic Soundness",
    "语法健全性分数",
    "Is the language correct and fluent?",
    "语言是否正确、通顺？",
  ],
  [
    "structural_rationality",
    "Structural Rationality",
    "结构合理性分数",
    "Is it an ordered tree in which every child belongs to its parent?",
    "是否是有序的树状结构，子步骤都属于其父步骤？",
  ],
  [
    "efficiency",
    "Efficiency",
    "高效性分数",
    "Is it concise, without needless subdivision?",
    "是否简洁，没有不必要的细分？",
  ],
  ["overall", "Overall", "总分", "The plan as a whole.", "对规划的总体评价。"],
]);

/** Five dimensions and the judge's total (paper, tool creation). */
export const toolDimensions = judgement("Scoring Reason", [
  [
    "format_compliance",
    "Format Compliance",
    "格式遵从性分数",
    "Does it have a name, a description, arguments {type, properties} and results {type, properties}?",
    "是否具有 name、description、arguments {type, properties} 与 results {type, properties}？",
  ],
  ["accuracy", "Accuracy", "准确性分数", "Does the tool do what the query asks for?", "工具是否完成请求所要求的事？"],
  [
    "content_reasonableness",
    "Content Reasonableness",
    "内容合理性分数",
    "Do its arguments and results make sense together with its description?",
    "参数与结果是否与其描述相符？",
  ],
  [
    "executability",
    "Executability",
    "可执行性分数",
    "Could it be built and called as described?",
    "能否按描述实现并调用？",
  ],
  ["richness", "Richness", "丰富度分数", "Does it say enough to be useful?", "信息是否足够丰富、有用？"],
  ["overall", "Total", "总分", "The tool as a whole.", "对工具的总体评价。"],
]);

/**
 * Reads the scores of a parsed judgement by position and key, as officially; returns undefined if one is missing or not
 * a number. Scores use the judge's scale of 1 to 10 without a range check, because published judgements contain zeros.
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
