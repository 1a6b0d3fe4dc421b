import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { gzipSync } from "node:zlib";
import { packTar, type TarHeader } from "modern-tar";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { describePublished, shared } from "../shared.ts";

const folder = temporaryFolder();

/** A notebook with a figure, its own questions, a correction, and private files. */
async function notebook(fields = "suite: own/sums.csv\nmodel: builtin/slips?rate=0.5\n"): Promise<string> {
  const session = folder("mine");
  mkdirSync(session, { recursive: true });
  writeFileSync(folder("mine/sums.csv"), "question,answer\n1 + 1,2\n2 + 2,4\n3 + 3,6\n");
  writeFileSync(folder("mine/.env"), "LAB_KEY=very-secret\n");
  symlinkSync("/etc/passwd", folder("mine/link"));
  writeFileSync(
    folder("mine/session.md"),
    `# Sums\n\n\`\`\`run sums\n${fields}\`\`\`\n\n\`\`\`analysis all\npane: overview\n\`\`\`\n`,
  );
  await typed("run", session);
  return session;
}

async function figures(session: string): Promise<unknown> {
  const { cells } = JSON.parse((await typed("run", session, "--json")).out) as { readonly cells: readonly unknown[] };
  return cells;
}

describe("a bundle of a session", () => {
  test("opens on another machine with the same figures and no request", async () => {
    const session = await notebook();
    const before = await figures(session);
    const bundled = await typed("bundle", session, folder("sums.tgz"));
    expect(bundled).toMatchObject({ status: 0, err: "" });
    const listed = execFileSync("tar", ["tzf", folder("sums.tgz")], { encoding: "utf8" })
      .trimEnd()
      .split("\n");
    const [run] = readdirSync(folder("mine/runs"));
    expect(listed.toSorted()).toEqual(
      ["bundle.json", "report.html", `runs/${run}/events.jsonl.gz`, "session.md", "sums.csv"].map(
        (name) => `mine/${name}`,
      ),
    );
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder("other-settings"));
    const opened = await typed("open", folder("sums.tgz"), folder("theirs"));
    expect(opened).toMatchObject({ status: 0, err: "" });
    expect(opened.out).not.toContain("lacks");
    expect(readFileSync(folder("theirs/session.md"), "utf8")).toBe(readFileSync(folder("mine/session.md"), "utf8"));
    expect(await figures(folder("theirs"))).toEqual(before);
  });

  test("lists missing endpoints, tool servers and agents, without addresses or keys", async () => {
    await typed("endpoint", "add", "lab", "http://127.0.0.1:9/v1", "--key-env", "LAB_KEY");
    vi.stubEnv("LAB_KEY", "very-secret");
    const session = await notebook("suite: own/sums.csv\nmodel: lab/large\n");
    await typed("bundle", session, folder("sums.tgz"));
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder("other-settings"));
    const { out } = await typed("open", folder("sums.tgz"), folder("theirs"));
    expect(out).toContain("endpoint `lab` (large): planwright endpoint add lab URL");
    const text = execFileSync("tar", ["xzOf", folder("sums.tgz"), "mine/bundle.json", "mine/session.md"], {
      encoding: "utf8",
    });
    expect(text).not.toContain("127.0.0.1");
    expect(text).not.toContain("very-secret");
  });

  test("is rejected if it is neither a session nor a .tgz", async () => {
    expect(await typed("bundle", folder("none"), folder("a.tgz"))).toMatchObject({ status: 2 });
    const session = await notebook();
    expect(await typed("bundle", session, folder("a.zip"))).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected a file named FILE.tgz"),
    });
  });
});

/** The figures of the last cell without the scores of trivial answers, which need the data. */
function withoutFloors(cells: unknown): string {
  const { figures: drawn } = (cells as readonly { readonly figures?: readonly unknown[] }[]).at(-1)!;
  return JSON.stringify(drawn, (key, value: unknown) => {
    if (key === "floor") return undefined;
    return key === "notes" ? (value as readonly string[]).filter((note) => !/floor/i.test(note)) : value;
  });
}

