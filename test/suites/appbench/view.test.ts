/** A plan of calls as the trajectory screen shows it: its steps beside those of the reference, with what each step needs. */
import { expect, it } from "vitest";
import type { Catalogue } from "../../../suites/appbench/data/catalogue.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import { viewOf } from "../../../suites/appbench/score/view.ts";

const argument = (name: string) => ({ name, description: "" });
const api = (name: string, required: readonly string[], optional: readonly string[], results: readonly string[]) => ({
  name,
  description: `does ${name}`,
  required_arguments: required.map(argument),
  optional_arguments: optional.map(argument),
  result_arguments: results.map(argument),
});
const catalogue = {
  apps: [
    { name: "Trains", description: "rides", apis: [api("find", ["to"], ["date"], ["a", "n"])] },
    { name: "Banks", description: "money", apis: [api("pay", [], [], [])] },
    { name: "Hotels", description: "beds", apis: [api("book", ["place"], [], ["b"]), api("rate", [], [], [])] },
  ],
} as unknown as Catalogue;
const task = {
  answer: {
    used_app: ["Trains", "Hotels"],
    used_api: [],
    result_arguments: [],
    api_results: ["a, n = find(#to='York')", "b = book(#place=a)"],
    user_aware_arguments: {},
  },
} as unknown as AppTask;

it("shows the reference alone before there is an answer", () => {
  const { reference, plan, matches } = viewOf(task, undefined, catalogue);
  expect(reference).toEqual([
    { title: "Trains: find", lines: ["to = 'York'", "returns a, n"], needs: [] },
    { title: "Hotels: book", lines: ["place = a", "returns b"], needs: [0] },
  ]);
  expect([plan, matches]).toEqual([[], []]);
});

it("links each step to the latest earlier step that returns a value it uses, and pairs it with the reference", () => {
  const lines = [
    "Hotels: [b = book(#place=a)]",
    "Trains: [a = find(#to='Bath')]",
    "Trains: [A = find(#to='York')]",
    "Hotels: [c = book(#place=a, #room=b, #stars='a')]",
    "Hotels: [book it]",
  ];
  const { plan, matches } = viewOf(task, { output: lines.join("\n") }, catalogue);
  expect(plan.map(({ title, needs }) => [title, needs])).toEqual([
    ["Hotels: book", []],
    ["Trains: find", []],
    ["Trains: find", []],
    ["Hotels: book", [0, 2]],
    ["Hotels: book it", []],
  ]);
  expect(matches).toEqual([
    [0, 2],
    [1, 0],
  ]);
});

it("describes the apps of the reference with their functions", () => {
  expect(viewOf(task, undefined, catalogue).background).toEqual([
    { title: "App Trains: rides", text: "find(to, date?): does find\n  returns a, n" },
    { title: "App Hotels: beds", text: "book(place): does book\n  returns b\nrate(): does rate\n  returns " },
  ]);
});
