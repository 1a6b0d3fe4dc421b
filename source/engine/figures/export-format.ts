/** The file formats figures can be exported in. */
export const exportFormats = ["csv", "json", "md", "tex", "svg", "html"] as const;
export type ExportFormat = (typeof exportFormats)[number];
