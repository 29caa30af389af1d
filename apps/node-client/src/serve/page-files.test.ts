import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { answerFile } from "./page-files.js";

const ask = (path: string, method = "GET") => answerFile(new Request(`http://127.0.0.1${path}`, { method }));

it.each([
  "/../package.json",
  "/assets/../../package.json",
  "/%2e%2e/package.json",
  "/.env",
  "/a/b",
  "//etc/passwd",
  "/assets/",
])("SHARE-13 %s is no file of the page", async (path) => {
  expect((await ask(path)).status).toBe(404);
});

it("SHARE-13 every answer has the policy of the page, and only GET is answered", async () => {
  const answer = await ask("/nothing.js");
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect((await ask("/", "POST")).status).toBe(405);
});

it("SHARE-13 files have their types, names with a hash stay in the browser, and HEAD has no body", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "assets"));
  for (const name of ["index.html", "assets/index-1a.js", "assets/page-2b.css", "assets/icon.svg", "assets/font.woff2"])
    await writeFile(join(folder, name), name);
  const folders = [pathToFileURL(`${join(folder, "missing")}/`), pathToFileURL(`${folder}/`)];
  const look = async (path: string, method = "GET") => {
    const answer = await answerFile(new Request(`http://127.0.0.1${path}`, { method }), folders);
    const { status, headers } = answer;
    return [status, headers.get("content-type"), headers.get("cache-control"), await answer.text()];
  };
  const kept = "max-age=31536000, immutable";
  expect(await look("/")).toEqual([200, "text/html; charset=utf-8", "no-cache", "index.html"]);
  expect(await look("/", "HEAD")).toEqual([200, "text/html; charset=utf-8", "no-cache", ""]);
  const rows = [
    ["/assets/index-1a.js", "text/javascript; charset=utf-8"],
    ["/assets/page-2b.css", "text/css; charset=utf-8"],
    ["/assets/icon.svg", "image/svg+xml"],
    ["/assets/font.woff2", "application/octet-stream"],
  ] as const;
  for (const [path, type] of rows) expect(await look(path)).toEqual([200, type, kept, path.slice(1)]);
});

it("SHARE-13 without a built page, the answer says what works", async () => {
  const answer = await answerFile(new Request("http://127.0.0.1/"), []);
  expect([answer.status, await answer.text()]).toEqual([404, "The page was not built. Programs use /acp.\n"]);
});
