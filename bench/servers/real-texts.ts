/**
 * An OpenAI-compatible server on loopback whose replies are what models write: JSON, Chinese and code, one kind after the other, as
 * so many tokens at a pace. Arguments: number of tokens of a reply, milliseconds between two.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const json = `{"plan":[{"step":1,"tool":"search_flights","arguments":{"from":"Zürich","to":"Kraków","date":"2026-03-14"}},
  {"step":2,"tool":"book","arguments":{"id":"LX-1352","seats":["12A","12B"],"refund":null,"price":189.5}}],"done":false}\n`;
const chinese = `首先查询天气，然后选择一家离车站近的餐厅。用户要求「不吃辣」，所以川菜馆不在考虑之列；预算是每人 150 元。\n`;
const code = `def plan(tasks: list[Task], budget: float) -> Plan:
    """Greedy, by value per cost."""
    chosen = [t for t in sorted(tasks, key=lambda t: -t.value / t.cost) if (budget := budget - t.cost) >= 0]
    return Plan(steps=[(t.name, t.start) for t in chosen])\n`;

/** Pieces of about four letters, two for Chinese, as tokenizers cut them. */
const pieces = [
  ...[json, code].map((text) => text.match(/[^]{1,4}/g)!),
  chosenPieces(chinese),
] as const satisfies readonly (readonly string[])[];

function chosenPieces(text: string): readonly string[] {
  return text.match(/[^]{1,2}/g)!;
}

const [tokens, pace] = process.argv.slice(2).map(Number) as [number, number];
let replies = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    if (request.method === "POST") return stream(response, replies++);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: "lorem" }] }));
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});

function stream(response: ServerResponse, reply: number): void {
  response.setHeader("content-type", "text/event-stream");
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ id: "r", model: "lorem", ...chunk })}\n\n`);
  const [from, kind] = [performance.now(), pieces[reply % pieces.length]!];
  let sent = 0;
  const timer = setInterval(() => {
    // A late timer sends what is due.
    const due = Math.min(tokens, (performance.now() - from) / pace);
    for (; sent < due; sent++)
      send({ choices: [{ index: 0, delta: { content: kind[sent % kind.length] }, finish_reason: null }] });
    if (sent < tokens) return;
    clearInterval(timer);
    send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens } });
    response.end("data: [DONE]\n\n");
  }, pace);
  response.once("close", () => clearInterval(timer));
}
