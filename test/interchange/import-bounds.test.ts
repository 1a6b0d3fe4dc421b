import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { runsOf } from "./exported-session.ts";
import { zipOf } from "./zip-of.ts";
import { builtProgram } from "../built-program.ts";

const at = temporaryFolder();
const header = { version: 2, status: "success", eval: { task: "sums", model: "lab/large", dataset: {} } };
const sampleOf = (id: string, text: string) => ({
  id,
  input: `Which is ${id}?`,
  target: "4",
  output: { completion: "4" },
  events: [{ event: "model", model: "lab/large", input: [{ role: "user", content: text }], output: { choices: [] } }],
});
const document = (size: number) => ({
  schema_version: "ATIF-v1.7",
  agent: { name: "x", version: "1" },
  steps: [{ step_id: 1, source: "agent", message: "a".repeat(size) }],
});

describe("an import above the size limits", () => {
  const big = "a".repeat(2_000_000);
  const log = JSON.stringify({ ...header, samples: [sampleOf("a", big)] });
  const files = { "header.json": JSON.stringify(header), "samples/a_epoch_1.json": JSON.stringify(sampleOf("a", big)) };

  it.each([
    ["a document", "their.json", log],
    ["a compressed document", "their.json.gz", gzipSync(log)],
    ["an archive", "their.eval", zipOf(files, "deflated")],
  ])("is rejected for %s before it is read, and the error names the option that allows it", async (_, name, bytes) => {
    writeFileSync(at(name), bytes);
    const said = await typed("import", "inspect", at(name), "--into", at("back"), "--most", "1MB");
    expect(said).toEqual({
      status: 2,
      out: "",
      err: `planwright: Expected at most 1 MB of unpacked data, got 2 MB with ${at(name)}: \`planwright import --most 1GB\` allows more\n`,
    });
    expect(existsSync(at("back"))).toBe(false);
    expect(await typed("import", "inspect", at(name), "--into", at("back"), "--most", "2.5mb")).toMatchObject({
      status: 0,
      err: "",
    });
    expect((await runsOf(at("back")))[0]!.rows).toMatchObject([{ question: "Which is a?", state: "scored" }]);
  });

  it("is rejected by an archive's declared size before anything is unpacked", async () => {
    // The data cannot be unpacked, because they are not deflated.
    const lies = zipOf(files, "deflated", { method: 12, size: 400 * 1024 * 1024 });
    writeFileSync(at("their.eval"), lies);
    const said = await typed("import", "inspect", at("their.eval"), "--into", at("back"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("got 800 MB with") });
    expect(existsSync(at("back"))).toBe(false);
    // Only `import` has the option.
    expect(await typed("score", "appbench", "--predictions", at("their.eval"))).toMatchObject({
      status: 2,
      err: expect.stringContaining("`planwright import --most 1GB` reads and scores larger files"),
    });
  });

  it("is rejected before anything is written if a packed document contains more than it declares", async () => {
    writeFileSync(at("their.json.gz"), Buffer.concat([gzipSync(log.slice(0, -1)), gzipSync("}")]));
    const said = await typed("import", "inspect", at("their.json.gz"), "--into", at("back"), "--most", "1MB");
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("at most 1 MB of unpacked data") });
    expect(existsSync(at("back"))).toBe(false);
  });

  it("is rejected if the sum of several documents exceeds the limit", async () => {
    mkdirSync(at("theirs"));
    for (const name of ["a.json", "b.json", "c.json"])
      writeFileSync(at("theirs", name), JSON.stringify(document(400_000)));
    const into = ["--into", at("back")];
    expect(await typed("import", "atif", at("theirs"), ...into, "--most", "1MB")).toMatchObject({
      status: 2,
      err: expect.stringContaining(`with ${at("theirs", "c.json")}`),
    });
    expect(existsSync(at("back"))).toBe(false);
    expect((await typed("import", "atif", at("theirs"), ...into, "--most", "2MB")).status).toBe(0);
    expect((await runsOf(at("back")))[0]!.rows).toHaveLength(3);
  });

  it.each(["", "4", "4 GB", "-1GB", "GB", "0GB", "1e9MB", "4TB"])("rejects a size written as %j", async (most) => {
    writeFileSync(at("their.json"), log);
    const said = await typed("import", "inspect", at("their.json"), "--into", at("back"), `--most=${most}`);
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("a size such as 600MB or 4GB") });
  });

  it("is rejected if references in a sample multiply the content of the sample", async () => {
    const pool = Array.from({ length: 1000 }, () => ({ role: "user", content: "again" }));
    const [request] = sampleOf("a", "").events;
    const refs = { ...request, input: [], input_refs: Array.from({ length: 20 }, () => [0, 1000]) };
    const sample = {
      ...sampleOf("a", ""),
      events_data: { messages: pool },
      events: Array.from({ length: 600 }, () => refs),
    };
    writeFileSync(at("their.json"), JSON.stringify({ ...header, samples: [sample] }));
    const said = await typed("import", "inspect", at("their.json"), "--into", at("back"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("at most 10,000,000 messages in total") });
    const steps = Array.from({ length: 5000 }, (_, step) => ({ step_id: step + 1, source: "agent", message: "x" }));
    writeFileSync(at("a.json"), JSON.stringify({ ...document(1), steps }));
    const other = await typed("import", "atif", at("a.json"), "--into", at("back"));
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining("at most 10,000,000 messages in total") });
  });
});

