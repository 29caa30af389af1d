import { spawnSync } from "node:child_process";
import { describe } from "vitest";
import { createFolder } from "../interop/folder.js";
import { type RunningProgram, startProgram } from "../interop/running-program.js";

const isInstalled = spawnSync("nats-server", ["--version"]).error === undefined;

/** Declares tests that need a server of NATS. Without one, they are skipped, and the title has the reason. */
export const describeWithNats = (title: string, tests: () => void): void => {
  if (isInstalled) describe(title, tests);
  else describe.skip(`${title} (nats-server is not installed)`, tests);
};

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
