/**
 * What each area of commits added to the lines of code that `npm run house` counts: `node build/house-growth.ts COMMIT` prints the
 * rows of `grown` in `house.ts`, most first.
 */
import { execFileSync } from "node:child_process";
import { codeLines, later, withoutComments } from "./house.ts";

/** Areas with fewer lines are one row. */
const least = 40;

/** One file changed by a commit; the texts are Git's names of them. */
type Change = { readonly area: string; readonly path: string; readonly before: string; readonly after: string };

const git = (args: readonly string[], input = "") => execFileSync("git", args, { input, maxBuffer: 2 ** 30 });

/** Returns the changes of counted files since a commit; merges repeat what they merge. */
function changesSince(commit: string): readonly Change[] {
  const format = ["--no-merges", "--no-renames", "--raw", "--abbrev=40", "--format=@%s"];
  const log = git(["log", ...format, `${commit}..HEAD`, "--", "source", "suites", "analyses"]).toString();
  let area = "";
  return log.split("\n").flatMap((line) => {
    if (line.startsWith("@")) area = line.slice(1).split(":")[0]!;
    const [, before, after, path] = /^:\S+ \S+ (\w+) (\w+) \w\t(.*\.tsx?)$/.exec(line) ?? [];
    return path === undefined || later.test(path) ? [] : [{ area, path, before: before!, after: after! }];
  });
}

/** Returns these texts by their names; a file that is missing is empty. */
function textsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const out = git(["cat-file", "--batch"], names.map((name) => `${name}\n`).join(""));
  let at = 0;
  const texts = names.map((name) => {
    const from = out.indexOf("\n", at) + 1;
    const [, kind, size] = out.toString("utf8", at, from).trim().split(" ");
    const length = kind === "missing" ? -1 : Number(size);
    at = from + length + 1;
    return [name, length < 0 ? "" : out.toString("utf8", from, from + length)] as const;
  });
  return new Map(texts);
}

if (import.meta.main) {
  const changes = changesSince(process.argv[2]!);
  const texts = textsOf([...new Set(changes.flatMap(({ before, after }) => [before, after]))]);
  const areas = new Map<string, number>();
  const linesIn = (path: string, name: string) => codeLines(withoutComments({ path, text: texts.get(name)! }));
  for (const { area, path, before, after } of changes)
    areas.set(area, (areas.get(area) ?? 0) + linesIn(path, after) - linesIn(path, before));
  const sorted = [...areas].toSorted(([, one], [, other]) => other - one);
  const others = sorted.filter(([, lines]) => lines < least).reduce((sum, [, lines]) => sum + lines, 0);
  for (const [area, lines] of [...sorted.filter(([, lines]) => lines >= least), ["others", others] as const])
    process.stdout.write(`  ${/^[a-z]\w*$/i.test(area) ? area : JSON.stringify(area)}: ${lines},\n`);
}
