import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pictureCount } from "../../build/picture.ts";

const folder = "documentation/screens";
const names = readdirSync(folder).map((file) => file.replace(/\.svg$/, ""));
const countOf = (name: string) => pictureCount(name, readFileSync(`${folder}/${name}.svg`, "utf8"));

describe("pictures of screens", () => {
  it.each([
    ["notebook-200x60", 350],
    ["live-200x60", 300],
    ["help-200x60", 250],
  ])("have at most the allowed number of words: %s has %i", (name, most) => {
    expect(countOf(name).words).toBeLessThanOrEqual(most);
  });

  it.each(["compare-200x60", "beside-200x60"])("have characters in at least a fifth of their cells: %s", (name) => {
    expect(countOf(name).inked).toBeGreaterThanOrEqual(0.2);
  });

  it.each(names)("have no empty margin of 60 columns: %s", (name) => {
    expect(countOf(name).empty).toBeLessThan(60);
  });
});
