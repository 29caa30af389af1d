import * as v1 from "@turnkit/schema/v1/unstable";
import * as v2 from "@turnkit/schema/v2/unstable";
import { type Connection, type Contract, createConnection, createRoutes, type Handlers } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";
import { RawClient } from "./raw-client.js";

/** Contracts with the unstable methods, which are spread over the stable ones. */
export const versions: [string, Contract][] = [
  ["version 1", { ...v1.contract, ...v1.unstableContract, ...v1.proxyContract }],
  ["version 2", { ...v2.contract, ...v2.unstableContract, ...v2.proxyContract }],
];

/** An agent of somebody's own, by handlers of a merged contract. */
export function serveContract(contract: Contract, handlers: Handlers): { connection: Connection; client: RawClient } {
  const [channel, end] = createMemoryPair();
  const route = createRoutes(contract, "agent", handlers);
  const connection = createConnection(channel, { route, validateOutgoing: () => contract });
  onTestFinished(() => connection.close());
  return { connection, client: new RawClient(end) };
}
