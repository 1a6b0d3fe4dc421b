/** Forking a saved trajectory at a request: earlier requests are answered from the log, later ones are sent. */
import { join } from "node:path";
import { lastAttempt, savedRequests, type SavedRequest } from "./saved-replies.ts";
import { readTask } from "../log/file/indexed-log.ts";
import { Problem } from "../problem.ts";
import type { TaskContext } from "../strategy.ts";
import type { Fork, Message } from "../types.ts";
import { counted } from "../text/counted.ts";

/** What a fork repeats of the run it leaves, whatever it asks itself. Throws where that run has no such request. */
export function forkedRequests({ run, task, request }: Fork, folder: string): readonly SavedRequest[] {
  const events = readTask(join(folder, "runs", run, "events.jsonl"), task);
  const requests = savedRequests(lastAttempt(events));
  if (requests.length > request) return requests.slice(0, request);
  throw new Problem(
    "tool",
    `Expected run \`${run}\` to have a request ${request} for task \`${task}\`, found ${counted(requests.length, "request")}`,
  );
}

/** The last user message of the forked request, replaced by the edited one. */
export function rewriteFor({ request: at, message }: Fork): NonNullable<TaskContext["rewrite"]> {
  return (request, messages) => {
    if (message === undefined || request !== at) return messages;
    const index = messages.findLastIndex(({ role }) => role === "user");
    const edited: Message = { role: "user", content: message };
    return index < 0 ? [...messages, edited] : messages.with(index, edited);
  };
}
