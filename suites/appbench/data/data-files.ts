/** Published files that this suite reads. */
import type { DataFile } from "../../../source/engine/suite.ts";

const commit = "https://raw.githubusercontent.com/ruleGreen/AppBench/81539eec8c46cb03e63f3e30f979fd03998057fb";

function testFile(category: string, sha256: string, count: number): DataFile {
  const path = `test_${category}.json`;
  return { path, sha256, count, of: "tasks", url: `${commit}/data/test/${path}` };
}

export const dataFiles: readonly DataFile[] = [
  testFile("ss", "5814ab23ab895250d13631a667b7bf472585b56ef2647aac94701503f4619ff4", 200),
  testFile("sm", "93c6304a9e9fff469189e77649421a287094fe425ebf6c1e78e973533ffe4158", 200),
  testFile("ms", "62ddc243bbc2f35a206c667d9d9b1c8c1948ffa348c58aa125d3a8c82fa8e09a", 201),
  testFile("mm", "09db0654a5376bb2f41a96c584b33521ab934c22526c793d0d8f45521528b996", 200),
  {
    path: "catalogue.json",
    sha256: "6d2d4ad54ba311bb8b853ebc1639ca230e84647402b774e6da5cbd4480aa74dc",
    count: 15,
    of: "apps",
    needed:
      "the apps and APIs that every prompt lists. The publisher does not release this file: it is prepared from the descriptions in the publisher's source code, see suites/appbench/README.md",
  },
];
