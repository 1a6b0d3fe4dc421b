import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Checkout, missing, released } from "../../build/release.ts";

const names = ["package.json", "package-lock.json", "CITATION.cff", "CHANGELOG.md"] as const;
const today = new Map(names.map((name) => [name, readFileSync(name, "utf8")]));
const changes = "# Changelog\n\n## Unreleased\n\n- Forks.\n\n## 0.1.0\n\n- The first version.\n";
const checkout: Checkout = { files: new Map([...today, ["CHANGELOG.md", changes]]), isClean: true, tags: ["v0.1.0"] };
const address = "https://code.example.org/lab/planwright";

describe("a release of the program", () => {
  test("is rejected with a list of everything that is missing", () => {
    expect(missing(checkout, "9.0.0", address)).toEqual([]);
    expect(missing({ ...checkout, isClean: false }, "0.0.9", "lab/planwright")).toEqual([
      expect.stringMatching(/^Expected version \d+\.\d+\.\d+ or above, got `0\.0\.9`$/),
      "Expected --repository with the address of the repository, https://..., got `lab/planwright`",
      "Expected a checkout without changes that are not committed",
    ]);
    expect(missing(checkout, "next", "")).toHaveLength(3);
    expect(missing({ ...checkout, tags: ["v9.0.0"] }, "9.0.0", address)).toEqual(["Expected no tag v9.0.0 yet"]);
    const empty = { ...checkout, files: new Map([...today, ["CHANGELOG.md", "## Unreleased\n"]] as const) };
    expect(missing(empty, "9.0.0", address)).toEqual([
      "Expected `## 9.0.0` or `## Unreleased` with changes below it in CHANGELOG.md",
    ]);
  });

  test("can have the version of the checkout", () => {
    const { version } = JSON.parse(today.get("package.json")!) as { readonly version: string };
    const named = new Map([...today, ["CHANGELOG.md", changes.replace("Unreleased", version)]] as const);
    expect(missing({ ...checkout, files: named }, version, address)).toEqual([]);
    expect(released(named, version, address, "2030-01-02").get("CHANGELOG.md")).toContain(`## ${version}\n\n- Forks.`);
  });

  test("updates version and addresses in the package, the lock file, the citation and the changelog", () => {
    const files = released(checkout.files, "9.0.0", `${address}.git`, "2030-01-02");
    const before = JSON.parse(today.get("package.json")!) as object;
    expect(JSON.parse(files.get("package.json")!)).toEqual({
      ...before,
      version: "9.0.0",
      repository: { type: "git", url: `git+${address}.git` },
      homepage: `${address}#readme`,
      bugs: `${address}/issues`,
    });
    const lock = JSON.parse(files.get("package-lock.json")!) as { version: string; packages: { "": object } };
    expect([lock.version, lock.packages[""]]).toEqual(["9.0.0", expect.objectContaining({ version: "9.0.0" })]);
    expect(files.get("CITATION.cff")).toContain(
      `version: 9.0.0\ndate-released: 2030-01-02\nrepository-code: ${address}\n`,
    );
    expect(files.get("CHANGELOG.md")).toContain("## 9.0.0\n\n- Forks.\n\n## 0.1.0");
  });
});
