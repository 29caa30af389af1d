import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "@nats-io/transport-node";

/** Starts a server with an empty folder, calls `work`, and ends the server. `open` returns a new connection. */
export async function withNatsServer<T>(work: (open: () => Promise<NatsConnection>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-bench-"));
  const server = spawn("nats-server", ["-a", "127.0.0.1", "-p", "-1", "-js", "-sd", folder]);
  try {
    const address = await addressOf(server);
    return await work(() => connect({ servers: `nats://${address}`, noAsyncTraces: true }));
  } finally {
    server.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.once("error", reject);
    server.stderr?.on("data", (part: Buffer) => {
      log += part.toString();
      const address = /Listening for client connections on (\S+)/.exec(log)?.[1];
      if (address !== undefined && log.includes("Server is ready")) resolve(address);
    });
  });
}
