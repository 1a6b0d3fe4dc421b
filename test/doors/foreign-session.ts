/** A session from another user: two runs, one of them begun, with hostile content in every file. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyses } from "../../analyses/index.ts";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { SessionWorkbench } from "../../source/engine/workbench/session-workbench.ts";
import { suites } from "../../suites/index.ts";

/** The files of the session that can be hostile. */
export const hostileParts = ["rounds", "logs", "documents"] as const;
export type HostilePart = (typeof hostileParts)[number];

const questions = Array.from({ length: 6 }, (_, index) => ({
  id: `q${index}`,
  question: `What is ${index}?`,
  answer: `${index}`,
}));
const linesOf = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

export class ForeignSession implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "planwright-foreign-"));
  readonly path = join(this.folder, "theirs");
  /** The begun run, with three of six tasks scored, and one that has not begun. */
  runs: readonly [begun: string, ready: string] = ["", ""];

  /** `url`: the address that its files try to reach. */
  static async made(url: string): Promise<ForeignSession> {
    const session = new ForeignSession();
    session.write("session.md", session.#document());
    session.write("questions.jsonl", linesOf(questions));
    const settings = await openSettings(join(session.folder, "their-settings"));
    const workbench = new SessionWorkbench({ folder: new SessionFolder(session.path), suites, analyses, settings });
    const [begun, ready] = workbench.cells().flatMap(({ id, kind }) => {
      const state = kind === "run" ? workbench.state(id) : undefined;
      return state?.kind === "run" ? state.runs.map(({ run }) => ({ id, run })) : [];
    });
    const some = questions.slice(0, 3).map(({ id }) => ({ run: begun!.run, task: id }));
    await workbench.run(begun!.id, some);
    await workbench.close();
    session.runs = [begun!.run, ready!.run];
    session.giveAway(url);
    return session;
  }

  /** Records that workers have all tasks of both runs, in the format of versions that did not yet hash the address. */
  giveAway(url: string): void {
    for (const run of this.runs)
      this.#round(run, { round: `${run}-0123456789ab`, url, tasks: questions.map(({ id }) => id) });
  }

  /** Removes these records. */
  keep(): void {
    for (const run of this.runs) rmSync(join(this.path, "runs", run, "workers.json"));
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.path, name, ".."), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** Fills files of a kind with content that might make a program connect to `url`. */
  poison(part: HostilePart, url: string): void {
    const http = url.replace("redis:", "http:");
    const lure = { url, baseUrl: http, host: "127.0.0.1", port: Number(new URL(url).port), path: http, socket: http };
    const [begun] = this.runs;
    if (part === "rounds")
      for (const [index, run] of this.runs.entries())
        this.#round(run, { ...lure, round: `${run}-0123456789ab`, address: url, tasks: ["q0", "q5", http], of: index });
    if (part === "logs") {
      const started = { type: "started", task: "q4", at: 1, seq: 900, facets: { url }, question: http };
      const log = `runs/${begun}/events.jsonl`;
      this.write(
        log,
        `${this.read(log)}${linesOf([
          { ...started, worker: { name: url, attempt: http, ...lure } },
          { type: url, ...lure },
        ])}`,
      );
      for (const name of ["events.index", "rows.jsonl", "rows.json", "overrides.json", "kept.json"])
        this.write(`runs/${begun}/${name}`, linesOf([{ ...lure, task: "q0", source: http, reason: url }]));
      this.write(
        "runs/stray/events.jsonl",
        linesOf([{ type: "run-started", run: "stray", at: 1, spec: { ...lure, model: http } }]),
      );
      this.write("runs/stray/workers.json", JSON.stringify({ round: "stray-0123456789ab", url, tasks: ["q0"] }));
    }
    if (part === "documents") {
      const document = `${this.#document()}![picture](${http}/a.png)\n${this.#strange(http)}`;
      this.write("session.md", document);
      this.write("session.md.draft", `${document}[another](${http})\n`);
      for (const name of ["session.md.typed.draft", "detached.txt", "exports/rows.csv", "session.lock"])
        this.write(name, JSON.stringify({ ...lure, cell: "main", text: http }));
      // A recently written lock would keep everyone out.
      utimesSync(join(this.path, "session.lock"), 0, 0);
      const settings = { endpoints: [{ name: "lab", baseUrl: http }], data: {}, workers: { url, use: true } };
      for (const name of ["settings.json", "settings/settings.json"]) this.write(name, JSON.stringify(settings));
      this.write("questions.jsonl", linesOf(questions.map((each) => ({ ...each, image: http, kind: url }))));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #round(run: string, file: object): void {
    this.write(`runs/${run}/workers.json`, JSON.stringify(file));
  }

  #document(): string {
    const cell = (name: string, ...lines: readonly string[]) =>
      ["```run " + name, "suite: own", "from: questions.jsonl", "model: builtin/oracle", ...lines, "```", ""].join(
        "\n",
      );
    return `# Theirs\n\n${cell("main")}\n${cell("fresh", "limit: 2", "trial: 2")}\n\`\`\`analysis scores\npane: errors\nof: [main]\n\`\`\`\n`;
  }

  #strange(http: string): string {
    const lines = [
      `from: ${http}/questions.jsonl`,
      `model: ${http}/v1`,
      `judge: ${http}`,
      `predictions: ${http}/a.jsonl`,
    ];
    return lines.map((line, index) => `\n\`\`\`run strange${index}\nsuite: own\n${line}\n\`\`\`\n`).join("");
  }
}
