/**
 * Debian's `redis-server` as a child process with its own port and folder. It can be killed and restarted with its data. It does
 * not depend on the test runner, so the bench can use it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnRedis, ownRedis } from "../../source/engine/settings/own-redis.ts";

/** True if this machine has the program. */
export const redisInstalled = spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

export type RedisOptions = {
  /** True if data survives a restart. */
  readonly appendonly?: "yes" | "no";
  /** When writes reach the disk: by default before they are answered, so that a kill loses no acknowledged write. */
  readonly appendfsync?: "always" | "everysec";
  /** Memory limit, such as `3mb`; unlimited if absent. */
  readonly maxmemory?: string;
  /** Behaviour when full: by default Redis refuses writes. */
  readonly maxmemoryPolicy?: "noeviction" | "allkeys-lru";
  readonly password?: string;
  /** Allows only encrypted connections, with a certificate made for this server. */
  readonly tls?: boolean;
};

export class RedisServer implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "planwright-redis-"));
  readonly #options: RedisOptions;
  #port = 0;
  #child: ChildProcess | undefined;

  private constructor(options: RedisOptions) {
    this.#options = options;
  }

  /** Resolves when the server accepts connections. Throws with its output if it does not start. */
  static async start(options: RedisOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(options);
    try {
      if (options.tls === true) server.#makeCertificate();
      // Another process may take a free port before Redis does.
      for (let tries = 1; ; tries++) {
        server.#port = await freePort();
        try {
          await server.restart();
          return server;
        } catch (error) {
          if (tries === 5 || !String(error).includes("Address already in use")) throw error;
        }
      }
    } catch (error) {
      rmSync(server.folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address without the password, which is in the environment. */
  get url(): OwnRedis {
    return ownRedis(`${this.#options.tls === true ? "rediss" : "redis"}://127.0.0.1:${this.#port}`, {});
  }

  /** The certificate, which clients trust if they are started with it in NODE_EXTRA_CA_CERTS. */
  get certificate(): string {
    return join(this.folder, "certificate.pem");
  }

  /** Kills the server as a power failure would: nothing more is written. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Suspends the server: connections stay open, and nothing is answered until `resume`. */
  suspend(): void {
    this.#child?.kill("SIGSTOP");
  }
  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Starts the server again after `kill`, on the same port and with its data. Resolves when the data is loaded. */
  async restart(): Promise<void> {
    writeFileSync(join(this.folder, "redis.conf"), this.#configuration());
    const child = spawn("redis-server", ["redis.conf"], { cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    const die = () => void child.kill("SIGKILL");
    process.once("exit", die);
    child.once("exit", () => process.off("exit", die));
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (piece: Buffer) => {
        printed += piece.toString();
        if (printed.includes("Ready to accept connections")) resolve();
      });
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`Expected redis-server to start, it printed:\n${printed}`)));
    });
  }

  /** Ends the server and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #configuration(): string {
    const {
      appendonly = "yes",
      appendfsync = "always",
      maxmemory = "0",
      maxmemoryPolicy = "noeviction",
      password,
      tls = false,
    } = this.#options;
    const port = tls
      ? [
          "port 0",
          `tls-port ${this.#port}`,
          "tls-cert-file certificate.pem",
          "tls-key-file key.pem",
          "tls-ca-cert-file certificate.pem",
          "tls-auth-clients no",
        ]
      : [`port ${this.#port}`];
    return [
      ...port,
      "bind 127.0.0.1",
      `appendonly ${appendonly}`,
      `appendfsync ${appendfsync}`,
      'save ""',
      `maxmemory ${maxmemory}`,
      `maxmemory-policy ${maxmemoryPolicy}`,
      ...(password === undefined ? [] : [`requirepass ${password}`]),
      "",
    ].join("\n");
  }

  #makeCertificate(): void {
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
    const files = ["-keyout", "key.pem", "-out", "certificate.pem"];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...key, ...files, ...subject], { cwd: this.folder, stdio: "ignore" });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
