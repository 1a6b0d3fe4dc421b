import { describe, expect, it, vi } from "vitest";
import { GrammarThread, nodesHere, nodesOrFallback } from "../../../suites/apibench/data/grammar-thread.ts";
import { grammarFiles, loadPythonGrammar } from "../../../suites/apibench/data/python-grammar.ts";

describe("replies parsed in their own thread", () => {
  it.each([
    ["all of them", nodesOrFallback],
    ["the long ones only", nodesHere],
  ])("return the same nodes in the order of the requests, with any number of pending requests: %s", async (_, load) => {
    const { findNodes, warning } = await load();
    expect(warning).toBeUndefined();
    const here = await loadPythonGrammar();
    const calls = [
      "torch.hub.load(repo_or_dir='a/b', model='c', pretrained=True)",
      "é('日本 🎈', x=1)",
      "\ud800(1)",
      "Use the model:\n1. `m = f(1)`\n2. g(h(2",
      "",
      `${"f(".repeat(3000)}1${")".repeat(3000)}`,
      `${"x ".repeat(20_000)}f(1)`,
    ];
    const found = await Promise.all(calls.map(findNodes));
    expect(found).toEqual(calls.map(here));
    expect(await findNodes("f(1)")).toEqual(here("f(1)"));
  });

  it("are not sent again if they are among the last 64 and have at most 6,000 characters", async () => {
    const { findNodes } = await nodesOrFallback();
    const here = await loadPythonGrammar();
    const find = vi.spyOn(GrammarThread.prototype, "find");
    const sent = () => find.mock.calls.splice(0).map(([text]) => text);
    const texts = Array.from({ length: 65 }, (_, at) => `latest(${at})`);
    for (const text of texts.slice(0, 64)) await findNodes(text);
    expect(sent()).toHaveLength(64);
    // Read again, so it is later than the second text.
    expect(await findNodes(texts[0]!)).toEqual(here(texts[0]!));
    expect(sent()).toEqual([]);
    await findNodes(texts[64]!);
    await findNodes(texts[0]!);
    await findNodes(texts[1]!);
    expect(sent()).toEqual([texts[64], texts[1]]);
    const [long, longer] = ["f(1)".padEnd(6000), "f(1)".padEnd(6001)];
    for (const text of [long, long, longer, longer]) await findNodes(text);
    expect(sent()).toEqual([long, longer, longer]);
  });

  it("fail with a reason if the thread ends", async () => {
    const files = await grammarFiles();
    const thread = new GrammarThread(new URL("data:text/javascript,"), files);
    await expect(thread.find("f(1)")).rejects.toThrow("The thread that parses Python ended unexpectedly");
    expect(thread.hasEnded).toBe(true);
  });
});
