/** What a run of all tests comes to, in few lines: for where nothing but the end of a long output is seen. */
import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

const messageLines = 10;
const lineWidth = 300;

/**
 * Writes the failed tests and the counts into `file` once all have ended, and says
 * on standard output which files and tests are running whenever none has ended for a while: whatever ends a run that hangs, its
 * last words name the test.
 */
export class TestSummary implements Reporter {
  readonly #file: string;
  readonly #patience: number;
  readonly #running = new Map<TestModule, TestCase | undefined>();
  #watch: NodeJS.Timeout | undefined;

  /** `patience` is in milliseconds. A file of tests usually ends every second. */
  constructor(file: string, patience = 60_000) {
    this.#file = file;
    this.#patience = patience;
  }

  onTestRunStart(): void {
    this.#watch = setInterval(() => this.#sayWhatRuns(), this.#patience).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.set(module, undefined);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.set(test.module, test);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module);
    this.#watch?.refresh();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.#watch);
    writeFileSync(this.#file, summary(modules, unhandled));
  }

  #sayWhatRuns(): void {
    for (const [module, test] of this.#running)
      process.stdout.write(
        `Still running: ${module.relativeModuleId}${test === undefined ? "" : ` > ${test.fullName}`}\n`,
      );
  }
}

function summary(modules: readonly TestModule[], unhandled: readonly SerializedError[]): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  const skipped = count("skipped");
  return [
    ...modules.flatMap((module) => failures(module).map(([name, errors]) => paragraph("Failed", name, errors))),
    ...(unhandled.length === 0 ? [] : [paragraph("Failed", "outside of any test", unhandled)]),
    ...(skipped === 0 ? [] : [`${skipped} skipped\n`]),
    `${count("passed")} passed, ${count("failed")} failed\n`,
  ].join("");
}

type Failure = readonly [name: string, errors: readonly SerializedError[]];

/** Errors of a file's tests and groups, and of the file itself, which may not even load. */
function failures(module: TestModule): Failure[] {
  const inner = [...module.children.allSuites(), ...module.children.allTests()].map((each) =>
    failure(nameOf(each), each),
  );
  return [failure(module.relativeModuleId, module), ...inner].filter((each) => each !== undefined);
}

function nameOf(part: TestSuite | TestCase): string {
  return `${part.module.relativeModuleId} > ${part.fullName}`;
}

function failure(name: string, part: TestModule | TestSuite | TestCase): Failure | undefined {
  const errors = part.type === "test" ? (part.result().errors ?? []) : part.errors();
  const unfinished = part.type === "module" && ["pending", "queued"].includes(part.state());
  if (errors.length === 0 && !unfinished) return undefined;
  return [name, unfinished ? [...errors, { message: "It began and did not end" }] : errors];
}

function paragraph(what: string, name: string, errors: readonly SerializedError[]): string {
  const lines = errors.flatMap(({ message }) => stripVTControlCharacters(message).split("\n").slice(0, messageLines));
  return `${what}: ${name}\n${lines.map((line) => `    ${line.slice(0, lineWidth)}\n`).join("")}`;
}
