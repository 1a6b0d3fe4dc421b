/** Replays the replies of a saved run. */
import type { Asked, Reply } from "../../protocol.ts";
import type { Event, Message, Role, ToolCall } from "../../types.ts";
import { BuiltinProblem } from "./builtin-name.ts";

type Saved = { readonly role: Role; readonly stage: string; readonly key: string; text: string; calls: ToolCall[] };

/** The replies of one log, by task. */
export class Replay {
  readonly #tasks = new Map<string, Saved[]>();
  /** Number of replies to each request, so that equal requests get their replies in order. */
  readonly #given = new Map<string, number>();

  constructor(events: Iterable<Event>) {
    const open = new Map<string, Saved>();
    for (const event of events) {
      if (!("task" in event)) continue;
      if (event.type === "prompt") {
        const { role, stage } = event;
        const saved: Saved = { role, stage, key: keyOf(event.role, event.stage, event.messages), text: "", calls: [] };
        open.set(`${event.request} ${event.task}`, saved);
        const list = this.#tasks.get(event.task);
        if (list === undefined) this.#tasks.set(event.task, [saved]);
        else list.push(saved);
      } else if (
        event.type === "text" ||
        event.type === "thinking" ||
        event.type === "call" ||
        event.type === "retry"
      ) {
        const saved = open.get(`${event.request} ${event.task}`);
        if (saved === undefined) continue;
        if (event.type === "text") saved.text += event.text;
        else if (event.type === "call") saved.calls.push(event.call);
        else if (event.type === "thinking") saved.text = event.textBefore === true ? "" : saved.text;
        else Object.assign(saved, { text: "", calls: [] });
      } else if (event.type === "started") this.#tasks.delete(event.task);
    }
  }

  /**
   * Returns the saved reply to a request with the same messages; if the log has none, the next one of the same role and stage
   * (prompts may have changed since). Throws `BuiltinProblem` if the log has neither.
   */
  reply(task: string, { role, stage, messages }: Asked): Reply {
    const saved = this.#tasks.get(task) ?? [];
    const key = keyOf(role, stage, messages);
    const same = saved.filter((each) => each.key === key);
    const like = same.length > 0 ? same : saved.filter((each) => each.role === role && each.stage === stage);
    if (like.length === 0)
      throw new BuiltinProblem(
        `The saved log has no reply to stage \`${stage}\` of role \`${role}\` for task \`${task}\``,
      );
    const counter = same.length > 0 ? `${task} ${key}` : `${task} ${role} ${stage}`;
    const answered = this.#given.get(counter) ?? 0;
    this.#given.set(counter, answered + 1);
    const { text, calls } = like[answered % like.length]!;
    return { text, ...(calls.length === 0 ? {} : { calls }) };
  }
}

function keyOf(role: Role, stage: string, messages: readonly Message[]): string {
  return JSON.stringify([
    role,
    stage,
    messages.map((message) => [
      message.role,
      message.content,
      message.role === "assistant" ? callsKey(message.calls) : 0,
    ]),
  ]);
}

function callsKey(calls: readonly ToolCall[] = []): readonly (readonly [string, string])[] {
  return calls.map(({ name, text }) => [name, text] as const);
}
