/** Perfect answers wrapped as chat models wrap them, or cut: executes a task with them, and folds its events into a row. */
import { RowTable } from "../../source/engine/log/rows/rows.ts";
import { type LoadedSuite, perfectReply } from "../../source/engine/loaded-suite.ts";
import { EarlyEnd, outcomeOf, ToolUse } from "../../source/engine/run/execute-task.ts";
import { scoredTwice } from "../../source/engine/run/unwrapped-score.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { servedContext, type Strategy, type TaskContext } from "../../source/engine/strategy.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type {
  Chunk,
  Event,
  ModelRequest,
  Row,
  RunSpec,
  Step,
  Task,
  TaskEvent,
  ToolCall,
} from "../../source/engine/types.ts";

export const eachLine = (text: string, change: (line: string, number: number) => string) => {
  let number = 0;
  return text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : change(line, (number += 1))))
    .join("\n");
};
const lines = eachLine;
const intro = "Sure! Here is the answer:\n\n";
const outro = "\n\nLet me know if you need anything else!";

/** The named wrappings, and some without a name. */
export const dresses: Readonly<Record<string, (text: string) => string>> = {
  fence: (text) => `\`\`\`\n${text}\n\`\`\``,
  intro: (text) => `${intro}${text}`,
  outro: (text) => `${text}${outro}`,
  both: (text) => `${intro}\`\`\`\n${text}\n\`\`\`${outro}`,
  bold: (text) => lines(text, (line) => `**${line}**`),
  bullets: (text) => lines(text, (line) => `- ${line}`),
  numbers: (text) => lines(text, (line, number) => `${number}. ${line}`),
  ticks: (text) => `\`${text}\``,
  crlf: (text) => text.replaceAll("\n", "\r\n"),
  answer: (text) => `The answer is: ${text}`,
  "stars and a closing line": (text) => `${lines(text, (line) => `* ${line}`)}\n\nHope this helps.`,
  "quoted lines": (text) => lines(text, (line) => `> ${line}`),
  "bold bullets": (text) => lines(text, (line) => `- **${line}**`),
  "language fence after a heading": (text) => `## Solution\n\n\`\`\`python\n${text}\n\`\`\``,
  "HTML paragraph": (text) => `<p>\n${text}\n</p>`,
  "HTML code": (text) => `<pre><code>${text}</code></pre>`,
  "XML tags": (text) => `<answer>\n${text}\n</answer>`,
  blockquote: (text) => `> **Answer**\n>\n${lines(text, (line) => `> ${line}`)}`,
  "tilde fence": (text) => `~~~\n${text}\n~~~`,
  "json in prose": (text) => `Here you go: ${text} That is all.`,
  "trailing emoji": (text) => `${text} \u{1F600}`,
  json5: (text) => `\`\`\`json5\n${text}\n\`\`\``,
  "double fence": (text) => `\`\`\`\n\`\`\`\n${text}\n\`\`\`\n\`\`\``,
  table: (text) => `| answer |\n|---|\n${lines(text, (line) => `| ${line} |`)}`,
  footnote: (text) => `${text}\n\n[^1]: As asked.`,
  "smart quotes": (text) => `\u201c${text}\u201d`,
  BOM: (text) => `\uFEFF${text}`,
  "non-breaking spaces": (text) => text.replaceAll(" ", "\u00A0"),
  "full-width punctuation": (text) =>
    text.replaceAll(/[(),:[\]{}]/g, (mark) => String.fromCodePoint(mark.codePointAt(0)! + 0xfee0)),
  "final heading": (text) => `### Final Answer:\n${text}`,
  boxed: (text) => `\\boxed{${text}}`,
  "JSON object of text": (text) => JSON.stringify({ answer: text }),
  "JSON string": (text) => JSON.stringify(text),
  "emoji bullets": (text) => lines(text, (line) => `\u2705 ${line}`),
  "round bullets": (text) => lines(text, (line) => `\u2022 ${line}`),
  "nested bullets": (text) => lines(text, (line, number) => (number === 1 ? `- ${line}` : `  - ${line}`)),
  tabs: (text) => lines(text, (line) => `\t${line}`),
  "zero-width spaces": (text) => lines(text, (line) => `\u200B${line}\u200B`),
  "German intro": (text) => `Nat\u00FCrlich! Hier ist die Antwort:\n\n${text}`,
  "Chinese intro": (text) => `\u5F53\u7136\uFF01\u4EE5\u4E0B\u662F\u7B54\u6848\uFF1A\n\n${text}`,
  "YAML fence": (text) => `\`\`\`yaml\n${text}\n\`\`\``,
  "fence with a title": (text) => `\`\`\`json title="plan.json"\n${text}\n\`\`\``,
  "numbered code": (text) => lines(text, (line, number) => `${String(number).padStart(3)} | ${line}`),
  "trailing commentary": (text) => `${text}\n\nNote: I chose this because it fits the request best (see above).`,
  "HTML list": (text) => `<ul>\n${lines(text, (line) => `<li>${line}</li>`)}\n</ul>`,
  "thoughts in tags": (text) => `<think>\nThe user wants an answer.\n</think>\n\n${text}`,
  speaker: (text) => `Assistant: ${text}`,
  details: (text) => `<details>\n<summary>Answer</summary>\n\n${text}\n\n</details>`,
  "double quotes": (text) => `"${text}"`,
  indented: (text) => lines(text, (line) => `    ${line}`),
  checkboxes: (text) => lines(text, (line) => `- [x] ${line}`),
  letters: (text) => lines(text, (line, number) => `${String.fromCodePoint(96 + ((number - 1) % 26) + 1)}) ${line}`),
  italics: (text) => lines(text, (line) => `*${line}*`),
  "steps with words": (text) => lines(text, (line, number) => `Step ${number}: ${line}`),
  "end token": (text) => `${text}<|im_end|>`,
  "assigned string": (text) => `answer = """${text}"""`,
  "said twice": (text) => `${text}\n\nTo sum up:\n\n${text}`,
  arrows: (text) => lines(text, (line) => `\u2192 ${line}`),
  "blank lines between": (text) => text.replaceAll("\n", "\n\n"),

  "JSON list of text": (text) => JSON.stringify([text]),
  "object with a reason": (text) => JSON.stringify({ reasoning: "It fits.", final_answer: text }),
  "YAML literal": (text) => `answer: |\n${lines(text, (line) => `  ${line}`)}`,
  "table with a number": (text) =>
    `| # | step |\n|---|---|\n${lines(text, (line, number) => `| ${number} | ${line} |`)}`,
  "bold label": (text) => `**Answer:** ${text}`,
  "apology before": (text) => `I'm sorry for the confusion earlier. ${text}`,
  "French outro": (text) => `${text}\n\nN'h\u00E9sitez pas si vous avez d'autres questions !`,
  "rule lines": (text) => `---\n\n${text}\n\n---`,
  "dollar signs": (text) => `$$\n${text}\n$$`,
  "comment signs": (text) => lines(text, (line) => `# ${line}`),
  "trailing stop": (text) => `${text}.`,
  "line breaks of HTML": (text) => lines(text, (line) => `${line}<br>`),
  semicolons: (text) => lines(text, (line) => `${line};`),
  "heading and bullets": (text) => `# Plan\n\n${lines(text, (line) => `* ${line}`)}`,
  "escaped underscores": (text) => text.replaceAll("_", "\\_"),
  "underlined heading": (text) => `Answer\n======\n\n${text}`,
  "code in each line": (text) => lines(text, (line) => `\`${line}\``),
  "plus bullets": (text) => lines(text, (line) => `+ ${line}`),
  "Roman numbers": (text) =>
    lines(text, (line, number) => `${["i", "ii", "iii", "iv", "v", "vi"][number % 6]!}. ${line}`),
  "numbers with a colon": (text) => lines(text, (line, number) => `${number}: ${line}`),
  "fence of four": (text) => `\`\`\`\`\n${text}\n\`\`\`\``,
  "HTML comment": (text) => `<!-- plan -->\n${text}`,
  CDATA: (text) => `<![CDATA[\n${text}\n]]>`,
  "printed string": (text) => `print("""${text}""")`,
  "template string": (text) => `const answer = \`${text}\`;`,
  guillemets: (text) => `\u00AB${text}\u00BB`,
  "low quotes": (text) => `\u201E${text}\u201C`,
  "corner brackets": (text) => `\u300C${text}\u300D`,
  "bold italics": (text) => lines(text, (line) => `***${line}***`),
  "blanks at line ends": (text) => lines(text, (line) => `${line}  `),
  verbatim: (text) => `\\begin{verbatim}\n${text}\n\\end{verbatim}`,
  "here document": (text) => `cat << EOF\n${text}\nEOF`,
  "added lines": (text) => lines(text, (line) => `+${line}`),
  "Spanish label": (text) => `Respuesta: ${text}`,
  "Chinese label": (text) => `\u7B54\u6848\uFF1A${text}`,
  "call tags": (text) => `<tool_call>\n${text}\n</tool_call>`,
  "call of an answer": (text) => JSON.stringify({ name: "final_answer", arguments: { answer: text } }),
  "thoughts first": (text) =>
    `Let me think step by step. First I read the request. Then I choose.\n\nFinal answer:\n${text}`,
  "words behind in brackets": (text) => `${text} (This is my final answer.)`,
  "headings around": (text) => `### Response:\n${text}\n### End`,
  "carriage returns": (text) => text.replaceAll("\n", "\r"),
  "line separators": (text) => text.replaceAll("\n", "\u2028"),
  "escaped line ends": (text) => text.replaceAll("\n", "\\n"),
  "escaped quotes": (text) => text.replaceAll('"', '\\"'),
  "HTML entities": (text) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  "curly quotes inside": (text) => text.replaceAll(/"([^"\n]*)"/g, "\u201c$1\u201d"),
  "JSON list of lines": (text) => JSON.stringify(text.split("\n")),
  "YAML list": (text) => lines(text, (line) => `- ${JSON.stringify(line)}`),
  "a word before": (text) => `Answer\n\n${text}`,
  "a longer fence before": (text) =>
    `My thoughts:\n\n\`\`\`\n${"I look at the request. ".repeat(40)}\n\`\`\`\n\nAnswer:\n\n\`\`\`\n${text}\n\`\`\``,
  "a dialogue": (text) => `User: Please answer.\nAssistant: ${text}`,
  parentheses: (text) => `(${text})`,
  "bold heading": (text) => `**Final Answer**\n\n${text}`,
  "bars before": (text) => lines(text, (line) => `| ${line}`),
  "fence in one line": (text) => `\`\`\`${text}\`\`\``,
  "JSON in JSON": (text) => JSON.stringify({ result: { answer: text } }),
  "tag with attributes": (text) => `<answer lang="en">\n${text}\n</answer>`,
  "tags in tags": (text) => `<response><answer>${text}</answer></response>`,
  "bold numbers": (text) => lines(text, (line, number) => `**${number}.** ${line}`),
  "stars without blanks": (text) => lines(text, (line) => `*${line}`),
  "console prompt": (text) => lines(text, (line) => `>>> ${line}`),
  "the letter A": (text) => `A: ${text}`,
  "heading in each line": (text) => lines(text, (line) => `## ${line}\n`),
  "blank lines behind": (text) => `${text}\n\n\n\n`,
  "blank lines before": (text) => `\n\n\n${text}`,
  signature: (text) => `${text}\n\nBest regards,\nYour assistant`,
  "rule and words behind": (text) => `${text}\n\n---\n*Generated by a model*`,
  "emoji around": (text) => `\u{1F389} Here's your plan! \u{1F389}\n\n${text}`,
  citation: (text) => `${text} [1]`,
  "tags in brackets": (text) => `[ANSWER]\n${text}\n[/ANSWER]`,
  "numbers and bold": (text) => lines(text, (line, number) => `${number}) **${line}**`),
  "text in TeX": (text) => `\\text{${text}}`,
  "box of bars": (text) => `+------+\n${lines(text, (line) => `| ${line} |`)}\n+------+`,
  "Roman numbers in brackets": (text) =>
    lines(text, (line, number) => `(${["i", "ii", "iii", "iv", "v"][number % 5]!}) ${line}`),
  "ordered list of HTML": (text) => `<ol>\n${lines(text, (line) => `<li>${line}</li>`)}\n</ol>`,
  "two digits": (text) => lines(text, (line, number) => `${String(number).padStart(2, "0")}: ${line}`),
  "bold steps": (text) => lines(text, (line, number) => `**Step ${number}:** ${line}`),
  "ticked boxes": (text) => lines(text, (line) => `\u2611 ${line}`),
  "listing of AsciiDoc": (text) => `----\n${text}\n----`,
  "line comments": (text) => lines(text, (line) => `// ${line}`),
  "block comment": (text) => `/*\n${text}\n*/`,
  "dashes of SQL": (text) => lines(text, (line) => `-- ${line}`),
  "a question behind": (text) => `${text}\nIs this what you wanted?`,
  "intro on the line above": (text) => `Sure! Here is the answer:\n${text}`,
  "loud thoughts": (text) => `Thinking...\nThe user wants an answer.\n...done thinking.\n\n${text}`,
  "bold of HTML": (text) => lines(text, (line) => `<b>${line}</b>`),
  "bullets and numbers": (text) => lines(text, (line, number) => `- ${number}. ${line}`),
  "quote with its source": (text) => `${lines(text, (line) => `> ${line}`)}\n\u2014 Assistant`,
  "hash mark behind": (text) => `${text} #answer`,
  "fence and heading": (text) => `### Plan\n\`\`\`\n${text}\n\`\`\`\n### Why\nIt fits.`,
  "intro and bullets": (text) => `Certainly, here it is:\n${lines(text, (line) => `* ${line}`)}`,
  "numbers and ticks": (text) => lines(text, (line, number) => `${number}. \`${line}\``),
  "pretty JSON": (text) => JSON.stringify({ thoughts: ["It fits."], answer: text.split("\n") }, null, 2),
  "numbers in a fence": (text) => `\`\`\`text\n${lines(text, (line, number) => `${number}) ${line}`)}\n\`\`\``,
  "JSON with a last comma": (text) => `{\n  "answer": ${JSON.stringify(text)},\n}`,
  "JSON in a string": (text) => JSON.stringify(JSON.stringify({ answer: text })),
  "dictionary of Python": (text) => `{'answer': '''${text}'''}`,
  channels: (text) =>
    `<|channel|>analysis<|message|>I choose.<|end|><|start|>assistant<|channel|>final<|message|>${text}`,
  "thoughts without a beginning": (text) => `The user wants an answer.\n</think>\n\n${text}`,
  "scratchpad and answer": (text) => `<scratchpad>\nI choose.\n</scratchpad>\n<answer>\n${text}\n</answer>`,
  "number and bullets below": (text) => `1. The answer:\n${lines(text, (line) => `   - ${line}`)}`,
  "thought and final answer": (text) => `Thought: I now know the final answer.\nFinal Answer: ${text}`,
  "box in a formula": (text) => `$\\boxed{${text}}$`,
  "four hash marks": (text) => `It fits the request best.\n#### ${text}`,
  "document of HTML": (text) => `<!DOCTYPE html>\n<html>\n<body>\n<p>${text}</p>\n</body>\n</html>`,
  "keycap numbers": (text) => lines(text, (line, number) => `${number % 10}\uFE0F\u20E3 ${line}`),
  "declaration of XML": (text) => `<?xml version="1.0" encoding="UTF-8"?>\n<answer>${text}</answer>`,
  "table without a rule": (text) => lines(text, (line) => `| ${line} |`),
  "key and quotes": (text) => `answer: '${text}'`,
  "fence below a bullet": (text) => `- The answer:\n\n  \`\`\`\n${lines(text, (line) => `  ${line}`)}\n  \`\`\``,
  "text of TOML": (text) => `answer = '''\n${text}\n'''`,
  "bold words above": (text) => `**Plan:**\n${text}`,
  postscript: (text) => `${text}\n\nP.S. Prices may change, so book soon.`,
  "JSON by number": (text) =>
    JSON.stringify(Object.fromEntries(text.split("\n").map((line, number) => [`step_${number + 1}`, line]))),
  "definition list": (text) => `Answer\n: ${text}`,
  "field of CSV": (text) => `answer\n"${text.replaceAll('"', '""')}"`,
  "end of instructions": (text) => `[/INST] ${text} </s>`,
  "turn of a template": (text) => `<|im_start|>assistant\n${text}<|im_end|>`,
  "call with a named argument": (text) => `final_answer(answer=${JSON.stringify(text)})`,
  "call in tags": (text) => `<tool_call>\n${JSON.stringify({ name: "answer", arguments: { text } })}\n</tool_call>`,
  "function and parameter": (text) => `<function=answer>\n<parameter=text>\n${text}\n</parameter>\n</function>`,
  "direction marks": (text) => `\u200E${text}\u200F`,
  "hyphens that do not break": (text) => text.replaceAll("-", "\u2011"),
  "bold numbers in brackets": (text) => lines(text, (line, number) => `**(${number})** ${line}`),
  "words and a list below": (text) =>
    `To serve this request, I would do the following.\n${lines(text, (line, number) => `${number}. ${line}`)}\nThat completes it.`,
  "a word of agreement": (text) => `Sure thing! ${text}`,
  "as a language model": (text) => `As an AI language model, I suggest the following:\n${text}`,
  "text of a link": (text) => `[answer](${text})`,
  "front matter": (text) => `---\nanswer: ${JSON.stringify(text)}\n---`,
  "message of a chat": (text) => JSON.stringify({ role: "assistant", content: text }),
  "reply of a server": (text) => JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }] }),
  "fence and reasons": (text) => `\`\`\`\n${text}\n\`\`\`\nExplanation:\n- It fits.\n- It is all that was asked.`,
  "list of strings of Python": (text) =>
    `[${text
      .split("\n")
      .map((line) => `'${line.replaceAll("'", "\\'")}'`)
      .join(", ")}]`,
  "CDATA in a tag": (text) => `<answer><![CDATA[${text}]]></answer>`,
  "numbers and tabs": (text) => lines(text, (line, number) => `${number}\t${line}`),
  "dashes before": (text) => lines(text, (line) => `\u2014 ${line}`),
  "quoted twice": (text) => lines(text, (line) => `>> ${line}`),
  "label in brackets": (text) => `[Output]: ${text}`,
  "arrow before": (text) => `=> ${text}`,
  "bold label without a colon": (text) => `**ANSWER** ${text}`,
  "escaped tags": (text) => `&lt;answer&gt;\n${text}\n&lt;/answer&gt;`,
  "bold of terminals": (text) => `\u001b[1m${text}\u001b[0m`,
  "comments in a fence": (text) => `\`\`\`js\n${lines(text, (line) => `// ${line}`)}\n\`\`\``,
  "items of TeX": (text) => `\\begin{itemize}\n${lines(text, (line) => `\\item ${line}`)}\n\\end{itemize}`,
  "block of Org": (text) => `#+begin_src text\n${text}\n#+end_src`,
  "literal of reStructuredText": (text) => `::\n\n${lines(text, (line) => `    ${line}`)}`,
  "braces of a template": (text) => `{{ ${text} }}`,
  "section of settings": (text) => `[answer]\ntext = ${text}`,
  "bold numbers of lines": (text) => lines(text, (line, number) => `**Line ${number}**: ${line}`),
};

