import { listen } from "@turnkit/remote/node";
import { createRemoteServer, readToken } from "@turnkit/remote/server";
import { createMemoryPair } from "@turnkit/transport/channels";
import { ScriptedSide } from "../rem-table/scripted-side.js";

/** Principals by token. */
const principals: Readonly<Record<string, string>> = { "token-ann": "ann", "token-bob": "bob" };

/** Bounds of a server under siege, in milliseconds: short ones for tests, or the defaults. */
export type SiegeTimes = { readonly headerMs: number; readonly bodyMs: number };

/** Returns the size of everything that lives in this process: objects, buffers, and what Node keeps for HTTP/2. */
export function liveMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Starts a server with tokens, one listed origin and one host. Returns its port. */
export async function startSiegeServer({ headerMs, bodyMs }: SiegeTimes) {
  const server = createRemoteServer({
    open: () => {
      const [near, far] = createMemoryPair();
      new ScriptedSide(far);
      return near;
    },
    authorize: async (request) => {
      const token = readToken(request) ?? "";
      if (token === "slow") await new Promise((resolve) => setTimeout(resolve, bodyMs / 2));
      const id = principals[token];
      return id === undefined ? undefined : { id };
    },
    hosts: ["agents.example"],
    origins: ["https://app.example"],
    limits: { bodyMs },
    graceMs: 5_000,
  });
  return listen(server, { path: "/acp", limits: { headerMs, closeMs: 100 } });
}
