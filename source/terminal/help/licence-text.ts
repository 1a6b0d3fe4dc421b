import type { Workbench } from "../../engine/workbench/workbench.ts";

/** Of each benchmark: its paper, licence, source of the data, and which data are installed. */
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
        `- Installed: ${workbench.dataOf(name).join(", ")}`,
        ...(workbench.dataOf(name).some((data) => data !== "sample")
          ? []
          : [`- To install the published data: \`planwright data add ${name}\``]),
      ].join("\n"),
    )
    .join("\n\n");
}
