/**
 * Parts of the prompts in both languages, in Planwright's words. They have the intent of each task, without the publishers'
 * wording.
 */
import type { Aspect } from "../data/aspects.ts";
import type { Language } from "../score/dimensions.ts";

export type Words = {
  readonly system: string;
  readonly tasks: Readonly<Record<Aspect, string>>;
  readonly strict: string;
  /** Used if the answer must be a JSON object. */
  readonly object: string;
  readonly example: string;
  readonly begin: string;
  readonly reason: string;
  readonly question: string;
  readonly plan: string;
  readonly toolset: string;
  readonly output: string;
};

export const words: Readonly<Record<Language, Words>> = {
  en: {
    system: "You are a helpful AI assistant.",
    tasks: {
      planning:
        "Work out what the user wants and break it down into a plan that can really be carried out. The plan is a tree of sub-tasks in plain text, one step a line: `1. ...` for a task, `1.1 ...` for what belongs to it, and deeper where needed. Keep every fact the user gives.",
      tool_usage_awareness:
        "Below is a plan. For every step that has a `tool` field, decide whether the step needs a tool: fill in '1' if it does and '0' if it does not. Give a list of dicts with the keys `step` and `tool`, one for each of these steps.",
      tool_creation_awareness:
        "Below are a plan and a set of tools. For every step that has a `tool` field, decide whether a new tool must be made: fill in '1' if no tool of the set suits the step and '0' if one does. Give a list of dicts with the keys `step` and `tool`, one for each of these steps.",
      tool_selection:
        "Below are a plan and a set of tools. For every step that has a `tool` field, fill in the name of the tool of the set that suits the step. Give a list of dicts with the keys `step` and `tool`, one for each of these steps.",
      tool_creation:
        "Below are a plan and a set of tools. No tool of the set suits the steps that have a `tool` field. Invent one for each of them, described in the same format as the tools of the set. Give a list of dicts with the keys `step` and `tool`, one for each of these steps.",
      tool_usage:
        "Below are a question, a plan for it and a set of tools. For every step that names a tool, find the tool in the set and fill in `param`. Argument names come from the properties of the tool's arguments; not all of them are needed. Values come from the question and from earlier steps; a value that is the result of an earlier call is described between < and >. Give a list of dicts with the keys `step`, `tool` and `param`, one for each of these steps.",
    },
    strict: "Keep strictly to the output format of the example and put out nothing else.",
    object: "The output is one JSON object; the list is the value of its key `steps`.",
    example: "Here is an example:",
    begin: "Now let us begin:",
    reason:
      "First think the task through in a few sentences. Then write a line that says only `Output:` and, after it, the output.",
    question: "Question:",
    plan: "Plan:",
    toolset: "Toolset:",
    output: "Output:",
  },
  zh: {
    system: "你是一个乐于助人的AI助手。",
    tasks: {
      planning:
        "请理解用户的请求，并把它拆解成切实可行的规划。规划是由子任务构成的树，用纯文本书写，每行一个步骤：任务写作`1. ...`，其下的步骤写作`1.1 ...`，必要时可以更深。请保留用户给出的全部信息。",
      tool_usage_awareness:
        "下面是一个规划。请对每个带有`tool`字段的步骤判断是否需要使用工具：需要填'1'，不需要填'0'。请输出由字典组成的列表，每个这样的步骤一个字典，键为`step`和`tool`。",
      tool_creation_awareness:
        "下面是一个规划和一个工具集。请对每个带有`tool`字段的步骤判断是否必须创建新工具：工具集中没有合适的工具填'1'，有则填'0'。请输出由字典组成的列表，每个这样的步骤一个字典，键为`step`和`tool`。",
      tool_selection:
        "下面是一个规划和一个工具集。请为每个带有`tool`字段的步骤填写工具集中合适的工具名称。请输出由字典组成的列表，每个这样的步骤一个字典，键为`step`和`tool`。",
      tool_creation:
        "下面是一个规划和一个工具集。工具集中没有适合带`tool`字段步骤的工具。请仿照工具集的格式，为每个这样的步骤设计一个工具。请输出由字典组成的列表，每个这样的步骤一个字典，键为`step`和`tool`。",
      tool_usage:
        "下面是一个问题、它的规划和一个工具集。对每个写明工具的步骤，请在工具集中找到该工具并填写`param`。参数名取自该工具arguments的properties，不必全部使用；参数值来自问题和之前的步骤，若来自之前调用的结果，请用<>括起来描述。请输出由字典组成的列表，每个这样的步骤一个字典，键为`step`、`tool`和`param`。",
    },
    strict: "请严格按照示例的输出格式作答，不要输出其他任何内容。",
    object: "输出为一个JSON对象，列表是其键`steps`的值。",
    example: "示例如下：",
    begin: "现在开始：",
    reason: "请先用几句话思考这个任务，然后另起一行只写`输出：`，再写出结果。",
    question: "问题：",
    plan: "规划：",
    toolset: "工具集：",
    output: "输出：",
  },
};
