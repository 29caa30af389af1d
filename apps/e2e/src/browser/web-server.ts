import { fileURLToPath } from "node:url";
import type { Agent } from "@turnkit/agent";
import { createGateway, type Gateway, type GatewayOptions, type Principal } from "@turnkit/gateway";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken } from "@turnkit/remote/server";
import { createMemoryPair } from "@turnkit/transport/channels";
import { pageFolder, pageHeaders } from "@turnkit/web";
import { build, type Rolldown } from "vite";
import { onTestFinished } from "vitest";

type Files = ReadonlyMap<string, string | Uint8Array>;

let built: Promise<Files> | undefined;

/** Builds the page from the sources, once, without writing it. */
async function buildPage(): Promise<Files> {
  const root = fileURLToPath(new URL("../", pageFolder));
  // The environment of a test would make a page for developers.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    const { output } = (await build({ root, logLevel: "error", build: { write: false } })) as Rolldown.RolldownOutput;
    return new Map(output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}

const types: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

/** The page of turnkit with its gateway. */
export type ServedWeb = {
  /** Returns an address that logs one browser in, once. */
  readonly invite: (name: string, role?: Principal["role"]) => string;
  readonly url: string;
  /** Group `team` has the sessions of the page. */
  readonly gateway: Gateway;
};

/** State that outlives a restart of the server. */
export type Kept = Pick<GatewayOptions, "log"> & { readonly cookies?: Map<string, string> };

/** Serves the built page, its login and a gateway of an agent on one port, until the end of the test. */
export async function serveWeb(agent: Agent, kept?: Kept): Promise<ServedWeb> {
  const { close, ...served } = await startWeb(agent, kept);
  onTestFinished(close);
  return served;
}

/** Serves the built page, its login and a gateway of an agent on one port, until `close` is called. */
export async function startWeb(
  agent: Agent,
  { log, cookies = new Map() }: Kept = {},
): Promise<ServedWeb & { readonly close: () => Promise<void> }> {
  built ??= buildPage();
  const files = await built;
  const tokens = new Map<string, string>();
  const roles = new Map<string, Principal["role"]>();
  const gateway = createGateway({
    agent() {
      const [ours, theirs] = createMemoryPair();
      agent.serve(theirs);
      return ours;
    },
    log,
  });
  const userOf = ({ headers }: Request) => cookies.get(/turnkit=(\w+)/.exec(headers.get("Cookie") ?? "")?.[1] ?? "");
  const server = createRemoteServer({
    authorize(request) {
      const name = userOf(request);
      return name === undefined ? undefined : { id: name, name, group: "team", role: roles.get(name) };
    },
    open: (principal) => gateway.open(principal),
  });
  const login = (request: Request): Response => {
    const token = [...tokens.keys()].find((one) => hasToken(request, one));
    if (token === undefined) return new Response(null, { status: 401 });
    const cookie = `c${cookies.size}${token}`;
    cookies.set(cookie, tokens.get(token) ?? "");
    tokens.delete(token);
    return new Response(null, {
      status: 204,
      headers: { "Set-Cookie": `turnkit=${cookie}; HttpOnly; SameSite=Strict` },
    });
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/acp") return server.fetch(request);
    if (pathname === "/login") return login(request);
    if (pathname === "/settings.json") {
      if (userOf(request) === undefined) return new Response(null, { status: 204 });
      return Response.json({ folder: "/work" });
    }
    if (pathname === "/files.json") {
      const files = searchParams.get("folder") === "/work" ? ["src/cart.ts", "src/my cart.ts", "README.md"] : null;
      return Response.json({ files });
    }
    const name = pathname === "/" ? "/index.html" : pathname;
    const file = files.get(name);
    if (file === undefined) return new Response("There is nothing.", { status: 404 });
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return new Response(file as BodyInit, { headers: { "Content-Type": type, ...pageHeaders } });
  };
  const port = await listen(
    { fetch: answer, upgrade: (request) => server.upgrade(request), close: () => server.close() },
    { port: 0, limits: { closeMs: 500 } },
  );
  const url = `http://127.0.0.1:${port.port}/`;
  return {
    url,
    gateway,
    async close() {
      await port.close();
      await gateway.close();
    },
    invite(name, role) {
      roles.set(name, role);
      const token = `t${tokens.size}${cookies.size}${name}`;
      tokens.set(token, name);
      return `${url}#token=${token}`;
    },
  };
}
