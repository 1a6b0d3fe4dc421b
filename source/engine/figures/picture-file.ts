/**
 * Converts SVG pictures to PNG and PDF. Their letters come from a font of a package, never from the system, so the bytes are the
 * same on all machines. The packages are loaded on first use, because only these exports need them.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { crc32 } from "node:zlib";
import { Problem } from "../problem.ts";
import { counted } from "../text/counted.ts";
import { lettersOf } from "./font-letters.ts";

const printed = 300;
/** Larger pictures do not fit into the memory of the converter. */
const mostDots = 100_000_000;
const family = "DejaVu Sans Mono";
const faces = { normal: "DejaVuSansMono", bold: "DejaVuSansMono-Bold", italic: "DejaVuSansMono-Oblique" } as const;
const packages = {
  png: ["@resvg/resvg-wasm", "dejavu-fonts-ttf"],
  pdf: ["pdfkit", "svg-to-pdfkit", "dejavu-fonts-ttf"],
} as const;

/** Returns the bytes of the picture; a PNG file has `dots` an inch. Throws `Problem` if a package is missing, or if the picture is too large. */
export async function pictureFile(svg: string, format: "png" | "pdf", dots = printed): Promise<Uint8Array> {
  try {
    return await (format === "png" ? png(svg, dots) : pdf(svg));
  } catch (error) {
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    const needed = packages[format];
    throw new Problem(
      "tool",
      `${format.toUpperCase()} needs the packages ${needed.map((name) => `\`${name}\``).join(", ")}, which are not all installed: npm install ${needed.join(" ")}`,
    );
  }
}

/** Most letters that a message shows. */
const mostShown = 20;

/**
 * Returns a sentence on the letters of a picture that its font lacks, which are drawn as empty boxes; undefined if there are no
 * such letters, or no font.
 */
export async function lackingLetters(svg: string): Promise<string | undefined> {
  const letters = [...new Set(svg.replaceAll(/[\s\x20-\x7e]/g, ""))];
  if (letters.length === 0) return undefined;
  const font = await readFile(fontPath(faces.normal)).catch(() => undefined);
  const has = font === undefined ? () => true : lettersOf(font);
  const missing = letters.filter((letter) => !has(letter.codePointAt(0)!));
  if (missing.length === 0) return undefined;
  const shown = `${missing.slice(0, mostShown).join("")}${missing.length > mostShown ? " ..." : ""}`;
  return `${counted(missing.length, "character")} that ${family} lacks ${missing.length === 1 ? "is drawn as an empty box" : "are drawn as empty boxes"} (${shown}); an SVG file uses the reader's fonts`;
}

const { resolve } = createRequire(import.meta.url);
const fontPath = (face: string) => resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`);

/** Returns the pixels of 1/96 inch of the picture. */
export function pictureSize(svg: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /^<svg [^>]*? width="([\d.]+(?:pt)?)" height="([\d.]+(?:pt)?)"/.exec(svg)!;
  const pixels = (text: string) => Number.parseFloat(text) * (text.endsWith("pt") ? 96 / 72 : 1);
  return { width: pixels(width!), height: pixels(height!) };
}

let converter: Promise<typeof import("@resvg/resvg-wasm")> | undefined;

async function loadConverter(): Promise<typeof import("@resvg/resvg-wasm")> {
  const loaded = await import("@resvg/resvg-wasm");
  await loaded.initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return loaded;
}

async function png(svg: string, dotsPerInch: number): Promise<Uint8Array> {
  const fontBuffers = await Promise.all(Object.values(faces).map((face) => readFile(fontPath(face))));
  const { Resvg } = await (converter ??= loadConverter());
  const { width, height } = pictureSize(svg);
  const dots = Math.round((width / 96) * dotsPerInch);
  if (dots * dots * (height / width) > mostDots)
    throw new Problem("tool", "The figure is too large for a PNG file; export it as PDF or SVG");
  const font = { fontBuffers, defaultFontFamily: family, monospaceFamily: family };
  const picture = new Resvg(svg, { font, fitTo: { mode: "width", value: dots } });
  try {
    return withDensity(picture.render().asPng(), dotsPerInch);
  } finally {
    picture.free();
  }
}

/** Adds the size in print (chunk `pHYs`) after the header, which always has 33 bytes. */
function withDensity(bytes: Uint8Array, dotsPerInch: number): Uint8Array {
  const chunk = Buffer.alloc(21);
  chunk.writeUInt32BE(9, 0);
  chunk.write("pHYs", 4, "latin1");
  const perMetre = Math.round(dotsPerInch / 0.0254);
  chunk.writeUInt32BE(perMetre, 8);
  chunk.writeUInt32BE(perMetre, 12);
  chunk.writeUInt8(1, 16);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17);
  return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]);
}

async function pdf(svg: string): Promise<Uint8Array> {
  const fonts = Object.entries(faces).map(([name, face]) => [name, fontPath(face)] as const);
  const [{ default: Document }, { default: drawSvg }] = await Promise.all([import("pdfkit"), import("svg-to-pdfkit")]);
  const { width, height } = pictureSize(svg);
  const size: [number, number] = [width * 0.75, height * 0.75];
  // A date of its own in each file would make equal figures differ.
  const document = new Document({ size, margin: 0, info: { CreationDate: new Date(0) }, font: fonts[0]![1] });
  const parts: Uint8Array[] = [];
  const ended = new Promise<void>((resolved, rejected) => {
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolved());
    document.on("error", rejected);
  });
  for (const [name, path] of fonts) document.registerFont(name, path);
  drawSvg(document, svg, 0, 0, {
    width: size[0],
    height: size[1],
    fontCallback: (_family: string, bold: boolean, italic: boolean) => (bold ? "bold" : italic ? "italic" : "normal"),
  });
  document.end();
  await ended;
  return Buffer.concat(parts);
}