export const cut = "cut";

type Dressing = {
  readonly suite: Suite;
  readonly loaded: LoadedSuite;
  readonly strategy: Strategy;
  readonly spec: RunSpec;
};

/** The row of a task whose model answers perfectly, in this wrapping; `more` are wrappings besides `dresses`. */
export async function dressedRow(
  { suite, loaded, strategy, spec }: Dressing,
  task: Task,
  dress: string,
  more: typeof dresses = {},
): Promise<Row> {
  let request = 0;
  const stream = async function* ({ messages, tools = [], asker }: ModelRequest): AsyncIterable<Chunk> {
    const { role, stage } = asker;
    const { text, calls = [] } = perfectReply(loaded, task, { role, stage, messages, tools, spec });
    const isDressed = role === "model" || role === "actor";
    const given = !isDressed
      ? text
      : dress === cut
        ? shortened(text)
        : ((dresses[dress] ?? more[dress])?.(text) ?? text);
    if (text !== "") yield { type: "text", text: given };
    for (const call of calls) yield { type: "call", call: isDressed && dress === cut ? shortCall(call) : call };
    yield { type: "usage", input: 1, output: 20, estimated: false };
    yield { type: "finish", reason: isDressed && dress === cut ? "length" : "stop" };
  };
  const context: TaskContext = {
    task,
    loaded,
    spec,
    shots: [],
    model: (role) => ({ name: role, readsAnswerKey: true, stream }),
    random: randomFrom(task.id),
    signal: new AbortController().signal,
    nextRequest: () => request++,
    toolUse: new ToolUse(),
  };
  const table = new RowTable(undefined, suite.form);
  const events: TaskEvent[] = [];
  const take = (event: object) => {
    table.take({ seq: 0, at: 0, task: task.id, ...event } as Event);
    events.push(event as TaskEvent);
  };
  table.take({ seq: 0, at: 0, type: "run-started", run: "r", spec, total: 1, warnings: [] });
  take({ type: "started", facets: task.facets, question: task.question });
  try {
    for await (const step of strategy.run(servedContext(strategy, context))) take(step satisfies Step);
  } catch (thrown) {
    if (thrown instanceof EarlyEnd) take({ type: "note", kind: "end", text: thrown.reason });
    else if (!(thrown instanceof Error) || !thrown.message.includes("could be read from")) throw thrown;
  }
  const ask = async (stage: string, messages: ModelRequest["messages"]) => {
    take({ type: "prompt", request: (request += 1), role: "judge", model: "judge", stage, messages });
    return perfectReply(loaded, task, { role: "judge", stage, messages, tools: [], spec }).text;
  };
  const outcome = outcomeOf({ events }, undefined);
  const score = await scoredTwice(loaded, task, outcome, { spec, signal: context.signal, ask });
  take({ type: "scored", score, suiteRevision: 1 });
  return table.row(task.id)!;
}

const shortened = (text: string) => text.slice(0, Math.floor(text.length * 0.7));

function shortCall(call: ToolCall): ToolCall {
  return { ...call, text: shortened(call.text), arguments: undefined };
}
