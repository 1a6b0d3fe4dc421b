/** The built program, started with a user's files. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach } from "vitest";
import { builtProgram } from "../built-program.ts";
import type { ThreadData } from "./command-thread.ts";
import type { CommandLine, Ended } from "./served-commands.ts";

export type Printed = {
  readonly cells: readonly {
    readonly name: string;
    readonly problems: readonly { readonly message: string }[];
    readonly runs?: readonly {
      readonly run: string;
      readonly label: string;
      readonly status: string;
      readonly counts: { readonly right: number; readonly wrong: number; readonly failed: number };
      readonly spec: {
        readonly code?: Readonly<Record<string, string>>;
        readonly dataset?: string;
        readonly data: string;
      };
    }[];
    readonly figures?: readonly { readonly title: string; readonly notes: readonly string[] }[];
  }[];
};

export type UserFolder = {
  at(...names: string[]): string;
  /** Writes a file and its folder if that is missing, and returns its path. */
  write(name: string, text: string): string;
  /** Runs one command line. */
  planwright(...args: string[]): Ended;
  /** The runs of a session's first run cell. */
  runs(...args: string[]): NonNullable<Printed["cells"][number]["runs"]>;
};

/**
 * A new folder for each test. With `served`, one process runs all command lines of a file of tests, until a file of code that it
 * may have loaded changes. Otherwise each command line starts the program, which a test needs if it counts how often code is loaded.
 */
export function userFolder(how?: "served"): UserFolder {
  let folder = "";
  const run: RunLine = how === "served" ? servedProgram() : startedProgram;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "planwright-own-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const user: UserFolder = {
    at: (...names) => join(folder, ...names),
    write(name, text) {
      if (/\.m?[jt]s$/.test(name) && existsSync(join(folder, name))) run.forget?.();
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    planwright(...args) {
      return run({ args, cwd: folder, env: { PLANWRIGHT_CONFIG_DIR: join(folder, "settings"), TMPDIR: folder } });
    },
    runs(...args) {
      const { out, err } = user.planwright("run", "session", "--json", ...args);
      if (out === "") throw new Error(err);
      return (JSON.parse(out) as Printed).cells.find(({ runs }) => runs !== undefined)!.runs!;
    },
  };
  return user;
}

type RunLine = {
  (line: CommandLine): Ended;
  /** Ends the process, because Node loads a module once. */
  forget?(): void;
};

function startedProgram({ args, cwd, env }: CommandLine): Ended {
  const options = { cwd, encoding: "utf8", env: { ...process.env, ...env } } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [builtProgram(), ...args], options);
  return { out: stdout, err: stderr, status };
}

/** One process for all command lines: a start costs several times as much as most of them. */
function servedProgram(): RunLine {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1: port, port2 } = new MessageChannel();
  let thread: Worker | undefined;
  const asked = (line: CommandLine | "stop") => {
    Atomics.store(answered, 0, 0);
    port.postMessage(line);
    Atomics.wait(answered, 0, 0);
    return receiveMessageOnPort(port)?.message as Ended;
  };
  const forget = () => void (thread !== undefined && asked("stop"));
  afterAll(async () => {
    forget();
    port.close();
    await thread?.terminate();
  });
  const run = (line: CommandLine) => {
    const workerData: ThreadData = { launcher: builtProgram(), port: port2, answered };
    const options = { workerData, transferList: [port2], execArgv: [] };
    thread ??= new Worker(new URL("command-thread.ts", import.meta.url), options);
    return asked(line);
  };
  return Object.assign(run, { forget });
}

/** A strategy of one request per stage, as a separate file. */
export const onceStrategy = `import { ask, type Strategy } from "planwright";

const lead: string = "";

export const once: Strategy<"stages"> = {
  name: "once",
  title: "Once",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    const answers: string[] = [];
    for (const stage of context.loaded.asks.stages(context.task, context.spec, context.shots)) {
      const messages = stage.messages(answers, "none");
      const reply = yield* ask(context, { role: "model", stage: stage.name, messages });
      answers.push(stage.answer?.(reply.text, "none") ?? reply.text);
    }
    yield { type: "answer", answer: { output: lead + answers.at(-1), stages: {} } };
  },
};
`;

export const sums = `simpleSuite({
  name: "sums",
  tasks: [
    { id: "a", question: "1 + 1", answer: "2", facets: { digits: 1 } },
    { id: "b", question: "11 + 11", answer: "22", facets: { digits: 2 } },
  ],
  prompt: (task) => \`Answer with the number only: \${task.question}\`,
  score: (task, reply) => reply.trim() === task.answer,
})`;

/** A notebook with one run cell. */
export const notebook = (cell: string, rest = "") => `# Mine\n\n\`\`\`run main\n${cell}\n\`\`\`\n${rest}`;
