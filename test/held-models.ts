/**
 * Built-in models behind a server that a story controls: requests in flight stay so as long as the story watches, however slow it or
 * the program is.
 */
import { join } from "node:path";
import { expect } from "vitest";
import { startBuiltinServer } from "../source/engine/models/builtin/builtin-server.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import { LoadedSuites } from "../source/engine/workbench/document/loaded-suites.ts";
import { suites } from "../suites/index.ts";
import { until } from "./until.ts";

export type HeldModels = AsyncDisposable & {
  /** Releases so many replies, in the order of the requests, including later requests; all by default. */
  reply(count?: number): void;
  /** Replies to so many requests at once, as soon as they all wait: for example one of each running task. */
  replyTo(count: number): Promise<void>;
  /** Requests that wait. */
  readonly waiting: () => number;
};

type Given = {
  /** Most requests at a time. */
  readonly concurrency?: number;
  /** The session whose questions are answered. */
  readonly session?: string;
  /** The settings in the folder that contain them: the program's, and those of helper programs. */
  readonly known?: readonly string[];
};

/** Serves them as the endpoint `held` of the settings in this folder. */
export async function heldModels(
  folder: string,
  { concurrency = 4, session, known = ["settings"] }: Given = {},
): Promise<HeldModels> {
  const stores = await Promise.all(known.map((name) => openSettings(join(folder, name))));
  const loaded = new LoadedSuites(suites, stores[0]!.read, session === undefined ? {} : { session });
  const waiting: (() => void)[] = [];
  let free = 0;
  const held = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const server = await startBuiltinServer({
    sources: {
      loadedFor: (suite, data) => loaded.open(suite, data),
      // Asked once for each reply.
      taskFor: (suite, data, split, id) => held().then(() => loaded.task(suite, data, split, id)),
    },
  });
  const endpoint = { name: "held", baseUrl: server.url, concurrency, idleTimeout: 3600, identify: true };
  for (const settings of stores) settings.change((now) => ({ ...now, endpoints: [endpoint] }));
  const reply = (count = Infinity) => {
    const now = waiting.splice(0, count);
    free += count - now.length;
    for (const answer of now) answer();
  };
  return {
    reply,
    async replyTo(count) {
      await until(() => expect(waiting.length).toBeGreaterThanOrEqual(count));
      reply(count);
    },
    waiting: () => waiting.length,
    async [Symbol.asyncDispose]() {
      reply();
      await server.close();
      await loaded.close();
    },
  };
}
