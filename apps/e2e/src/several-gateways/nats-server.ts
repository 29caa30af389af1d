import { spawnSync } from "node:child_process";
import { checkServerVersion } from "@turnkit/gateway/jetstream";
import { describe } from "vitest";
import { createFolder } from "../interop/folder.js";
import { type RunningProgram, startProgram } from "../interop/running-program.js";

const found = spawnSync("nats-server", ["--version"], { encoding: "utf8" });
const version = /v(\d+\.\d+\.\d+)/.exec(found.stdout ?? "")?.[1];
const missing = found.error === undefined ? undefined : "nats-server is not installed";

const unless = (reason: string | undefined, title: string, tests: () => void): void => {
  if (reason === undefined) describe(title, tests);
  else describe.skip(`${title} (${reason})`, tests);
};

/** Declares tests that need a server of NATS. Without one, they are skipped, and the title has the reason. */
export const describeWithNats = (title: string, tests: () => void): void => unless(missing, title, tests);

const old = oldServer();

/** Returns the reason why no cluster of this server is trusted, or `undefined`. */
function oldServer(): string | undefined {
  try {
    checkServerVersion(version, 3);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Declares tests that need a cluster of NATS. Without servers that are new enough, they are skipped too. */
export const describeWithCluster = (title: string, tests: () => void): void => unless(missing ?? old, title, tests);

/**
 * Starts a server of NATS on a free port until the end of the test. Returns its address, for example `127.0.0.1:4222`.
 */
export async function startNats(
  ...args: readonly string[]
): Promise<{ readonly address: string; readonly server: RunningProgram }> {
  const folder = await createFolder();
  const server = startProgram(["nats-server", "-a", "127.0.0.1", "-p", "-1", "-sd", folder, ...args], { cwd: folder });
  await server.printed("Server is ready", "stderr");
  return { address: /Listening for client connections on (\S+)/.exec(server.output.stderr)?.[1] ?? "", server };
}
