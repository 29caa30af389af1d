import { createAgent } from "@turnkit/agent";
import {
  type Client,
  type ClientOptions,
  connectWith,
  type Dialect,
  seedDialect,
  v1Dialect,
  v2Dialect,
} from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, onTestFinished } from "vitest";
import { createGateway, type Diagnostic, type Gateway, type GatewayOptions, type Principal } from "../src/index.js";

export const dialects = { v1: v1Dialect, v2: v2Dialect, seed: seedDialect };

/** Name of a dialect, of a client or of an agent. */
export type DialectName = keyof typeof dialects;

const info = { name: "test", version: "1.0.0" };

type Handlers = Parameters<typeof createAgent>[0];

/** Channels of the agents that a gateway has opened, the newest last. */
export type Opened = { readonly gateway: Gateway; readonly agents: { close(): Promise<void> }[] };

/** Gateway in front of agents with these handlers. At the end of the test it is closed, and must have
 * reported nothing. */
export function gatewayOf(
  handlers: Partial<Handlers>,
  options: Partial<GatewayOptions> = {},
  serveWith: (handlers: Handlers) => ReturnType<typeof createAgent> = createAgent,
): Opened {
  const agent = serveWith({ info: { name: "agent", version: "1.0.0" }, prompt: () => undefined, ...handlers });
  const agents: Opened["agents"] = [];
  const faults: Diagnostic[] = [];
  const gateway = createGateway({
    agent: () => {
      const [ours, theirs] = createMemoryPair();
      agents.push(agent.serve(theirs));
      return ours;
    },
    onDiagnostic: (diagnostic) => faults.push(diagnostic),
    ...options,
  });
  onTestFinished(async () => {
    await gateway.close();
    if (options.onDiagnostic === undefined) expect(faults).toEqual([]);
  });
  return { gateway, agents };
}

/** Connects a client of one dialect for a principal. The end of the gateway ends it. */
export async function clientOf(
  gateway: Gateway,
  dialect: DialectName | Dialect = "v2",
  principal: Partial<Principal> = {},
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const channel = gateway.open({ id: "someone", group: "all", ...principal });
  const spoken = typeof dialect === "string" ? dialects[dialect] : dialect;
  return connectWith([spoken], channel, { info, permissions: () => "wait", ...options });
}

/** Attaches to a session with its history. */
export async function attach(client: Client, id: string) {
  const outcome = await client.restore(id, { cwd: "/work" });
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome.session;
}
