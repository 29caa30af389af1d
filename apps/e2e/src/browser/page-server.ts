import { fileURLToPath } from "node:url";
import { type ListenOptions, listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken, type ServedAgent } from "@turnkit/remote/server";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/** Token of the page in `page.ts`. */
export const token = "a-token-of-the-page";

/** Allows the scripts and connections of the page's own origin, and nothing else. */
const policy = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join("; ");

const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>An agent in a page</title>
  <div id="lines"></div>
  <p>Connection: <output id="status"></output>. Last turn: <output id="end"></output>.</p>
  <form id="form"><input id="prompt" aria-label="Prompt" disabled /> <button>Send</button></form>
  <button id="cancel">Cancel</button>
  <script type="module" src="/page.js"></script>
</html>`;

let bundle: Promise<string> | undefined;

/** Bundles the page for a browser, once. The bundle has the sources of the packages. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    write: false,
    conditions: ["@turnkit/source"],
  });
  return outputFiles[0]?.text ?? "";
}

type PageOptions = ListenOptions & {
  /** Called for each request to the agent, also for upgrades. */
  readonly onRequest?: (request: Request) => void;
};

/** Serves the page at `/` and an agent at `/acp` on one port, until the end of the test. Returns the port. */
export async function servePage(agent: ServedAgent, { onRequest, ...options }: PageOptions = {}): Promise<number> {
  bundle ??= bundlePage();
  const script = await bundle;
  const server = createRemoteServer({
    agent,
    authorize(request) {
      onRequest?.(request);
      return hasToken(request, token) ? { id: "owner" } : undefined;
    },
  });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    "/": ["text/html", html],
    "/page.js": ["text/javascript", script],
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [type, text] = files[pathname] ?? [];
    if (pathname === "/acp") return server.fetch(request);
    if (type === undefined) return new Response("There is nothing.", { status: 404 });
    const headers = { "Content-Type": type, "Content-Security-Policy": policy, "Set-Cookie": "node=seven; HttpOnly" };
    return new Response(text, { headers });
  };
  const { port, close } = await listen(
    { fetch: answer, upgrade: (request) => server.upgrade(request), close: () => server.close() },
    { ...options, limits: { closeMs: 500, ...options.limits } },
  );
  onTestFinished(close);
  return port;
}
