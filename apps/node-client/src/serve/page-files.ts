import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { pageFolder, pageHeaders } from "@turnkit/web";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Folders that may contain the page: the folder of the packed program, and the folder of a build in this repository.
 */
const FOLDERS: readonly URL[] = [new URL("./page/", import.meta.url), pageFolder];

/**
 * Answers a request for a file of the page: `/`, or a name of letters, digits, `-`, `_` and dots, also in the folder
 * `assets`. Everything else is 404.
 */
// SHARE-13
export async function answerFile({ method, url }: Request, folders = FOLDERS): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") return text(405, "Only GET is allowed.");
  const { pathname } = new URL(url);
  const name = pathname === "/" ? "index.html" : pathname.slice(1);
  if (!/^(?:assets\/)?[\w-][\w.-]*$/.test(name)) return text(404, "Not found.");
  for (const folder of folders) {
    const file = await readFile(new URL(name, folder)).catch(() => undefined);
    if (file === undefined) continue;
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    // Names in `assets` have a hash of their content.
    const cache = name.startsWith("assets/") ? "max-age=31536000, immutable" : "no-cache";
    const headers = { ...pageHeaders, "Content-Type": type, "Cache-Control": cache };
    return new Response(method === "HEAD" ? null : new Uint8Array(file), { headers });
  }
  return text(404, pathname === "/" ? "The page was not built. Programs use /acp." : "Not found.");
}

const text = (status: number, sentence: string): Response =>
  new Response(`${sentence}\n`, { status, headers: { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" } });
