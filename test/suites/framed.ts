/**
 * Wrappings that chat models write and that no layer names, in batches of 25 to 60. A general layer must take each of them off, or its
 * answer must be reported as unread.
 */
import { eachLine as lines } from "./dressed.ts";

const q = JSON.stringify;
const html = (t: string) => t.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const framed: Readonly<Record<string, (text: string) => string>> = {
  "calls of Mistral": (t) => `[TOOL_CALLS][{"name": "answer", "arguments": ${q({ text: t })}}]`,
  "python tag": (t) => `<|python_tag|>${t}<|eom_id|>`,
  "bold thought and answer": (t) => `**Thought:** The request is clear.\n\n**Final Answer:**\n\n\`\`\`\n${t}\n\`\`\``,
  "YAML in a fence": (t) => `\`\`\`yaml\nanswer: |-\n${lines(t, (l) => `  ${l}`)}\n\`\`\``,
  "table of two columns": (t) => `| Field | Value |\n|---|---|\n| Answer | ${t.replaceAll("\n", "<br>")} |`,
  "JSON in a fence and a note": (t) =>
    `\`\`\`json\n${JSON.stringify({ answer: t }, null, 2)}\n\`\`\`\n\n**Note:** Adjust it as you like.`,
  "JSON with comments": (t) => `{\n  // the final answer\n  "answer": ${q(t)} /* done */\n}`,
  "json5 with bare keys": (t) => `{answer: '${t.replaceAll("'", "\\'").replaceAll("\n", "\\n")}', confidence: 0.9}`,
  "encoded twice": (t) => q(q(t)),
  "two fences": (t) => `Option A:\n\`\`\`\n${t}\n\`\`\`\n\nOption B (none):\n\`\`\`\n-\n\`\`\``,
  "display of TeX": (t) => `\\[\n\\boxed{\\text{${t}}}\n\\]`,
  "table of HTML": (t) => `<table>\n<tr><th>Answer</th></tr>\n<tr><td>${t}</td></tr>\n</table>`,
  "tag in prose": (t) => `Based on the request, my answer is <answer>${t}</answer>. I hope that helps!`,
  "step heads": (t) => lines(t, (l, n) => `Step ${n}:\n${l}\n`),
  "head and nested list": (t) => `- **Plan**\n${lines(t, (l) => `    - ${l}`)}\n- **Status**: done`,
  "single smart quotes": (t) => `\u2018${t}\u2019`,
  "Chinese bold label": (t) => `**\u6700\u7EC8\u7B54\u6848**\uFF1A\n${t}`,
  "finish of ReAct": (t) => `Thought: I have all I need.\nAction: Finish[${t}]`,
  "escapes without quotes": (t) => q(t).slice(1, -1),
  "printed in a fence": (t) => `\`\`\`python\nprint(${q(t)})\n\`\`\``,
  "circled numbers": (t) => lines(t, (l, n) => `${String.fromCodePoint(0x2460 + ((n - 1) % 20))} ${l}`),
  "thoughts of Kimi": (t) => `\u25C1think\u25B7The user wants an answer.\u25C1/think\u25B7${t}`,
  "confidence behind": (t) => `${t}\n\nConfidence: 95%`,
  "commas behind": (t) => lines(t, (l) => `${l},`),
  "fence of a difference": (t) => `\`\`\`diff\n${lines(t, (l) => `+ ${l}`)}\n\`\`\``,
  "call with encoded arguments": (t) =>
    `I'll answer now.\n<tool_call>\n${q({ name: "answer", arguments: q({ text: t }) })}\n</tool_call>`,
  "invocation in XML": (t) =>
    `<function_calls>\n<invoke name="answer">\n<parameter name="text">${t}</parameter>\n</invoke>\n</function_calls>`,
  "tokens of DeepSeek": (t) => `<\uFF5CAssistant\uFF5C>${t}<\uFF5Cend\u2581of\u2581sentence\uFF5C>`,
  "channels without marks": (t) => `analysisThe user wants an answer.assistantfinal${t}`,
  "repeated instruction": (t) => `### Instruction:\nAnswer the request.\n\n### Response:\n${t}`,
  "steps of YAML": (t) => lines(t, (l, n) => `- step: ${n}\n  action: ${q(l)}`),
  "comment in each line": (t) => lines(t, (l, n) => `${l}  # step ${n}`),
  "reason behind each line": (t) => lines(t, (l) => `${l} \u2013 as was asked`),
  "words of order": (t) => lines(t, (l, n) => `${n === 1 ? "First" : "Next"}: ${l}`),
  "Japanese label": (t) => `\u6700\u7D42\u56DE\u7B54\uFF1A\n\n${t}`,
  "quoted fence": (t) => `> \`\`\`\n${lines(t, (l) => `> ${l}`)}\n> \`\`\``,
  "emoji heading": (t) => `\u{1F4DD} **Plan**\n\n${t}`,
  "box and hope": (t) => `Final Answer: The final answer is $\\boxed{${t}}$. I hope it is correct.`,
  "sources behind": (t) => `${t}\n\nSources:\n[1] https://example.org/a\n[2] https://example.org/b`,
  "tag never closed": (t) => `<output>\n${t}`,
  "tag never opened": (t) => `${t}\n</answer>`,
  "check of its own": (t) => `${t}\n\nSelf-check: all constraints are satisfied \u2713`,
  "question and answer": (t) => `Question: What should be done?\n\nAnswer:\n${t}`,
  "enumeration of TeX": (t) => `\\begin{enumerate}\n${lines(t, (l) => `  \\item ${l}`)}\n\\end{enumerate}`,
  "lines of JSON": (t) => lines(t, (l, n) => q({ step: n, text: l })),
  "rows of CSV": (t) => `step,action\n${lines(t, (l, n) => `${n},"${l.replaceAll('"', '""')}"`)}`,
  "bold first words": (t) => lines(t, (l) => l.replace(/^(\S+)/, "**$1**")),
  "line ends lost": (t) => t.replaceAll("\n", " "),
  "heading for each step": (t) => lines(t, (l, n) => `### Step ${n}\n${l}\n`),
  "box of lines": (t) =>
    `\u250C\u2500\u2500\u2500\u2500\u2510\n${lines(t, (l) => `\u2502 ${l} \u2502`)}\n\u2514\u2500\u2500\u2500\u2500\u2518`,
  "poem of apologies": (t) =>
    `I apologize, but I cannot be fully certain. That said, this would be my attempt:\n\n${t}\n\nPlease double-check before use.`,
  artifact: (t) => `<antArtifact identifier="plan" type="text/plain" title="Plan">\n${t}\n</antArtifact>`,
  "thought as JSON first": (t) => `{"thought": "The user wants a plan."}\n\n${t}`,
  "list in a bold heading": (t) => `**Answer:**\n\n${lines(t, (l) => `* **${l}**`)}`,
  "version heading": (t) => `Draft:\n-\n\nRevised final version:\n${t}`,
  "typed literal": (t) => `answer: str = ${q(t)}`,
  "returned string": (t) => `\`\`\`python\ndef answer():\n    return ${q(t)}\n\`\`\``,
  "logged object": (t) => `console.log(JSON.stringify({ answer: ${q(t)} }));`,
  "curl payload": (t) => `curl -d '${q({ answer: t })}' https://example.org`,
  "sse lines": (t) => `data: ${q({ delta: t })}\n\ndata: [DONE]`,
  "key and pipe": (t) => lines(t, (l, n) => `${n} | ${l} | done`),
  "HTML breaks and bold": (t) => `<b>Answer</b><br/>${t.replaceAll("\n", "<br/>\n")}`,
  "HTML pre with entities": (t) =>
    `<pre>${t.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&#34;")}</pre>`,
  timestamps: (t) => lines(t, (l, n) => `[00:0${n % 10}] ${l}`),
  "checkmarks behind": (t) => lines(t, (l) => `${l} \u2714\uFE0F`),
  "quoted each line": (t) => lines(t, (l) => `"${l}"`),
  "parenthesised each line": (t) => lines(t, (l) => `(${l})`),
  "German steps": (t) => lines(t, (l, n) => `Schritt ${n}: ${l}`),
  "Chinese steps": (t) => lines(t, (l, n) => `\u6B65\u9AA4${n}\uFF1A${l}`),
  "assistant to=final": (t) => `assistant to=final code<|message|>${t}`,
  "token of the end in words": (t) => `${t}\n[END]`,
  "three dashes as end": (t) => `${t}\n---\n`,
  "self dialogue": (t) => `Q: What is the answer?\nA: ${t}\nQ: Are you sure?\nA: Yes.`,
  "emphasised label": (t) => `__Answer__: ${t}`,
  "numbered with brackets": (t) => lines(t, (l, n) => `[${n}] ${l}`),
  "MDX component": (t) => `<Answer>\n\n${t}\n\n</Answer>\n`,
  admonition: (t) => `> [!NOTE]\n${lines(t, (l) => `> ${l}`)}`,
  "Slack quote": (t) => lines(t, (l) => `&gt; ${l}`),
  "Jira code": (t) => `{code:title=answer}\n${t}\n{code}`,
  "triple colon": (t) => `:::answer\n${t}\n:::`,
  "JSON patch": (t) => q([{ op: "add", path: "/answer", value: t }]),
  "GraphQL reply": (t) => q({ data: { answer: { text: t } } }),
  "SQL insert": (t) => `INSERT INTO answers VALUES ('${t.replaceAll("'", "''")}');`,
  "env line": (t) => `export ANSWER=${q(t)}`,
  "JavaScript array": (t) =>
    `[\n${t
      .split("\n")
      .map((l) => `  ${q(l)},`)
      .join("\n")}\n]`,
  "Ruby hash": (t) => `{ :answer => ${q(t)} }`,
  "XML with entity lines": (t) =>
    `<steps>\n${lines(t, (l, n) => `  <step id="${n}">${l.replaceAll("<", "&lt;")}</step>`)}\n</steps>`,
  "plan with owner": (t) => lines(t, (l) => `(agent) ${l}`),
  "log lines": (t) => lines(t, (l) => `INFO: ${l}`),
  "ISO log lines": (t) => lines(t, (l, n) => `2025-01-01T00:00:0${n % 10}Z ${l}`),
  "numbered hash": (t) => lines(t, (l, n) => `#${n} ${l}`),
  "double colon": (t) => `Answer :: ${t}`,
  "equals label": (t) => `answer = ${t}`,
  "ellipsis around": (t) => `...\n${t}\n...`,
  "sure and hope in one line": (t) => `Sure! ${t} Hope that helps!`,
  "thinking in italics": (t) => `*Thinking: the request is clear.*\n\n${t}`,
  "two drafts": (t) => `First attempt:\n-\n\nOn reflection, that was incomplete. Corrected:\n\n${t}`,
  "verification behind": (t) =>
    `${t}\n\n**Verification:**\n- Every constraint is met \u2705\n- Nothing is left out \u2705`,
  "keys in caps": (t) => `ANSWER_BEGIN\n${t}\nANSWER_END`,
  "Unicode box": (t) => `\u2554\u2550\u2550\u2557\n${lines(t, (l) => `\u2551 ${l} \u2551`)}\n\u255A\u2550\u2550\u255D`,
  "turn of Qwen without thoughts": (t) => `<|im_start|>assistant\n<think>\n\n</think>\n\n${t}<|im_end|>\n<|endoftext|>`,
  "turn of Command R": (t) => `<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>${t}<|END_OF_TURN_TOKEN|>`,
  "citation of Command R": (t) => `Grounded answer: <co: 0>${t}</co: 0>`,
  "function of Llama": (t) => `<function=answer>${q({ text: t })}</function>`,
  "call as a Python dictionary": (t) =>
    `<tool_call>\n{'name': 'answer', 'arguments': {'text': '${t.replaceAll("'", "\\'").replaceAll("\n", "\\n")}'}}\n</tool_call>`,
  "call of GLM": (t) => `<tool_call>answer\n<arg_key>text</arg_key>\n<arg_value>${t}</arg_value>\n</tool_call>`,
  "call of Granite": (t) => `<|tool_call|>[${q({ name: "answer", arguments: { text: t } })}]`,
  "call of DeepSeek": (t) =>
    `<\uFF5Ctool\u2581calls\u2581begin\uFF5C><\uFF5Ctool\u2581call\u2581begin\uFF5C>function<\uFF5Ctool\u2581sep\uFF5C>answer\n\`\`\`json\n${q({ text: t })}\n\`\`\`<\uFF5Ctool\u2581call\u2581end\uFF5C><\uFF5Ctool\u2581calls\u2581end\uFF5C>`,
  "tool code of Gemma": (t) => `\`\`\`tool_code\nprint(answer(text=${q(t)}))\n\`\`\``,
  "help, thoughts and a question": (t) =>
    `I'll help you with that. Let me think about this carefully.\n\n<thinking>\nThe request has several parts.\n</thinking>\n\nHere's my answer:\n\n${t}\n\nWould you like me to adjust anything?`,
  "bold TL;DR": (t) => `**TL;DR:** ${t}`,
  "numbered sections": (t) => `1. **Understanding the request**\nThe user wants an answer.\n\n2. **Answer**\n${t}`,
  "lines of a certificate": (t) => `-----BEGIN ANSWER-----\n${t}\n-----END ANSWER-----`,
  "JSON inside the JSON of an API": (t) => q({ status: "success", data: q({ answer: t }) }),
  "steps with capital letters": (t) =>
    lines(t, (l, n) => `Step ${String.fromCodePoint(64 + (((n - 1) % 26) + 1))}. ${l}`),
  "table of three columns": (t) =>
    `| Step | Action | Done |\n|:---:|:---|:---:|\n${lines(t, (l, n) => `| ${n} | ${l} | yes |`)}`,
  "speaker in a block quote": (t) => `> **Assistant:**\n${lines(t, (l) => `> ${l}`)}`,
  "French intro and wish": (t) =>
    `Bien s\u00FBr\u00A0! Voici la r\u00E9ponse\u00A0:\n\n${t}\n\nBonne journ\u00E9e\u00A0!`,
  "Russian intro": (t) =>
    `\u041A\u043E\u043D\u0435\u0447\u043D\u043E! \u0412\u043E\u0442 \u043E\u0442\u0432\u0435\u0442:\n${t}`,
  "Korean label": (t) => `\uCD5C\uC885 \uB2F5\uBCC0: ${t}`,
  "diamonds and bold": (t) => lines(t, (l) => `\u{1F539} **${l}**`),
  "open details": (t) => `<details open><summary>Click to see the answer</summary>\n<pre>\n${t}\n</pre>\n</details>`,
  "tilde fence with a language": (t) => `The plan:\n\n~~~text\n${t}\n~~~\n`,
  "indented code below a label": (t) => `Answer:\n\n${lines(t, (l) => `    ${l}`)}\n\nDone.`,
  "twice without a word": (t) => `${t}\n${t}`,
  "smart quotes in each line": (t) => lines(t, (l) => `\u201C${l}\u201D`),
  "signature of a robot": (t) => `${t}\n\n~ Your friendly assistant \u{1F916}`,
  "patch with a head": (t) => `--- a/answer.txt\n+++ b/answer.txt\n@@ -0,0 +1,9 @@\n${lines(t, (l) => `+${l}`)}`,
  "line numbers with L": (t) => lines(t, (l, n) => `L${n}: ${l}`),
  "comments of TeX": (t) => lines(t, (l) => `% ${l}`),
  "comments of HTML in each line": (t) => lines(t, (l) => `<!-- ${l} -->`),
  "zero-width spaces behind spaces": (t) => t.replaceAll(" ", " \u200B"),
  "wide spaces": (t) => t.replaceAll(" ", "\u3000"),
  "thanks and a wish behind": (t) => `${t}\n\nThank you for your question! Have a great day. \u{1F60A}`,
  "praise before": (t) => `Great question! ${t}`,
  "array of TeX": (t) => `\\boxed{\n\\begin{array}{l}\n${lines(t, (l) => `${l} \\\\`)}\n\\end{array}\n}`,
  "answer and confidence in XML": (t) =>
    `<response type="final">\n<content>${t}</content>\n<confidence>0.9</confidence>\n</response>`,
  "action and its input": (t) => `Thought 1: I can answer.\nAction 1: answer\nAction Input 1: ${q({ text: t })}`,
  "lenticular brackets": (t) => `\u3010${t}\u3011`,
  "bold label in a sentence behind thoughts": (t) =>
    `Let's see. The request is clear, so **the final answer is:** ${t}`,
  "thoughts of Magistral": (t) => `[THINK]The user asks for an answer. I have it.[/THINK]${t}`,
  "seed of ByteDance": (t) => `<seed:think>I look at the request.</seed:think>\n${t}`,
  "call of Kimi": (t) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.answer:0<|tool_call_argument_begin|>${q({ text: t })}<|tool_call_end|><|tool_calls_section_end|>`,
  "call of MiniMax": (t) =>
    `<minimax:tool_call>\n<invoke name="answer">\n<parameter name="text">${t}</parameter>\n</invoke>\n</minimax:tool_call>`,
  "user of Vicuna": (t) => `USER: Please answer. ASSISTANT: ${t}</s>`,
  "response of Alpaca and an end": (t) => `### Response:\n${t}\n\n### Instruction:\n`,
  "reasons in bold and a rule": (t) =>
    `**Reasoning:** The request names everything that is needed.\n\n---\n\n**Answer:**\n\n${t}`,
  "letters in brackets": (t) => lines(t, (l, n) => `(${String.fromCodePoint(96 + (((n - 1) % 26) + 1))}) ${l}`),
  "pencil and colon": (t) => lines(t, (l, n) => `\u270F\uFE0F ${n}: ${l}`),
  "Polish intro": (t) =>
    `Oczywi\u015Bcie! Oto odpowied\u017A:\n\n${t}\n\nDaj zna\u0107, je\u015Bli potrzebujesz czego\u015B jeszcze.`,
  "Chinese intro on one line": (t) => `\u597D\u7684\uFF0C\u7B54\u6848\u5982\u4E0B\uFF1A${t}`,
  "Chinese politeness behind": (t) => `${t}\n\n\u5E0C\u671B\u8FD9\u5BF9\u60A8\u6709\u5E2E\u52A9\uFF01`,
  "German politeness behind on one line": (t) => `${t} Ich hoffe, das hilft Ihnen weiter!`,
  "object in a fence in a sentence": (t) =>
    `I have prepared the following response for you: \`\`\`json\n{"status": "ok", "message": ${q(t)}}\n\`\`\` Please review it.`,
  "table with a number and a remark": (t) =>
    `| No. | Content | Remark |\n| --- | --- | --- |\n${lines(t, (l, n) => `| ${n}. | ${l} | - |`)}\n\nThe table is complete.`,
  "HTML document with a style": (t) =>
    `<html><head><style>p {color: red}</style></head><body><h1>Answer</h1><p>${t}</p></body></html>`,
  "fence in a block quote behind words": (t) =>
    `As requested:\n\n> \`\`\`text\n${lines(t, (l) => `> ${l}`)}\n> \`\`\`\n\nDone!`,
  "two spaces and a number": (t) => lines(t, (l, n) => `  ${n})  ${l}`),
  "percent and a step": (t) => lines(t, (l, n) => `[Step ${n}/9] ${l}`),
  "arrow chain": (t) => lines(t, (l, n) => (n === 1 ? l : `\u21B3 ${l}`)),
  "exclamations of a friend": (t) => `Absolutely! \u{1F60A} No problem at all! ${t}`,
  "underscores around": (t) => `__${t}__`,
  "name of a model before": (t) => `GPT-4: ${t}`,
  "soft hyphens and word joiners": (t) => t.replaceAll(/(\p{L}{4})(?=\p{L}{4})/gu, "$1\u00AD"),
  "YAML folded in a document": (t) => `---\nversion: 1\nanswer: |\n${lines(t, (l) => `    ${l}`)}\n...\n`,
  "reasoning tags": (t) => `<reasoning>\nThe request is simple.\n</reasoning>\n<final>\n${t}\n</final>`,
  "solution marks": (t) =>
    `<|begin_of_thought|>\nI think.\n<|end_of_thought|>\n<|begin_of_solution|>\n${t}\n<|end_of_solution|>`,
  "bullet with a bold title": (t) => `* **Answer**: ${t}`,
  "heading of a report": (t) => `# Report\n\n## 1. Summary\n\nThis is the answer.\n\n## 2. Answer\n\n${t}`,
  "Italian intro": (t) => `Certo! Ecco la risposta:\n\n${t}\n\nFammi sapere se hai bisogno di altro.`,
  "Japanese politeness": (t) =>
    `\u304B\u3057\u3053\u307E\u308A\u307E\u3057\u305F\u3002\u4EE5\u4E0B\u304C\u56DE\u7B54\u3067\u3059\u3002\n\n${t}`,
  "Arabic intro": (t) =>
    `\u0628\u0627\u0644\u062A\u0623\u0643\u064A\u062F! \u0625\u0644\u064A\u0643 \u0627\u0644\u0625\u062C\u0627\u0628\u0629:\n\n${t}`,
  "answer and explanation labels": (t) => `Answer: ${t}\n\nExplanation: This follows from the request.`,
  "JSON with an answer and steps of thought": (t) =>
    JSON.stringify({ thought: "I look at it.", answer: t, confidence: 0.8 }, null, 2),
  "JSON with bold key in words": (t) => `The JSON is: {"output": ${q(t)}}. Done.`,
  "fence with tabs": (t) => `\`\`\`\n${lines(t, (l) => `\t${l}`)}\n\`\`\``,
  "rows of equals signs": (t) => `==========\n${t}\n==========`,
  "stars around": (t) => `***\n${t}\n***`,
  "numbers of two levels": (t) => lines(t, (l, n) => `${n}.) ${l}`),
  ordinals: (t) => lines(t, (l, n) => `${n}${n === 1 ? "st" : n === 2 ? "nd" : n === 3 ? "rd" : "th"}: ${l}`),
  "dots in the middle": (t) => lines(t, (l) => `\u00B7 ${l}`),
  "pointing hands": (t) => lines(t, (l) => `\u{1F449} ${l}`),
  "quotes and a stop": (t) => `The answer is "${t}".`,
  "inline code in a sentence": (t) => `I would answer \`${t}\`, which fits.`,
  "note of a developer": (t) => `[INFO] Generating answer...\n[INFO] Done.\n\n${t}`,
  "XML with an escape and a root": (t) =>
    `<root>\n  <answer>${t.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</answer>\n</root>`,
  "byte order mark and narrow spaces": (t) => `\uFEFF${t.replaceAll(" ", "\u202F")}`,
  "semicolon list": (t) => `{${t}}`,
  "next steps behind": (t) => `${t}\n\nNext steps:\n- Check the answer.\n- Tell me what to change.`,
  "name and date behind": (t) => `${t}\n\nAssistant, 1 January 2025`,
  "heading on each line": (t) => lines(t, (l) => `### ${l}`),
  return: (t) => `return ${t}`,
  "Output =": (t) => `output = ${t}`,
  "two copies": (t) => `${t}\n\n${t}`,
  "pre and code, escaped": (t) => `<pre><code>${html(t)}</code></pre>`,
  "explanation behind": (t) =>
    `${t}\n\n**Explanation:**\n- I picked these since they satisfy the request.\n- Every constraint was checked twice.`,
  "Portuguese intro in the same line": (t) => `Claro! Aqui está o plano: ${t}`,
  apology: (t) => `I apologize for the confusion in my earlier response. Here's the corrected version:\n\n${t}`,
  "end sign": (t) => `${t}\n\n[END]`,
  thanks: (t) => `Thank you for the detailed question! ${t}`,
  "think and answer tags": (t) =>
    `<think>\nThe user wants an answer to the task. Let me check every condition before I reply.\n</think>\n\n<answer>\n${t}\n</answer>`,
  "offer of alternatives": (t) => `${t}\n\nWould you like me to suggest an alternative or explain how I got here?`,
  "wait, actually": (t) =>
    `Hmm, let me see. I should look at the examples first. Wait, actually the examples show how it is written. So:\n${t}`,
  "fence in a blockquote": (t) =>
    `> Here you go:\n>\n> \`\`\`\n${t
      .split("\n")
      .map((l) => `> ${l}`)
      .join("\n")}\n> \`\`\``,
  done: (t) => `${t}\nDone!`,
  "stars as frame": (t) => `*****\n${t}\n*****`,
  "TL;DR behind": (t) => `${t}\n\nTL;DR: all steps are listed above.`,
  "four tildes": (t) => `~~~~text\n${t}\n~~~~`,
  "table of steps": (t) => `| Step | Action |\n| --- | --- |\n${lines(t, (l, n) => `| ${n} | ${l} |`)}`,
  "disclaimer as an AI": (t) =>
    `As an AI language model, I cannot execute actions, but this is what I would do:\n\n${t}\n\nPlease verify it before you rely on it.`,
  "paragraph and br": (t) => `<p>${t.split("\n").join("<br>\n")}</p>`,
  "refers to the examples": (t) => `Following the same format as the examples:\n\n${t}`,
  "Hindi intro": (t) => `ज़रूर! यह रहा आपका उत्तर:\n\n${t}`,
  "table of one column": (t) => `| Answer |\n|--------|\n${lines(t, (l) => `| ${l} |`)}`,
  "strong in HTML per line": (t) => lines(t, (l) => `<strong>${l}</strong>`),
  "under score rule": (t) => `___\n\n${t}\n\n___`,
  "triple quotes": (t) => `"""${t}"""`,
  "German, polite": (t) =>
    `Gerne! Hier ist die gewünschte Antwort:\n\n${t}\n\nIch hoffe, das hilft Ihnen weiter. Melden Sie sich gern bei Rückfragen.`,
  "user asked": (t) => `The user asked for a solution to the task given above. I will now provide it.\n\n${t}`,
  "assistant's thoughts in italics": (t) => `*thinks for a moment*\n\n${t}\n\n*smiles*`,
  "header tokens of Llama": (t) => `<|start_header_id|>assistant<|end_header_id|>\n\n${t}<|eot_id|>`,
  "Turkish outro": (t) => `${t}\n\nBaşka bir sorunuz olursa çekinmeden sorabilirsiniz.`,
  "Finnish intro": (t) => `Totta kai! Tässä on vastaus:\n\n${t}`,
  "JSON string in JSON in a fence": (t) =>
    `\`\`\`json\n${JSON.stringify({ data: JSON.stringify({ output: t }) })}\n\`\`\``,
  "two fences, first prose": (t) => `\`\`\`\nTask understood.\n\`\`\`\n\n\`\`\`\n${t}\n\`\`\``,
  "comment in a fence": (t) => `\`\`\`bash\n# The plan\n${t}\n\`\`\``,
  "HTML list, again": (t) => `<ol>\n${lines(t, (l) => `  <li>${l}</li>`)}\n</ol>`,
  "confidence before": (t) => `Here is my answer (confidence: 95%):\n\n${t}`,
  "nested: quote, bold, intro": (t) => `My answer:\n\n> **${t}**`,
  "Russian outro": (t) => `${t}\n\nЕсли у вас возникнут вопросы, обращайтесь!`,
  "Hebrew intro": (t) => `בטח! הנה התשובה:\n\n${t}`,
  "Vietnamese outro": (t) => `${t}\nHy vọng câu trả lời này hữu ích cho bạn.`,
  "time stamps": (t) => lines(t, (l, n) => `[00:0${(n - 1) % 10}] ${l}`),
  "self-check behind": (t) =>
    `${t}\n\nLet me double-check: every step is present, the order is right, nothing is missing. ✔️`,
  "setext heading": (t) => `Final Answer\n============\n\n${t}`,
  "italics, again": (t) => lines(t, (l) => `_${l}_`),
  "Korean both": (t) => `네, 요청하신 답변입니다.\n\n${t}\n\n추가로 궁금한 점이 있으면 말씀해 주세요.`,
  "First, second": (t) =>
    lines(t, (l, n) => `${["First", "Second", "Third", "Then", "Next", "After that"][Math.min(n - 1, 5)]}, ${l}`),
  citations: (t) => `${lines(t, (l) => `${l} [1]`)}\n\n[1] The task description.`,
  "percent comment": (t) => `% answer\n${t}`,
  "box drawing": (t) =>
    `╔══════════╗\n${t
      .split("\n")
      .map((l) => `║ ${l}`)
      .join("\n")}\n╚══════════╝`,
  "count of words behind": (t) => `${t}\n\n(${t.split(/\s+/).length} words)`,
  "Sure, dash, same line": (t) => `Sure — ${t}`,
  "Markdown escapes": (t) => t.replaceAll(/[*_[\]#]/g, "\\$&"),
  "forwarded e-mail": (t) => `From: assistant@example.org\nTo: you\nSubject: Your request\n\n${t}\n\n--\nSent by an AI`,
  "cell of Jupyter": (t) => `In [1]: solve()\nOut[1]:\n${t}`,
  "list of YAML with quotes": (t) => lines(t, (l) => `- '${l.replaceAll("'", "''")}'`),
  "superscript footnote": (t) => `${t}\u00B9\n\n\u00B9 As you asked.`,
  "steps as objects": (t) =>
    JSON.stringify(
      {
        steps: t
          .split("\n")
          .filter((l) => l.trim() !== "")
          .map((l, n) => ({ step: n, content: l })),
      },
      null,
      2,
    ),
  "text and tokens": (t) => JSON.stringify({ text: t, tokens: 12, finish_reason: "stop" }),
  "Czech on one line": (t) => `Jistě, zde je odpověď: ${t}`,
  "kaomoji behind": (t) => `${t} (＾▽＾)`,
  "role play": (t) => `*adjusts glasses* Ahem!\n\n${t}\n\n*bows*`,
  "brackets behind a label": (t) => `Solution: [${t}]`,
  "ellipses behind": (t) => lines(t, (l) => `${l} ...`),
};
