import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { ProgramStreams } from "./program.js";
import { serveSessions } from "./serve/serve-sessions.js";

const pagePackage = fileURLToPath(new URL("../../web/package.json", import.meta.url));

/** Agent of the demo, and the folder in which it works. */
export type DemoAgent = { readonly command: readonly [string, ...string[]]; readonly directory: string };

/** Builds the page, then serves the agent of the demo with it. Nothing is stored outside of the agent's folder. */
export async function serveDemo({ command, directory }: DemoAgent, streams: ProgramStreams): Promise<number> {
  streams.stderr.write("turnkit demo: building the page …\n");
  const vite = createRequire(pagePackage).resolve("vite/package.json");
  const pageFolder = join(directory, ".page");
  const build = [join(dirname(vite), "bin/vite.js"), "build", "--logLevel", "error", "--outDir", pageFolder];
  await promisify(execFile)(process.execPath, build, { cwd: dirname(pagePackage) });
  const env = { ...streams.env, XDG_STATE_HOME: join(directory, ".state") };
  const place = { host: "127.0.0.1", port: 0, cwd: directory };
  return serveSessions(
    { kind: "serve", ...place, command, dialects: ["v1", "v2", "seed"], mcp: [] },
    { ...streams, env },
    pathToFileURL(`${pageFolder}/`),
  );
}
