/** The files this suite reads. Published and generated folders have the same layout. */
import type { DataFile } from "../../../source/engine/suite.ts";
import { installing } from "./generated-folder.ts";

export const dataFiles: readonly DataFile[] = [
  { path: "apps.json", needed: "planners are offered its apps" },
  { path: "apis.json", needed: "planners are offered its tools" },
  { path: "profiles.json", needed: "tasks belong to its users" },
  {
    path: "example-tasks.json",
    sha256: "30cac3fd6a3ade0e0b2df6b1f172400c6566bd10f3ff420aff187feacb075f34",
    optional: true,
    needed: "split `examples`: the 10 tasks the publisher released",
  },
  {
    path: "tasks.jsonl",
    optional: true,
    needed: `split \`generated\`: ${installing}`,
  },
];
