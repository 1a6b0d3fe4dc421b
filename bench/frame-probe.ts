/**
 * Loaded into a program before anything else (`node --import`): counts its frames, and writes them down when it ends, into the
 * file that `PLANWRIGHT_FRAMES` names. The work of a frame is that of all timers and immediates since the one before, with
 * what follows from them in the same turn: what brings the screen up to date. Replies are read from sockets and not counted, nor
 * is a turn that passes on what several sockets have brought.
 */
import { writeFileSync } from "node:fs";

/** One frame: seconds since the start of the process, its work in milliseconds of the processor, its bytes. */
type Frame = readonly [at: number, work: number, bytes: number];
/** Memory now and then: seconds, and megabytes of the heap in use and of the process. */
type Memory = readonly [at: number, heap: number, process: number];
export type Probed = { readonly frames: readonly Frame[]; readonly memory: readonly Memory[] };

const frames: Frame[] = [];
const memory: Memory[] = [];
let work = 0;
let bytes = 0;
/** True once the present turn has passed on a piece of a reply. */
let reads = false;

/** Milliseconds between two looks at it. Where garbage can be collected first (`--expose-gc`), what is left is what is kept. */
const apart = globalThis.gc === undefined ? 1000 : 5000;
setInterval(() => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  memory.push([performance.now() / 1000, heapUsed / 1e6, rss / 1e6]);
}, apart).unref();

/**
 * Processor time of this thread in milliseconds, independent of other programs. Linux brings that of a thread up to date at its
 * ticks and when another program takes its turn, up to 4 ms late, so that a short frame would count as none, or with what came before it;
 * asking for the time of the whole process brings it up to date now.
 */
function processorTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function endTurn(from: number): void {
  if (!reads) work += processorTime() - from;
  if (bytes === 0) return;
  frames.push([performance.now() / 1000, work, bytes]);
  work = 0;
  bytes = 0;
}

type AnyFunction = (...given: never[]) => unknown;

/** The callback, and then the end of its turn: what a microtask leaves for the next tick comes after all microtasks. */
function timed(callback: AnyFunction): AnyFunction {
  return (...given) => {
    reads = false;
    const from = processorTime();
    try {
      return callback(...given);
    } finally {
      queueMicrotask(() => process.nextTick(endTurn, from));
    }
  };
}

for (const name of ["setTimeout", "setInterval", "setImmediate"] as const) {
  const plain: AnyFunction = globalThis[name];
  const measured = (callback: AnyFunction, ...rest: unknown[]) =>
    Reflect.apply(plain, globalThis, [timed(callback), ...rest]);
  Object.assign(globalThis, { [name]: Object.assign(measured, plain) });
}

const pieces = ReadableStreamDefaultController.prototype;
const { enqueue } = pieces;
pieces.enqueue = function (...given) {
  reads = true;
  return Reflect.apply(enqueue, this, given);
};

const { write } = process.stdout;
process.stdout.write = new Proxy(write, {
  apply(target, self, given: Parameters<typeof write>) {
    bytes += Buffer.byteLength(given[0]);
    return Reflect.apply(target, self, given);
  },
});

process.on("exit", () => {
  const file = process.env["PLANWRIGHT_FRAMES"];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ frames, memory } satisfies Probed));
});
