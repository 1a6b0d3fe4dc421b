/**
 * `npm run check`: opens every page of the built site in Chromium, and ends with status 1 if a link or a picture leads nowhere, if
 * axe-core finds a violation, if a page asks another host, or if search and menu cannot be used with the keyboard alone.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import axe from "axe-core";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

const folder = join(import.meta.dirname, "dist");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Serves the folder on loopback; a file that is missing is 404. */
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
  const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
  const isThere = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  response.writeHead(isThere ? 200 : 404, { "content-type": types[extname(file)] ?? "application/octet-stream" });
  response.end(isThere ? readFileSync(file) : "");
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const faults: string[] = [];
const browser = await puppeteer.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && name !== "404.html")
    .map((name) => `/${name}`)
    .toSorted();
  const anchors = new Map<string, ReadonlySet<string>>();
  const links: { readonly from: string; readonly to: string }[] = [];
  // Each page waits until nothing is loaded any more, so several are opened at once.
  const waiting = pages.values();
  const inTurn = async () => {
    for (const page of waiting) await checkPage(page, anchors, links);
  };
  await Promise.all(Array.from({ length: 6 }, inTurn));
  for (const { from, to } of links) {
    const { pathname, hash } = new URL(to);
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const known = anchors.get(path);
    const file = statSync(join(folder, decodeURIComponent(path)), { throwIfNoEntry: false });
    if (file?.isFile() !== true) faults.push(`${from}: ${pathname} leads nowhere`);
    else if (hash !== "" && known?.has(decodeURIComponent(hash.slice(1))) === false)
      faults.push(`${from}: ${pathname}${hash} has no such place`);
  }
  await checkKeyboard(browser);
  console.log(`${pages.length} pages, ${links.length} links: ${faults.length === 0 ? "nothing to mend" : "to mend"}`);
} finally {
  await browser.close();
  server.close();
}
for (const fault of new Set(faults)) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

async function opened(page: Page, path: string, theme = "light"): Promise<void> {
  await page.evaluateOnNewDocument((name) => localStorage.setItem("vitepress-theme-appearance", name), theme);
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
      faults.push(`${path}: asks ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${path}: ${response.url().slice(address.length)} is missing`);
  });
  await page.goto(`${address}${path}`, { waitUntil: "networkidle0" });
}

async function checkPage(
  path: string,
  anchors: Map<string, ReadonlySet<string>>,
  links: { readonly from: string; readonly to: string }[],
): Promise<void> {
  for (const theme of ["light", "dark"]) {
    const page = await browser.newPage();
    await opened(page, path, theme);
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    for (const { id, help, nodes } of violations)
      faults.push(`${path} (${theme}): ${id}: ${help}: ${String(nodes[0]?.target)} and ${nodes.length - 1} more`);
    const ids = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
    anchors.set(path, new Set(ids));
    const found = await page.$$eval("a[href]", (all) => all.map((each) => (each as HTMLAnchorElement).href));
    links.push(...found.filter((to) => to.startsWith(address)).map((to) => ({ from: path, to })));
    await page.close();
  }
}

/** Opens the search, types, follows the first result; then reaches a link of the menu by Tab. */
async function checkKeyboard(chromium: Browser): Promise<void> {
  const page = await chromium.newPage();
  await opened(page, "/index.html");
  await page.keyboard.press("/");
  await page.waitForSelector("#localsearch-input");
  await page.keyboard.type("rubric");
  await page.waitForSelector(".VPLocalSearchBox .result");
  await page.keyboard.press("Enter");
  await page.waitForFunction("location.pathname !== '/index.html'");
  await page.goto(`${address}/index.html`, { waitUntil: "networkidle0" });
  const isInMenu = () => page.evaluate("document.activeElement?.closest('.VPSidebar a') !== null");
  for (let presses = 0; presses < 60 && (await isInMenu()) !== true; presses++) await page.keyboard.press("Tab");
  if ((await isInMenu()) !== true) faults.push("/index.html: the menu cannot be reached by Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction("location.pathname !== '/index.html'");
}
