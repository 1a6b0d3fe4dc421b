/** The files this suite reads. Published and generated folders have the same layout. */
import type { DataFile } from "../../source/engine/suite.ts";

export const dataFiles: readonly DataFile[] = [
  { path: "apps.json", needed: "planners are offered its apps" },
  { path: "apis.json", needed: "planners are offered its tools" },
  { path: "profiles.json", needed: "tasks belong to its users" },
  { path: "example-tasks.json", count: 10, of: "tasks", optional: true, needed: "split `examples`" },
  {
    path: "tasks.jsonl",
    optional: true,
    needed: "split `generated`; made with `planwright generate planningarena`, here or in a folder `generated`",
  },
];