describePublished("a bundle of a run on published data", () => {
  test("keeps its figures without the data, and reports which data are missing", async () => {
    await typed("data", "add", "appbench", "--from", shared("data/appbench"));
    const session = await notebook("suite: appbench\nlimit: 5\nmodel: builtin/oracle\n");
    const before = await figures(session);
    await typed("bundle", session, folder("plans.tgz"));
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", folder("other-settings"));
    const { out } = await typed("open", folder("plans.tgz"), folder("theirs"));
    expect(out).toContain("data of appbench: planwright data add appbench");
    expect(readFileSync(folder("theirs/session.md"), "utf8")).toContain('data: "published"');
    const after = await figures(folder("theirs"));
    expect(JSON.stringify(after)).toContain('"right":5');
    expect(withoutFloors(after)).toBe(withoutFloors(before));
  });
});

describe("planwright open", () => {
  type Given = Partial<TarHeader> & { readonly name: string; readonly body?: string };
  const good: readonly Given[] = [
    { name: "a/session.md", body: "# A\n" },
    {
      name: "a/bundle.json",
      body: '{"format":1,"planwright":"0.2.0","name":"a","endpoints":{},"data":[],"toolServers":{},"agents":{},"code":{}}',
    },
  ];
  async function archive(entries: readonly Given[]): Promise<string> {
    const packed = await packTar(
      entries.map(({ body = "", ...header }) => ({
        header: { type: "file", size: Buffer.byteLength(body), ...header },
        body,
      })),
    );
    writeFileSync(folder("given.tgz"), gzipSync(packed));
    return folder("given.tgz");
  }
  beforeEach(() => writeFileSync(folder("victim"), "untouched"));

  test("reads a bundle with unknown fields", async () => {
    const [document, contents] = good;
    const path = await archive([document!, { ...contents!, body: contents!.body!.replace("{", '{"later":[1],') }]);
    expect(await typed("open", path, folder("theirs"))).toMatchObject({ status: 0 });
  });

  test.each<[string, readonly Given[], string]>([
    ["a path that leads out", [{ name: "a/../../victim", body: "x" }], "Expected files inside"],
    [
      "an absolute path",
      [
        { name: "/victim", body: "x" },
        { name: "a//victim", body: "x" },
      ],
      "Expected files inside",
    ],
    ["a link", [{ name: "a/link", type: "symlink", linkname: "../victim" }], "Expected plain files"],
    ["a hidden file", [{ name: "a/.planwright", body: "x" }], "Expected files inside"],
    [
      "a file twice",
      [
        { name: "a/x", body: "1" },
        { name: "a/x", body: "2" },
      ],
      "Expected each file once",
    ],
    [
      "a newer format",
      [{ name: "a/bundle.json", body: good[1]!.body!.replace(":1", ":9") }],
      "Expected bundle.json in format 1 or below",
    ],
  ])("rejects %s and leaves nothing behind", async (_, entries, why) => {
    const isWhole = entries.some(({ name }) => name === "a/bundle.json");
    const path = await archive(isWhole ? [good[0]!, ...entries] : [...good, ...entries]);
    const said = await typed("open", path, folder("theirs"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining(why) });
    expect(existsSync(folder("theirs"))).toBe(false);
    expect(readFileSync(folder("victim"), "utf8")).toBe("untouched");
  });

  test("rejects a file that is truncated, is not an archive, or unpacks to more than allowed", async () => {
    const path = await archive([...good, { name: "a/big", body: "0".repeat(3_000_000) }]);
    expect(await typed("open", path, folder("theirs"), "--most", "1MB")).toMatchObject({
      status: 2,
      err: expect.stringContaining("`--most"),
    });
    truncateSync(path, statSync(path).size - 200);
    expect(await typed("open", path, folder("theirs"))).toMatchObject({
      status: 2,
      err: expect.stringContaining("to be a complete bundle"),
    });
    writeFileSync(path, "no archive");
    expect(await typed("open", path, folder("theirs"))).toMatchObject({ status: 2 });
    expect(existsSync(folder("theirs"))).toBe(false);
  });

  test("rejects a folder that has files", async () => {
    const path = await archive(good);
    expect(await typed("open", path, folder())).toMatchObject({
      status: 2,
      err: expect.stringContaining("Expected a new or empty folder"),
    });
  });
});
