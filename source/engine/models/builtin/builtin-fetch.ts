/** A `fetch` without network: built-in models answer through the real client, as Server-Sent Events. */
import { setImmediate } from "node:timers/promises";
import { BuiltinProblem, readBuiltinName } from "./builtin-name.ts";
import type { BuiltinSources } from "./builtin-reply.ts";
import { builtinAnswerer } from "./builtin-reply.ts";
import { identityHeader, readIdentity } from "./identity.ts";
import { type Clock, machineClock } from "../../work/clock.ts";
import { pause } from "../../work/abort-listeners.ts";
import { BuiltinFailure } from "../problem.ts";
import { errorObject, replyEvents } from "./wire-reply.ts";
import { readWireRequest } from "./wire-request.ts";

/** Events sent between yields to the event loop, so that a fast model does not block the screen. */
const burst = 32;

/** The `fetch` for the client. Bugs of a loaded suite are thrown unchanged; a request that cannot be answered gets a 400 with a message. */
export function builtinFetch(sources: BuiltinSources, clock: Clock = machineClock): typeof globalThis.fetch {
  const answer = builtinAnswerer(sources);
  return async (_url, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    try {
      const request = readWireRequest(String(init?.body));
      const name = readBuiltinName(request.model);
      const asker = readIdentity(new Headers(init?.headers).get(identityHeader));
      if (asker === undefined) throw new BuiltinProblem("Expected the identity of a task in the request, got none");
      const reply = await answer(name, asker, request);
      return new Response(eventStream(replyEvents(request, reply), name.pace, signal, clock), {
        headers: { "content-type": "text/event-stream" },
      });
    } catch (error) {
      if (!(error instanceof BuiltinProblem)) throw new BuiltinFailure(error);
      return Response.json(errorObject(error.message, "invalid_request_error"), { status: 400 });
    }
  };
}

function eventStream(events: readonly string[], pace: number, signal: AbortSignal, clock: Clock) {
  const encoder = new TextEncoder();
  const step = pace > 0 ? 1 : burst;
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (pace > 0 && next > 0) await pause(pace, signal, clock);
      else await setImmediate();
      controller.enqueue(encoder.encode(events.slice(next, next + step).join("")));
      next += step;
      if (next >= events.length) controller.close();
    },
  });
}
