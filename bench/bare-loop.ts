/** The least a program can do: the `openai` package in a loop, streaming, so many requests in flight. Prints seconds. */
import OpenAI from "openai";
import { readPrompts } from "./shared-prompts.ts";

const [url, file, width] = process.argv.slice(2) as [string, string, string];
const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
const queue = readPrompts(file) as OpenAI.ChatCompletionMessageParam[][];
let characters = 0;

async function worker(): Promise<void> {
  for (let messages = queue.pop(); messages !== undefined; messages = queue.pop()) {
    const stream = await client.chat.completions.create({
      model: "lorem",
      messages,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
    });
    for await (const chunk of stream) characters += chunk.choices[0]?.delta.content?.length ?? 0;
  }
}

const from = performance.now();
await Promise.all(Array.from({ length: Number(width) }, worker));
console.log(JSON.stringify({ seconds: (performance.now() - from) / 1000, characters }));
