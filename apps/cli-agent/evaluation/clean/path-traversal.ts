import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const ROOT = join(import.meta.dirname, "public");
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript" };

export const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname === "/" ? "index.html" : decodeURIComponent(pathname);
    const path = resolve(ROOT, `.${sep}${name}`);
    if (!path.startsWith(ROOT + sep)) throw new Error("The path is outside of the public folder.");
    const body = await readFile(path);
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end("Not found");
  }
});
