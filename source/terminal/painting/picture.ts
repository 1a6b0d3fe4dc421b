/**
 * Shows pictures in terminals with the graphics protocol of kitty or the inline images of iTerm2. Pictures are written after the
 * text, which leaves their places blank.
 */

export type PictureProtocol = "kitty" | "iterm";

/** A PNG file, and its place within a box of lines. */
export type Picture = {
  readonly png: Uint8Array;
  readonly line: number;
  readonly column: number;
  readonly lines: number;
  readonly columns: number;
};

/** A picture at its place on the screen, counted from 0. */
export type PlacedPicture = Omit<Picture, "line" | "lines"> & { readonly row: number; readonly rows: number };

/** Limit of base64 in a command of kitty. */
const longestPiece = 4096;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the sequence that shows a picture and leaves the cursor at the corner of the picture. Of the file, it contains only
 * base64. Throws if the bytes are no PNG file.
 */
export function shownSequence(protocol: PictureProtocol, picture: PlacedPicture, id: number): string {
  const { png, row, column, columns, rows } = picture;
  if (!pngSignature.equals(png.subarray(0, pngSignature.length))) throw new Error("Expected the bytes of a PNG file");
  const data = Buffer.from(png.buffer, png.byteOffset, png.length).toString("base64");
  const corner = `\x1b[${row + 1};${column + 1}H`;
  if (protocol === "iterm") {
    const size = `size=${png.length};width=${columns};height=${rows}`;
    return `${corner}\x1b]1337;File=inline=1;${size};preserveAspectRatio=0;doNotMoveCursor=1:${data}\x07`;
  }
  const pieces = Math.ceil(data.length / longestPiece);
  return (
    corner +
    Array.from({ length: pieces }, (_, at) => {
      // Without `q=2` the terminal would answer, as if the answer had been typed.
      const about = at === 0 ? `a=T,f=100,q=2,C=1,i=${id},c=${columns},r=${rows},` : "";
      const piece = data.slice(at * longestPiece, (at + 1) * longestPiece);
      return `\x1b_G${about}m=${at < pieces - 1 ? 1 : 0};${piece}\x1b\\`;
    }).join("")
  );
}

/** Returns the sequence that removes a picture and its data; iTerm2 removes what text is written over. */
export const removedSequence = (protocol: PictureProtocol, id: number): string =>
  protocol === "kitty" ? `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\` : "";

/** Ids of a terminal are shared by all of its programs, and end at 32 bits. */
const idsOfProgram = 256;

/** The pictures that a terminal shows, and the sequences that lead to others. */
export class ShownPictures {
  readonly #protocol: PictureProtocol;
  readonly #shown = new Map<number, PlacedPicture>();
  #next = 0;

  constructor(protocol: PictureProtocol) {
    this.#protocol = protocol;
  }

  /**
   * Returns the sequences that remove pictures that are no longer shown, to be written before the text, and those that show the
   * others, to be written after it.
   */
  change(wanted: readonly PlacedPicture[]): { readonly removed: string; readonly added: string } {
    let removed = "";
    for (const [id, picture] of this.#shown)
      if (!wanted.some((each) => isSame(each, picture))) removed += this.#remove(id);
    const kept = [...this.#shown.values()];
    let added = "";
    for (const picture of wanted) {
      if (kept.some((each) => isSame(each, picture))) continue;
      const id = process.pid * idsOfProgram + (this.#next++ % idsOfProgram);
      this.#shown.set(id, picture);
      added += shownSequence(this.#protocol, picture, id);
    }
    return { removed, added };
  }

  #remove(id: number): string {
    this.#shown.delete(id);
    return removedSequence(this.#protocol, id);
  }
}

const isSame = (one: PlacedPicture, other: PlacedPicture): boolean =>
  one.png === other.png &&
  one.row === other.row &&
  one.column === other.column &&
  one.rows === other.rows &&
  one.columns === other.columns;
