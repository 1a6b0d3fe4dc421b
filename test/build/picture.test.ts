import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pictureCount } from "../../build/picture.ts";

const folder = "documentation/screens";
const names = readdirSync(folder).map((file) => file.replace(/\.svg$/, ""));
const countOf = (name: string) => pictureCount(name, readFileSync(`${folder}/${name}.svg`, "utf8"));

describe("pictures of screens", () => {
  it.each([
    ["live-200x60", 300],
    ["help-200x60", 250],
  ])("%s has at most %i words", (name, most) => {
    expect(countOf(name).words).toBeLessThanOrEqual(most);
  });

  it.each(["compare-200x60", "beside-200x60"])("%s inks at least a fifth of its cells", (name) => {
    expect(countOf(name).inked).toBeGreaterThanOrEqual(0.2);
  });

  it.each(names)("%s has no empty side of 60 columns from top to bottom", (name) => {
    expect(countOf(name).empty).toBeLessThan(60);
  });
});
