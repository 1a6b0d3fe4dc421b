/** Scans by `planwright run`, without a screen. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { writeLogs } from "../engine/workbench/annotated-logs.ts";
import { says, scriptedServer } from "../engine/models/scripted-server.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

it("a scan writes proposed kinds and ends with status 1; it applies the kinds once the notebook contains them", async () => {
  await using server = await scriptedServer((response, seen) => {
    const prompt = JSON.stringify(seen.body["messages"]);
    const kinds = [{ name: "No look", meaning: "It answers without looking." }];
    const labels = [{ label: "Lucky guess", step: 2, quote: "Step 2 of log" }];
    says(JSON.stringify(prompt.includes("Allowed labels") ? { labels } : { kinds }))(response, seen);
  });
  writeLogs(at("logs"));
  expect(await typed("import", "who-and-when", at("logs"), "--into", at("s"))).toMatchObject({ status: 0 });
  expect(await typed("endpoint", "add", "lab", "--base-url", server.url)).toMatchObject({ status: 0 });
  const document = at("s", "session.md");
  const scan = "scan: {of: hand-crafted, question: What goes wrong?, induce: true}";
  appendFileSync(document, `\n\`\`\`run asked\n${scan}\nmodel: lab/m\n\`\`\`\n`);
  const asked = () => server.seen.filter(({ body }) => Array.isArray(body["messages"])).length;

  const first = await typed("run", at("s"));
  expect({ status: first.status, err: first.err }).toEqual({
    status: 1,
    err: expect.stringContaining(
      "The proposed kinds are in the cell `asked`: edit them, then run the same command again to apply them",
    ),
  });
  const proposal = "```kinds asked\nNo look: It answers without looking. (proposed for 10)\n```";
  const written = readFileSync(document, "utf8");
  expect(written).toContain(proposal);
  expect(asked()).toBe(10);

  writeFileSync(document, written.replace(proposal, "```kinds asked\nLucky guess: answers without looking\n```"));
  const second = await typed("run", at("s"));
  expect({ status: second.status, proposed: second.err.includes("The proposed kinds") }).toEqual({
    status: 0,
    proposed: false,
  });
  expect(asked()).toBe(20);

  // Everything is saved: no request is sent, and nothing is proposed again.
  expect(await typed("run", at("s"))).toMatchObject({ status: 0 });
  expect(asked()).toBe(20);
});

it("a scan reports that the model named no kinds, and ends with status 1", async () => {
  await using server = await scriptedServer((response, seen) => says('{"kinds": []}')(response, seen));
  writeLogs(at("logs"));
  await typed("import", "who-and-when", at("logs"), "--into", at("s"));
  await typed("endpoint", "add", "lab", "--base-url", server.url);
  const scan = "scan: {of: hand-crafted, question: What goes wrong?, induce: true}";
  appendFileSync(at("s", "session.md"), `\n\`\`\`run asked\n${scan}\nmodel: lab/m\n\`\`\`\n`);
  const { status, err } = await typed("run", at("s"));
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringContaining("asked: the model named no kinds, so none can be proposed or applied"),
  });
});
