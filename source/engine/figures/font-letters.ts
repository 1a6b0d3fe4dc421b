/** The letters of a TrueType font, by its table `cmap` (OpenType specification 1.9, formats 4 and 12). */

/** Returns whether the font has a glyph for a character, by its code point. Reads no tables in other formats. */
export function lettersOf(font: Buffer): (character: number) => boolean {
  const at = tableAt(font, "cmap");
  const tables = Array.from(
    { length: font.readUInt16BE(at + 2) },
    (_, index) => at + font.readUInt32BE(at + 8 + 8 * index),
  );
  const ranges = tables.flatMap((table) => {
    const format = font.readUInt16BE(table);
    return format === 12 ? groupsAt(font, table) : format === 4 ? segmentsAt(font, table) : [];
  });
  return (character) =>
    ranges.some(({ first, last, has }) => first <= character && character <= last && has(character));
}

type Range = { readonly first: number; readonly last: number; readonly has: (character: number) => boolean };

function tableAt(font: Buffer, name: string): number {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + 16 * index;
    if (font.toString("latin1", record, record + 4) === name) return font.readUInt32BE(record + 8);
  }
  throw new Error(`Expected a font with the table ${name}`);
}

/** Every character of a group has a glyph. */
function groupsAt(font: Buffer, table: number): readonly Range[] {
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const group = table + 16 + 12 * index;
    return { first: font.readUInt32BE(group), last: font.readUInt32BE(group + 4), has: () => true };
  });
}

/** Reads segments: a character of a segment has the glyph of its number plus a constant, or of a list; glyph 0 means no glyph. */
function segmentsAt(font: Buffer, table: number): readonly Range[] {
  const twice = font.readUInt16BE(table + 6);
  return Array.from({ length: twice / 2 }, (_, index) => {
    const end = table + 14 + 2 * index;
    const [start, delta, offset] = [end + 2 + twice, end + 2 + 2 * twice, end + 2 + 3 * twice];
    const first = font.readUInt16BE(start);
    const listed = font.readUInt16BE(offset);
    const glyphOf = (character: number) =>
      listed === 0
        ? (character + font.readUInt16BE(delta)) % 65_536
        : font.readUInt16BE(offset + listed + 2 * (character - first));
    return { first, last: font.readUInt16BE(end), has: (character) => glyphOf(character) !== 0 };
  });
}
