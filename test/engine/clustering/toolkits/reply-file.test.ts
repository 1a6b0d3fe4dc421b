import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readReplies } from "../../../../source/engine/clustering/toolkits/reply-file.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-replies-"));
  path = join(folder, "explanations.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const line = (key: string, text: string) => `${JSON.stringify({ key, text })}\n`;
const read = async () => [...(await readReplies(path))].map(([key, text]) => `${key}=${text}`).join(" ");

describe("a file of cached replies", () => {
  it("is empty if the file is missing, and includes lines that other programs append", async () => {
    expect(await read()).toBe("");
    writeFileSync(path, line("a", "one"));
    expect(await read()).toBe("a=one");
    appendFileSync(path, line("b", "zwölf 十二"));
    appendFileSync(path, line("c", "three"));
    expect(await Promise.all([read(), read()])).toEqual(["a=one b=zwölf 十二 c=three", "a=one b=zwölf 十二 c=three"]);
  });

  it("waits for the rest of a line that is being written, and skips invalid lines", async () => {
    const whole = line("b", "zwölf");
    const bytes = Buffer.from(whole);
    const cut = bytes.indexOf("w") + 2;
    writeFileSync(path, line("a", "one"));
    appendFileSync(path, bytes.subarray(0, cut));
    expect(await read()).toBe("a=one");
    appendFileSync(path, bytes.subarray(cut));
    appendFileSync(path, `not JSON\n[1]\nnull\n{"key": 3, "text": "x"}\n\n${line("c", "three")}`);
    expect(await read()).toBe("a=one b=zwölf c=three");
  });

  it("is read again after another file replaces it or after it is removed", async () => {
    writeFileSync(path, line("a", "one") + line("b", "two"));
    expect(await read()).toBe("a=one b=two");
    writeFileSync(path, line("c", "new"));
    expect(await read()).toBe("c=new");
    rmSync(path);
    expect(await read()).toBe("");
    writeFileSync(path, line("d", "again"));
    expect(await read()).toBe("d=again");
  });
});
