import type { Workbench } from "../../engine/workbench/workbench.ts";

/** What each benchmark is, where its data comes from, under which licence, and which data are here. */
export function licenceText(workbench: Workbench): string {
  return workbench.suites
    .map(({ name, title, paper, licence, data }) =>
      [
        `## ${title}`,
        "",
        `${paper.title}, ${paper.venue}. ${paper.url}`,
        "",
        `- Licence: ${licence}`,
        `- Source of the data: ${data.source}`,
        `- Here: ${workbench.dataOf(name).join(", ")}`,
        ...(workbench.dataOf(name).includes("published")
          ? []
          : [`- To get the published data: \`planwright data add ${name}\``]),
      ].join("\n"),
    )
    .join("\n\n");
}
