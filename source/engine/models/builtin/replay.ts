/** Replays the replies of a saved run. */
import type { Asked, Reply } from "../../protocol.ts";
import type { Event, Message, Role, TokenUsage, ToolCall } from "../../types.ts";
import { BuiltinProblem } from "./builtin-name.ts";

type Saved = {
  readonly role: Role;
  readonly stage: string;
  readonly key: string;
  text: string;
  calls: ToolCall[];
  usage: TokenUsage | undefined;
  finish: string | undefined;
};

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
        const key = keyOf(event.role, event.stage, event.messages);
        const saved: Saved = { role, stage, key, text: "", calls: [], usage: undefined, finish: undefined };
        open.set(`${event.request} ${event.task}`, saved);
        const list = this.#tasks.get(event.task);
        if (list === undefined) this.#tasks.set(event.task, [saved]);
        else list.push(saved);
      } else if (
        event.type === "text" ||
        event.type === "thinking" ||
        event.type === "call" ||
        event.type === "usage" ||
        event.type === "finish" ||
        event.type === "retry"
      ) {
        const saved = open.get(`${event.request} ${event.task}`);
        if (saved !== undefined) take(saved, event);
      } else if (event.type === "started") this.#tasks.delete(event.task);
    }
  }

  /**
   * Returns the saved reply to a request with the same messages. If the log has none, returns the next reply of the same role and
   * stage, because prompts may have changed. Throws `BuiltinProblem` if the log has neither.
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
    const { text, calls, usage, finish } = like[answered % like.length]!;
    return {
      text,
      ...(calls.length > 0 && { calls }),
      ...(usage !== undefined && { usage }),
      ...(finish !== undefined && { finish }),
    };
  }
}

/** Adds a chunk to a saved reply. */
function take(saved: Saved, event: Extract<Event, { readonly request: number }>): void {
  switch (event.type) {
    case "text":
      saved.text += event.text;
      break;
    case "call":
      // Calls that follow the end of a reply were read out of its text by the strategy.
      if (saved.finish === undefined) saved.calls.push(event.call);
      break;
    case "thinking":
      if (event.textBefore === true) saved.text = "";
      break;
    case "usage": {
      const { input, output, estimated, cached, reasoning, cost } = event;
      saved.usage = {
        input,
        output,
        estimated,
        ...(cached !== undefined && { cached }),
        ...(reasoning !== undefined && { reasoning }),
        ...(cost !== undefined && { cost }),
      };
      break;
    }
    case "finish":
      saved.finish = event.reason;
      break;
    case "retry":
      Object.assign(saved, { text: "", calls: [], usage: undefined, finish: undefined });
      break;
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

const callsKey = (calls: readonly ToolCall[] = []) => calls.map(({ name, text }) => [name, text] as const);
