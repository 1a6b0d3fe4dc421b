/**
 * Runs Planwright against an imitation of the peculiarities of real servers and prints the outcomes wanted and seen.
 *
 *     npm run -s build && node bench/servers/quirks.ts QUIRKS.PY [--python PYTHON] [--port 18300] [NAME ...]
 *
 * QUIRKS.PY needs Python with aiohttp. It listens on `port + 1`, `serve-builtin` on `port`. Ends with status 1 where an
 * outcome is not the one wanted. Not part of `npm test`: the same cases as recordings are (test/engine/models/recorded).
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

type Run = {
  readonly status: string;
  readonly message?: string;
  readonly total: number;
  readonly counts: { readonly right: number; readonly failed: number };
  readonly calls: number;
  readonly retries: number;
  readonly cost?: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
    readonly estimated: boolean;
  };
  readonly warnings: readonly string[];
  readonly failure?: { readonly message: string };
};
type Case = {
  readonly names: string;
  readonly suites: readonly string[];
  readonly wanted: string;
  readonly more?: string;
  /** `plain` is the same run of a server without peculiarities. */
  holds(run: Run, name: string, plain: Run): boolean;
};

/** Prices per million tokens. */
const prices = { input: 1, output: 2, cached: 0.1, reasoning: 4 };
/** The cost reported with each reply of `usage-cost`. */
const ownCost = 0.0123;

const suites: Readonly<Record<string, string>> = {
  appbench: "suite: appbench\nsplit: all\nstrategy: direct",
  planningarena: "suite: planningarena\nstrategy: dialogue\nresponder: builtin/responder",
  ultratool: "suite: ultratool\nsplit: en/tool_usage\nstrategy: direct",
  travelplanner: "suite: travelplanner\nsplit: validation\nstrategy: react",
  "two-stage": "suite: travelplanner\nsplit: validation\nstrategy: react\nmode: two-stage",
  react: "suite: toolbench\nsplit: all\nstrategy: react\njudge: builtin/oracle",
  dfsdt: "suite: toolbench\nsplit: all\nstrategy: dfsdt\njudge: builtin/oracle",
};

const right = (run: Run) => run.total > 0 && run.counts.right === run.total;
const said = (words: RegExp) => (run: Run) => run.warnings.some((warning) => words.test(warning));
const retried = (run: Run) => run.retries > 0 && run.failure !== undefined;
const stopped = (words: RegExp) => (run: Run) =>
  run.status === "failed" && run.retries === 0 && run.calls <= 2 && words.test(run.failure?.message ?? "");
function costs(run: Run, name: string): boolean {
  const { input, output, cached = 0, reasoning = 0, estimated } = run.tokens;
  const plain = (input - cached) * prices.input + (output - reasoning) * prices.output;
  const listed = (plain + cached * prices.cached + reasoning * prices.reasoning) / 1e6;
  const told = { "usage-cached": cached > 0, "usage-reasoning-apart": reasoning > 0, "usage-zero": estimated }[name];
  const expected = name === "usage-cost" ? ownCost * run.calls : listed;
  return right(run) && told !== false && Math.abs((run.cost ?? 0) - expected) < 1e-9;
}
const appbench = ["appbench"];
const cases: readonly Case[] = [
  {
    names:
      "plain crlf cr nospace events multiline bom comments gzip bytes no-ctype azure null-content nullfirst no-done cut-after-finish emptyfinish usage-each usage-null usage-missing usage-float usage-anthropic xgroq two-choices slow=20",
    suites: appbench,
    wanted: "right",
    holds: right,
  },
  {
    names: "reasoning-content reasoning content-list think-tags think-close think-draft",
    suites: ["appbench", "planningarena", "ultratool", "travelplanner"],
    wanted: "right",
    holds: right,
  },
  {
    names: "think-stop reasoning-stop",
    suites: ["travelplanner", "two-stage"],
    wanted: "right",
    holds: right,
  },
  { names: "reasoning-echo thought-signature", suites: ["dfsdt", "react"], wanted: "right", holds: right },
  {
    names: "tools-as-text function-call tools-object tools-no-index tools-no-id tools-stop",
    suites: ["dfsdt", "react"],
    wanted: "right, at most twice plain's requests",
    holds: (run, _, plain) => right(run) && run.calls <= 2 * plain.calls,
  },
  {
    names: "no-tools vllm-auto-tools",
    suites: ["react"],
    more: "tools: auto",
    wanted: "right, and said",
    holds: (run) => right(run) && said(/in its prompt/)(run),
  },
  {
    names:
      "no-seed no-seed-mistral no-seed-gemini no-stop no-temperature no-temp-param no-max-tokens no-stream-options no-system",
    suites: appbench,
    more: "seed: 1\ntopP: 1\nmaxTokens: 500\nstop: [NEVER]",
    wanted: "right, and what was not sent is said",
    holds: (run) => right(run) && said(/ takes no /)(run),
  },
  { names: "json200 no-finish whole-message", suites: appbench, wanted: "right", holds: right },
  {
    names: "error200 error200-vllm",
    suites: appbench,
    wanted: "tried again, the server's words",
    holds: (run) => retried(run) && /overloaded|does not exist/.test(run.failure!.message),
  },
  {
    names: "html200",
    suites: appbench,
    wanted: "one request, its words, the run stops",
    holds: stopped(/Please log in/),
  },
  { names: "length", suites: appbench, wanted: "counted as cut", holds: said(/^\d+ of \d+ replies cut at/) },
  { names: "think-length", suites: appbench, wanted: "counted as cut", holds: said(/^\d+ of \d+ replies cut at/) },
  { names: "filter", suites: appbench, wanted: "counted as filtered", holds: said(/content filter/) },
  { names: "refusal", suites: appbench, wanted: "counted as refused", holds: said(/refused/) },
  {
    names: "cut cut-emptyfinish midstream-error midstream-error=502 midstream-error-vllm midstream-error-event",
    suites: appbench,
    wanted: "tried again",
    holds: retried,
  },
  { names: "slow-comments=90", suites: appbench, wanted: "right", holds: right },
  {
    names: "quota status=402 status=501",
    suites: appbench,
    wanted: "the run stops at once, the server's words",
    holds: stopped(/exceeded your current quota|Insufficient credits|501 Something/),
  },
  {
    names: "status=408,1 status=409,1",
    suites: appbench,
    wanted: "right after another try",
    holds: (run) => right(run) && run.retries > 0,
  },
  {
    names: "usage-cached usage-reasoning-apart usage-zero usage-cost",
    suites: appbench,
    wanted: "right, at the cost the prices or the server say",
    holds: costs,
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string", default: "python3" }, port: { type: "string", default: "18300" } },
});
const [quirks, ...chosen] = positionals;
if (quirks === undefined) throw new Error("Expected the path of quirks.py");
const port = Number(values.port);
const folder = mkdtempSync(join(tmpdir(), "quirks-"));
const cli = new URL("../../dist/cli.js", import.meta.url).pathname;
const environment = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };

