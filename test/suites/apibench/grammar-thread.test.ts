import { describe, expect, it } from "vitest";
import { GrammarThread, nodesHere, nodesOrFallback } from "../../../suites/apibench/data/grammar-thread.ts";
import { grammarFiles, loadPythonGrammar } from "../../../suites/apibench/data/python-grammar.ts";

describe("replies parsed in their own thread", () => {
  it.each([
    ["all of them", nodesOrFallback],
    ["the long ones only", nodesHere],
  ])("have equal nodes in the order of the requests, with any number of requests pending: %s", async (_, load) => {
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

  it("fail with a reason if the thread dies", async () => {
    const files = await grammarFiles();
    const thread = new GrammarThread(new URL("data:text/javascript,"), files);
    await expect(thread.find("f(1)")).rejects.toThrow("The thread that parses Python ended unexpectedly");
    expect(thread.hasEnded).toBe(true);
  });
});
