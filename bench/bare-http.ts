/** The least there is of so many streamed replies: `node:http` sends the same prompts and counts what comes, unread. Prints seconds. */
import { Agent, request } from "node:http";
import { readPrompts } from "./shared-prompts.ts";

const [url, file, width] = process.argv.slice(2) as [string, string, string];
const prompts = readPrompts(file);
const agent = new Agent({ keepAlive: true, maxSockets: Number(width) });
const target = `${url}/chat/completions`;
const headers = { "content-type": "application/json", authorization: "Bearer none" };

/** Resolves to the bytes of the reply. */
function received(messages: unknown): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(target, { method: "POST", agent, headers }, (response) => {
    let bytes = 0;
    response.on("data", (chunk: Buffer) => (bytes += chunk.length));
    response.on("end", () =>
      response.statusCode === 200 ? resolve(bytes) : reject(new Error(`Expected 200, got ${response.statusCode}`)),
    );
  });
  sent.on("error", reject);
  sent.end(JSON.stringify({ model: "lorem", messages, stream: true, stream_options: { include_usage: true } }));
  return promise;
}

const from = performance.now();
const bytes = await Promise.all(prompts.map(received));
const seconds = (performance.now() - from) / 1000;
console.log(JSON.stringify({ seconds, bytes: bytes.reduce((sum, each) => sum + each, 0) }));
agent.destroy();
