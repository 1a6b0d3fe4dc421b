/** A disk of one megabyte that is full: errors in sentences, nothing torn, and the rest once there is room. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { Line, Torture } from "./part.ts";
import { cli, Scene } from "./program.ts";

const apart = ["--user", "--map-root-user", "--mount"];
const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle\n```\n";
const document = `${cell}\n\`\`\`analysis errors\npane: errors\nof: [main]\n\`\`\`\n`;

/** Steps on the disk; each prints its name and status. `$1` is the folder, `$2` Node, `$3` the program. */
const script = `
mount -t tmpfs -o size=1m tmpfs "$1" || exit 9
cd "$1"; mkdir -p sessions/mine; cp ../session.md sessions/mine/session.md
export PLANWRIGHT_CONFIG_DIR="$1/../settings"
step() { name=$1; shift; "$@" > ../$name.out 2> ../$name.err; echo "$name $?"; }
fill() { rm -f filler; dd if=/dev/zero of=filler bs=1k count=2000 2> /dev/null; truncate -s -\${1}k filler; }
fill 24
step full "$2" "$3" run mine
step torn "$2" -e 'const text = require("fs").readFileSync(require("fs").globSync("sessions/mine/runs/*/events.jsonl")[0], "utf8"); for (const line of text.slice(0, text.lastIndexOf("\\n")).split("\\n")) JSON.parse(line)'
rm -f filler
step room "$2" "$3" run mine
fill 2
step export "$2" "$3" export mine --format html,svg,csv
step empty "$2" -e 'for (const file of require("fs").globSync("sessions/mine/exports/*")) if (require("fs").statSync(file).size === 0) process.exit(1)'
step generate "$2" "$3" generate planningarena --count 40 --out made
step refused "$2" "$3" data add planningarena --from made
rm -f filler
step again "$2" "$3" export mine --format html,svg,csv
`;

// oxlint-disable-next-line require-yield
export async function* fullDisk(_torture: Torture): AsyncGenerator<Line> {
  const what = "run, export, generate and `data add` on a full disk, and again with room";
  const allowed = spawnSync("unshare", [...apart, "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"]).status === 0;
  if (!allowed) return yield { what, tries: 0, broken: [], skipped: "this system gives no mounts" };
  using scene = new Scene();
  writeFileSync(scene.at("session.md"), document);
  const disk = scene.at("disk");
  const steps = await scene.command("unshare", [
    ...apart,
    "sh",
    "-c",
    `mkdir -p "$1"; ${script}`,
    "sh",
    disk,
    process.execPath,
    cli,
  ]).ended;
  const status = new Map(
    steps.out
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const read = (name: string) => ["out", "err"].map((end) => readFileSync(scene.at(`${name}.${end}`), "utf8")).join("");
  const broken: string[] = [];
  const expect = (name: string, wanted: (text: string) => boolean, why: string) => {
    if (!wanted(status.get(name) ?? "not tried")) broken.push(`${name}: ${why}, got status ${status.get(name)}`);
  };
  const fails = (text: string) => text === "1" || text === "2";
  const works = (text: string) => text === "0";
  expect("full", fails, "expected a run without room to fail");
  expect("torn", works, "expected every line of the log but the last to be whole");
  expect("room", works, "expected the same command to end the run once there is room");
  expect("export", fails, "expected an export without room to fail");
  expect("empty", works, "expected no file of 0 bytes");
  expect("generate", fails, "expected generating without room to fail");
  expect("refused", fails, "expected torn tasks to be refused");
  expect("again", works, "expected the export once there is room");
  for (const name of ["full", "export", "generate", "refused"]) {
    const text = read(name);
    if (/\n\s+at /.test(text)) broken.push(`${name}: a stack trace: ${text.slice(0, 200)}`);
    if (name !== "refused" && !/disk is full|no space/i.test(text))
      broken.push(`${name}: expected the full disk to be named, got ${text.slice(-200)}`);
  }
  yield { what, tries: 8, broken };
}
