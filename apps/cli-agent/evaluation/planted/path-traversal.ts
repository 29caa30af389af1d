import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const ROOT = join(import.meta.dirname, "public");
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript" };

export const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const name = pathname === "/" ? "index.html" : decodeURIComponent(pathname);
  try {
    const body = await readFile(join(ROOT, name));
    response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end("Not found");
  }
});
