/** A run that workers execute: its Redis, the workers, and the program that coordinates them, each of which can be killed and begun again. */
import { Redis } from "ioredis";
import type { OwnRedis } from "../../source/engine/settings/own-redis.ts";
import { questions } from "../../test/workers/worked-session.ts";
import { redisInstalled, RedisServer } from "../../test/workers/redis-server.ts";
import type { Line } from "./part.ts";
import { type Ended, runsIn, Scene, scoredOnce, scoredTasks, type Started, wait } from "./program.ts";

/** Milliseconds: how long what a run leaves in Redis may take to be gone, and between two looks. */
const tidy = 10_000;
const look = 50;

/** Each reply has ten words, this many milliseconds apart. */
export const cell = (pace: number): string =>
  `\`\`\`run main\nsuite: own\nfrom: questions.jsonl\nmodel: builtin/oracle?pace=${pace}\n\`\`\`\n`;

/** Yields what the part does if the machine has a Redis, and that it is skipped otherwise. */
export async function* ifRedis(lines: () => AsyncIterable<Line>): AsyncGenerator<Line> {
  if (redisInstalled) yield* lines();
  else yield { what: "everything", tries: 0, broken: [], skipped: "there is no redis-server" };
}

export type Begun = {
  readonly tasks: number;
  readonly workers: number;
  readonly pace?: number;
  /** Addresses of Redis for the coordinator and each worker; direct if there is none. */
  readonly coordinatorUrl?: (own: OwnRedis) => Promise<OwnRedis>;
  readonly workerUrl?: (own: OwnRedis, index: number) => Promise<OwnRedis>;
};

export class WorkedRun implements AsyncDisposable {
  readonly scene = new Scene();
  readonly redis: RedisServer;
  readonly tasks: number;
  readonly #coordinatorUrl: OwnRedis;
  readonly #workerUrls: readonly OwnRedis[];
  #workers: Started[];
  #coordinator: Started;

  private constructor(redis: RedisServer, begun: Begun, coordinatorUrl: OwnRedis, workerUrls: readonly OwnRedis[]) {
    this.redis = redis;
    this.tasks = begun.tasks;
    this.#coordinatorUrl = coordinatorUrl;
    this.#workerUrls = workerUrls;
    this.scene.session(cell(begun.pace ?? 40), { "questions.jsonl": questions(begun.tasks) });
    this.#workers = workerUrls.map((url) => this.#work(url));
    this.#coordinator = this.#coordinate();
  }

  static async begin(begun: Begun): Promise<WorkedRun> {
    const redis = await RedisServer.start();
    const { coordinatorUrl = async (own) => own, workerUrl = async (own) => own, workers } = begun;
    const urls = await Promise.all(Array.from({ length: workers }, (_, index) => workerUrl(redis.url, index)));
    return new WorkedRun(redis, begun, await coordinatorUrl(redis.url), urls);
  }

  get coordinator(): Started {
    return this.#coordinator;
  }

  /** Resolves once this number of tasks has a score. Throws the coordinator's output if it ends earlier. */
  async scored(count: number): Promise<void> {
    let over: Ended | undefined;
    void this.#coordinator.ended.then((ended) => (over = ended));
    while (scoredTasks(this.scene).length < count) {
      if (over !== undefined)
        throw new Error(`Expected the run to go on, it ended with status ${over.status}: ${over.err.slice(-300)}`);
      await wait(look);
    }
  }

  async killWorker(index: number): Promise<void> {
    await killed(this.#workers[index]!);
  }
  workAgain(index: number): void {
    this.#workers[index] = this.#work(this.#workerUrls[index]!);
  }
  async killCoordinator(): Promise<void> {
    await killed(this.#coordinator);
  }
  coordinateAgain(): void {
    this.#coordinator = this.#coordinate();
  }

  /** Waits for its end; what is wrong with that, and how many requests were sent. */
  async ended(): Promise<{ readonly broken: readonly string[]; readonly calls: number }> {
    const { status, out, err } = await this.#coordinator.ended;
    const [run] = runsIn(out);
    const right = run?.counts["right"];
    const check = await this.scene.run("check", "mine");
    return {
      calls: run?.calls ?? 0,
      broken: [
        ...(status === 0 ? [] : [`status ${status}: ${err.slice(-300)}`]),
        ...scoredOnce(this.scene, this.tasks),
        ...(right === this.tasks ? [] : [`${right} of ${this.tasks} are right, though the model always is`]),
        ...(check.status === 0 ? [] : [`\`check\`: status ${check.status}: ${check.out.slice(-300)}`]),
        ...(await this.#leftovers()),
      ],
    };
  }

  /** A worker removes what is left of a round a moment after that has ended. */
  async #leftovers(): Promise<string[]> {
    const redis = new Redis(this.redis.url);
    try {
      for (let waited = 0; ; waited += look) {
        const keys = [...(await redis.keys("planwright:round*")), ...(await redis.keys("planwright:queue*"))];
        if (keys.length === 0) return [];
        if (waited > tidy) return [`${keys.length} keys are left in Redis, such as ${keys[0]}`];
        await wait(look);
      }
    } finally {
      redis.disconnect();
    }
  }

  #work(url: OwnRedis): Started {
    return this.scene.start(["worker", url, "--concurrency", "4", "--lock", "3"]);
  }
  #coordinate(): Started {
    return this.scene.start(["run", "mine", "--workers", this.#coordinatorUrl, "--json"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.scene[Symbol.dispose]();
    await this.redis[Symbol.asyncDispose]();
  }
}

async function killed({ child, ended }: Started): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}