describe("an imported document of the wrong kind", () => {
  it.each([
    ["is cut", JSON.stringify({ ...header, samples: [sampleOf("a", "")] }).slice(0, -1), "to be JSON"],
    ["has text after its end", `${JSON.stringify({ ...header, samples: [sampleOf("a", "")] })}x`, "to be JSON"],
    ["has no samples", JSON.stringify({ ...header, samples: [] }), "Expected samples in"],
    ["is a list", JSON.stringify([header]), "to be a log of Inspect AI"],
    ["is another object", JSON.stringify({ samples: [1] }), "to be a log of Inspect AI"],
  ])("is rejected without writing anything if it %s", async (_, text, words) => {
    writeFileSync(at("their.json"), text);
    const said = await typed("import", "inspect", at("their.json"), "--into", at("back"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining(words) });
    expect(existsSync(at("back"))).toBe(false);
  });
});

it("an imported log of 130 MB needs at most 200 MB of memory, and the import reports its progress", () => {
  const file = openSync(at("their.json"), "w");
  writeSync(file, `${JSON.stringify(header).slice(0, -1)},"samples":[`);
  const text = Array.from({ length: 13_000 }, (_, word) => `word${word}`).join(" ");
  for (let id = 0; id < 1000; id++)
    writeSync(file, `${id === 0 ? "" : ","}${JSON.stringify(sampleOf(String(id), `${id} ${text}`))}`);
  writeSync(file, "]}\n");
  closeSync(file);
  const { out, errors, peak } = importing("inspect", at("their.json"));
  expect(out).toContain("1000 unscored of 1000");
  expect(errors).toMatch(/^Reading their\.json: 32 MB of \d+ MB\n/);
  expect(peak).toBeLessThan(200 * 1024);
});

it("an imported trajectory with one text of 60 MB needs at most 200 MB plus three times the text's size", () => {
  writeFileSync(at("their.json"), JSON.stringify(document(60_000_000)));
  const { out, peak } = importing("atif", at("their.json"));
  expect(out).toContain("1 unscored of 1");
  expect(peak).toBeLessThan(380_000);
});

/** Imports with the built program in a separate process; `peak` is its largest resident memory in kilobytes. */
function importing(kind: "inspect" | "atif", file: string) {
  const preload = join(at(), "peak.mjs");
  writeFileSync(preload, `process.on("exit", () => console.log("peak " + process.resourceUsage().maxRSS))`);
  const args = ["--import", preload, builtProgram(), "import", kind, file, "--into", at("back")];
  const errors = openSync(at("errors.txt"), "w");
  const out = execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", errors] });
  closeSync(errors);
  return { out, errors: readFileSync(at("errors.txt"), "utf8"), peak: Number(/peak (\d+)/.exec(out)![1]) };
}
