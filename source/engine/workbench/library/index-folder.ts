/** Locates the rows of all runs below a folder of notebooks. */
import { join } from "node:path";

export const indexFolder = (folder: string): string => join(folder, ".planwright");

/** Returns the file in an index that is written last. */
export const indexFile = (folder: string): string => join(indexFolder(folder), "index.json");