/** Returns the program's output; its status is 1 if a task failed, which a case may expect. */
async function planwright(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await new Promise((resolve) => child.once("close", resolve));
  return out;
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Expected a server at ${url}, found none`);
}

async function execute(suite: string, name: string, more: string): Promise<Run | undefined> {
  const session = mkdtempSync(join(folder, "session-"));
  const cell = `${suites[suite]}\nmodel: q/${name}\nlimit: 2\n${more}`;
  writeFileSync(join(session, "session.md"), `# ${name}\n\n\`\`\`run main\n${cell}\n\`\`\`\n`);
  const printed = await planwright("run", session, "--json");
  const { cells } = (printed === "" ? { cells: [] } : JSON.parse(printed)) as { cells: { runs?: Run[] }[] };
  return cells.flatMap(({ runs = [] }) => runs)[0];
}

const servers = [
  spawn(process.execPath, [cli, "serve-builtin", "--port", String(port)], { env: environment, stdio: "ignore" }),
  spawn(values.python, [quirks, String(port + 1), `http://127.0.0.1:${port}/v1`], { stdio: "ignore" }),
];
let wrong = 0;
const plainRuns: Record<string, Run | undefined> = {};
try {
  await Promise.all([answers(`http://127.0.0.1:${port}/v1/models`), answers(`http://127.0.0.1:${port + 1}/v1/models`)]);
  const priced = Object.entries(prices).flatMap(([kind, price]) => [`--price-${kind}`, String(price)]);
  const endpoint = ["endpoint", "add", "q", "--base-url", `http://127.0.0.1:${port + 1}/v1`, "--identify"];
  await planwright(...endpoint, "--models", "plain", ...priced);
  for (const { names, suites: asked, wanted, more = "", holds } of cases)
    for (const name of names.split(" "))
      for (const suite of asked) {
        if (chosen.length > 0 && !chosen.includes(name)) continue;
        const run = await execute(suite, name, more);
        const plain = (plainRuns[suite] ??= await execute(suite, "plain", ""));
        const ok = run !== undefined && plain !== undefined && holds(run, name, plain);
        if (!ok) wrong += 1;
        const seen =
          run === undefined
            ? "no run"
            : `${run.status}, ${run.counts.right}/${run.total} right, ${run.calls} calls, ${run.retries} retries${run.failure === undefined ? "" : `: ${run.failure.message.slice(0, 160)}`}`;
        process.stdout.write(`${ok ? "ok   " : "WRONG"} ${name.padEnd(22)} ${suite.padEnd(14)} ${wanted}; ${seen}\n`);
        const own = run?.warnings.filter(
          (warning) => plain?.warnings.includes(warning) !== true && !/answer key/.test(warning),
        );
        if (own !== undefined && own.length > 0) process.stdout.write(`      ${own.join("; ")}\n`);
      }
} finally {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${wrong} outcomes are not the ones wanted\n`);
process.exitCode = wrong === 0 ? 0 : 1;
