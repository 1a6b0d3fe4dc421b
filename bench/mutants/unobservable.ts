/** Mutants that change nothing anybody could observe, and why: they do not count. */
import type { Mutant } from "./switched-files.ts";

type Known = Pick<Mutant, "file" | "within" | "was" | "becomes"> & { readonly why: string };

const known: readonly Known[] = [
  {
    file: "source/engine/statistics/mean-interval.ts",
    within: "const atEnd = shares.some(({ value }) => value === 1) ? Infinity : divergence(1);",
    was: "shares.some(({ value }) => value === 1)",
    becomes: "shares.every(({ value }) => value === 1)",
    why: "The divergence is no number then, which is not below the bound either",
  },
  {
    file: "source/engine/statistics/beta.ts",
    within: "const next = stepped > low && stepped < high ? stepped : (low + high) / 2;",
    was: "stepped > low",
    becomes: "(stepped) >= (low)",
    why: "A step that lands on the bracket's end to the last digit has arrived",
  },
  {
    file: "source/engine/statistics/detectable-difference.ts",
    within:
      "const below = (k: number) => (k < 0 ? 0 : k >= tasks ? 1 : betaShare(1 - disagreement, tasks - k, k + 1));",
    was: "k < 0",
    becomes: "(k) <= (0)",
    why: "With no or one task that differs nothing is rejected, so that their chance counts nowhere",
  },
  {
    file: "source/engine/statistics/beta.ts",
    within: "if (Math.abs(next - x) <= 1e-15 * x || next <= low || next >= high) return next;",
    was: "next >= high",
    becomes: "(next) > (high)",
    why: "Only the middle of two neighbouring numbers falls on one of them, and one of these is where the search stands",
  },
  {
    file: "source/engine/statistics/normal.ts",
    within: "for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;",
    was: "200",
    becomes: "(200 + 1)",
    why: "The fraction has long reached its last digit: steps 200 and 201 are the same number wherever it is asked for",
  },
  {
    file: "source/engine/log/file/indexed-log.ts",
    within: "const mostMessages = 2 * 1024 * 1024;",
    was: "2",
    becomes: "(2 + 1)",
    why: "How much is kept for the next task, never what is read",
  },
  {
    file: "source/engine/log/file/indexed-log.ts",
    within: "const mostMessages = 2 * 1024 * 1024;",
    was: "2 * 1024",
    becomes: "(2) / (1024)",
    why: "How much is kept for the next task, never what is read",
  },
  {
    file: "source/engine/log/file/indexed-log.ts",
    within: "if (this.#size > mostMessages) {",
    was: "this.#size > mostMessages",
    becomes: "!(this.#size > mostMessages)",
    why: "How much is kept for the next task, never what is read",
  },
  {
    file: "source/engine/statistics/detectable-difference.ts",
    within: "return (Math.sqrt(disagreement) * (z * Math.sqrt(tasks) + zPower * root)) / (tasks + zPower * zPower);",
    was: "tasks + zPower * zPower",
    becomes: "(tasks) - (zPower * zPower)",
    why: "The search for the exact value widens its bracket until it holds it, wherever it begins",
  },
  {
    file: "suites/travelplanner/score/layout.ts",
    within: 'const fence = open === -1 ? -1 : reply.indexOf("\\n", open);',
    was: "1",
    becomes: "(1 + 1)",
    why: "Without an opening fence there is no closing one either",
  },
  {
    file: "source/engine/log/recorder.ts",
    within: "else this.events.push({ ...step, seq: -1, at: Date.now(), task: this.#task } as Stamped<Step>);",
    was: "1",
    becomes: "(1 + 1)",
    why: "Joined text stands at no single place of the log: nobody asks an event that is held for its place",
  },
  {
    file: "suites/appbench/score/call-text-analysis.ts",
    within: "for (let to = from + 2; to < text.length; to++) {",
    was: "to < text.length",
    becomes: "(to) <= (text.length)",
    why: "Beyond the end stands no quote",
  },
  {
    file: "suites/toolbench/score/answer-conversion.ts",
    within: "for (let index = 0; index < chain.length; index++) {",
    was: "index < chain.length",
    becomes: "(index) <= (chain.length)",
    why: "Beyond the end stands no node, and what is none makes no step",
  },
  {
    file: "source/engine/measures/run-groups.ts",
    within: "fields.toSorted(),",
    was: "fields.toSorted()",
    becomes: "fields.toSorted().toReversed()",
    why: "Sorted keys are compared with each other alone: any one order does",
  },
  {
    file: "source/engine/measures/run-groups.ts",
    within: "options.toSorted(),",
    was: "options.toSorted()",
    becomes: "options.toSorted().toReversed()",
    why: "Sorted keys are compared with each other alone: any one order does",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "#lastLine = 0;",
    was: "0",
    becomes: "(0 + 1)",
    why: "When garbage is collected, never what is written",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "releaseText(this.#lastLine);",
    was: "releaseText(this.#lastLine);",
    becomes: ";",
    why: "When garbage is collected, never what is written",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "releaseText(longest);",
    was: "releaseText(longest);",
    becomes: ";",
    why: "When garbage is collected, never what is written",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "this.#lastLine = longest;",
    was: "this.#lastLine = longest;",
    becomes: ";",
    why: "When garbage is collected, never what is written",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "keepName(dirname(path));",
    was: "keepName(dirname(path));",
    becomes: ";",
    why: "Only a power failure shows what was synced",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "if (this.#file !== undefined) fsyncSync(this.#file);",
    was: "fsyncSync(this.#file);",
    becomes: ";",
    why: "Only a power failure shows what was synced",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "fsyncSync(list);",
    was: "fsyncSync(list);",
    becomes: ";",
    why: "Only a power failure shows what was synced",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "fsyncSync(this.#file);",
    was: "fsyncSync(this.#file);",
    becomes: ";",
    why: "Only a power failure shows what was synced",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "ftruncateSync(this.#file, this.#bytes);",
    was: "ftruncateSync(this.#file, this.#bytes);",
    becomes: ";",
    why: "Only a disk that fills up within a line shows it",
  },
  {
    file: "source/engine/log/file/log.ts",
    within: "open.delete(this);",
    was: "open.delete(this);",
    becomes: ";",
    why: "A closed log writes nothing when its program ends",
  },
  {
    file: "source/engine/log/rows/frames.ts",
    within: String.raw`const isCall = to > from && /[\p{L}\p{N}_\\]/u.test(text[from - 1] ?? "") && text.length - to < 60;`,
    was: "to > from",
    becomes: "(to) >= (from)",
    why: "An opening and a closing bracket are never at the same position",
  },
  {
    file: "source/engine/log/rows/stored-rows.ts",
    within:
      "for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written, null, from + written);",
    was: "from + written",
    becomes: "(from) - (written)",
    why: "A file takes all bytes at once, unless its disk is full",
  },
  {
    file: "source/engine/log/rows/repetition.ts",
    within: "const found = prompt.indexOf(text.slice(at, at + run));",
    was: "prompt.indexOf(text.slice(at, at + run))",
    becomes: "prompt.lastIndexOf(text.slice(at, at + run))",
    why: "A run is extended so that the search is quick: the next 20 characters find what another place continues with",
  },
  {
    file: "source/engine/log/rows/repetition.ts",
    within: "while (text[at + length] !== undefined && prompt[found + length] === text[at + length]) length += 1;",
    was: "found + length",
    becomes: "(found) - (length)",
    why: "A run is extended so that the search is quick: the next 20 characters find the rest as well",
  },
];

export function whyUnobservable({ file, within, was, becomes }: Mutant): string | undefined {
  const same = (one: Known) => one.file === file && one.within === within && one.was === was && one.becomes === becomes;
  return known.find(same)?.why;
}
