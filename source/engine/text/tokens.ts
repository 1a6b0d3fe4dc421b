/** Token estimates, for forecasts and for servers that report no usage; always shown as estimates. */

/**
 * Counts about four characters a token for alphabetic scripts and one for Chinese, Japanese and Korean characters. Within about
 * a third of the counts of common tokenizers.
 */
export function tokensOf(text: string): number {
  // Growing replies are counted with every frame, and most have no such character.
  if (!wideSign.test(text)) return Math.ceil(text.length / 4);
  let wide = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x2e80 && code <= 0xffef && (code < 0xd800 || code > 0xdfff)) wide += 1;
  }
  return Math.ceil((text.length - wide) / 4) + wide;
}

const wideSign = /[\u2e80-\ud7ff\ue000-\uffef]/;
