/** Wrappings that were written down before any of them was tried. */
import { eachLine as lines } from "./dressed.ts";

const q = JSON.stringify;

export const unseenFrames: Readonly<Record<string, (text: string) => string>> = {
  "turn of Qwen without thoughts": (t) =>
    `<|im_start|>assistant\n<think>\n\n</think>\n\n${t}<|im_end|>\n<|endoftext|>`,
  "turn of Command R": (t) => `<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>${t}<|END_OF_TURN_TOKEN|>`,
  "citation of Command R": (t) => `Grounded answer: <co: 0>${t}</co: 0>`,
  "function of Llama": (t) => `<function=answer>${q({ text: t })}</function>`,
  "call as a Python dictionary": (t) =>
    `<tool_call>\n{'name': 'answer', 'arguments': {'text': '${t.replaceAll("'", "\\'").replaceAll("\n", "\\n")}'}}\n</tool_call>`,
  "call of GLM": (t) =>
    `<tool_call>answer\n<arg_key>text</arg_key>\n<arg_value>${t}</arg_value>\n</tool_call>`,
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
  "steps with capital letters": (t) => lines(t, (l, n) => `Step ${String.fromCodePoint(64 + (((n - 1) % 26) + 1))}. ${l}`),
  "table of three columns": (t) =>
    `| Step | Action | Done |\n|:---:|:---|:---:|\n${lines(t, (l, n) => `| ${n} | ${l} | yes |`)}`,
  "speaker in a block quote": (t) => `> **Assistant:**\n${lines(t, (l) => `> ${l}`)}`,
  "French intro and wish": (t) => `Bien s\u00FBr\u00A0! Voici la r\u00E9ponse\u00A0:\n\n${t}\n\nBonne journ\u00E9e\u00A0!`,
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
};
