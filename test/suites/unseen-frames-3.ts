/** Wrappings that were written down before any of them was tried: the third batch. */
import { eachLine as lines } from "./dressed.ts";

const q = JSON.stringify;

export const unseenFrames3: Readonly<Record<string, (text: string) => string>> = {
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
};
