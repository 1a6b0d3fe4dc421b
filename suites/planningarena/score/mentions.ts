/** Which apps a plan names. Scans each line once: model text may be long and hostile. */

/** App names in texts such as "Tap on the X app icon to open it" and "open the X app". */
export function appMentions(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split(/[\n\r\u2028\u2029]/)) found.push(...tapped(line), ...opened(line));
  return found;
}

/** `/\btap(?:ping)? on the (.+?)(?: app)? icon to open it/i`, every match. */
function tapped(line: string): string[] {
  const lower = asciiLower(line);
  const ending = " icon to open it";
  const start = /(?<![a-z0-9_])tap(?:ping)? on the /g;
  const found: string[] = [];
  for (let match = start.exec(lower); match !== null; match = start.exec(lower)) {
    const from = start.lastIndex;
    const to = lower.indexOf(ending, from + 1);
    if (to < 0) break;
    const shorter = to - " app".length;
    found.push(line.slice(from, shorter > from && lower.startsWith(" app", shorter) ? shorter : to));
    start.lastIndex = to + ending.length;
  }
  return found;
}

/** `/\bopen the (.+?) app\b/i`, every match. */
function opened(line: string): string[] {
  const lower = asciiLower(line);
  const start = /(?<![a-z0-9_])open the /g;
  const ending = / app(?![a-z0-9_])/g;
  const found: string[] = [];
  for (let match = start.exec(lower); match !== null; match = start.exec(lower)) {
    const from = start.lastIndex;
    ending.lastIndex = from + 1;
    const end = ending.exec(lower);
    if (end === null) break;
    found.push(line.slice(from, end.index));
    start.lastIndex = ending.lastIndex;
  }
  return found;
}

/** Lower case of A to Z only: the length stays, so positions in one text hold in the other. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** An app's name without what people write around it: quotes, capitals, a final "app". */
export function appName(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const name = unquoted(plain).toLowerCase();
  return name.endsWith(" app") ? name.slice(0, -" app".length).trim() : name;
}

const quotes = "'\"‘’“”`";

function unquoted(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && quotes.includes(text[from]!)) from += 1;
  while (to > from && quotes.includes(text[to - 1]!)) to -= 1;
  return text.slice(from, to).trim();
}
