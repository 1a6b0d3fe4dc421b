/** Finds the apps that a plan names. Scans each line once, because model text may be long and hostile. */
import { stripOf } from "../../../source/engine/python/text.ts";

/** Returns app names in texts such as "Tap on the X app icon to open it" and "open the X app". */
export function appMentions(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split(/[\n\r\u2028\u2029]/)) found.push(...tapped(line), ...opened(line));
  return found;
}

/** Returns every match of `/\btap(?:ping)? on the (.+?)(?: app)? icon to open it/i`. */
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

/** Returns every match of `/\bopen the (.+?) app\b/i`. */
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

/** Converts only A to Z to lower case, which keeps the length, so that positions are valid in both texts. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Normalizes an app's name: no quotes, lower case, no final "app". */
export function appName(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const name = stripOf(plain, quotes).trim().toLowerCase();
  return name.endsWith(" app") ? name.slice(0, -" app".length).trim() : name;
}

const quotes = "'\"‘’“”`";
