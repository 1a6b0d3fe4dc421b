/** The server is away for a while in the middle of a run: nothing of that becomes a score, and nobody has to do anything. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { amount, type Line, type Torture } from "./part.ts";
import { cli, difference, results, Scene, scoredOnce, wait } from "./program.ts";

const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: lab/oracle\n```\n";

export async function* outages(torture: Torture): AsyncGenerator<Line> {
  using calm = new Scene();
  const expected = await withServer(calm, async () => results((await calm.run("run", "mine", "--json")).out));
  // Side by side, as they wait most of the time.
  const all = amount(torture, [5], [5, 15, 40, 120]).map(async (seconds): Promise<Line> => {
    using scene = new Scene();
    const broken = await withServer(scene, async (server) => {
      const { ended } = scene.start(["run", "mine", "--json"]);
      while (!scene.events().some(({ type }) => type === "scored")) await wait(20);
      await server.stop();
      await wait(seconds * 1000);
      await server.start();
      const { status, out, err } = await ended;
      if (status !== 0) return [`status ${status}: ${err.slice(-300)}`];
      const differs = difference(expected, results(out));
      return [...scoredOnce(scene, 31), ...(differs === undefined ? [] : [differs])];
    });
    return { what: `the server is away for ${seconds} s`, tries: 1, broken };
  });
  for (const line of all) yield await line;
}

type Server = { start(): Promise<void>; stop(): Promise<void> };

/** A server that may be stopped and started again at its address, and the session `mine` that asks it. */
async function withServer<Value>(scene: Scene, use: (server: Server) => Promise<Value>): Promise<Value> {
  const port = await freePort();
  let child: ChildProcess;
  const server: Server = {
    async start() {
      child = spawn(process.execPath, [cli, "serve-builtin", "--port", String(port), "--latency", "300"], {
        env: { ...process.env, PLANWRIGHT_CONFIG_DIR: scene.at("server") },
        stdio: ["ignore", "pipe", "ignore"],
      });
      await new Promise((resolve) => child.stdout!.once("data", resolve));
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
  await server.start();
  try {
    await scene.run("endpoint", "add", "lab", "--base-url", `http://127.0.0.1:${port}/v1`, "--identify");
    scene.session(cell);
    return await use(server);
  } finally {
    await server.stop();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return address.port;
}
