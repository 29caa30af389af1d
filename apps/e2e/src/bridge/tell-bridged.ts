import { allDialects, createAgentWith, outgoingContracts as fromAgent } from "@turnkit/agent";
import { allowOnce, connectWith, outgoingContracts as fromClient } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import { createMemoryPair } from "@turnkit/transport/channels";
import { only } from "../kit/only.js";
import type { Story } from "../story/stories.js";
import { Bridge } from "./bridge.js";

/** Result of a story on both sides of a bridge. */
export type ToldBridged = { readonly state: SessionState; readonly losses: ReadonlySet<string> };

/** Tells a story between a client of one version and an agent of the other. */
export async function tellBridged(story: Story, clientSpeaks: "v1" | "v2"): Promise<ToldBridged> {
  const losses = new Set<string>();
  const [clientEnd, bridgeLeft] = createMemoryPair();
  const [bridgeRight, agentEnd] = createMemoryPair();
  const onLoss = ({ id }: { readonly id: string }) => void losses.add(id);
  const ofAgent = allDialects.filter(({ dialect }) => (clientSpeaks === "v1") !== (dialect === "v1"));
  const served = createAgentWith(ofAgent, {
    info: { name: "story", version: "1.0.0" },
    newSession() {},
    prompt() {},
    ...story.agent,
  }).serve(agentEnd, { validateOutgoing: fromAgent, onLoss });
  new Bridge(bridgeLeft, bridgeRight, { clientSpeaks, onLoss });
  const client = await connectWith(only(clientSpeaks), clientEnd, {
    info: { name: "reader", version: "1.0.0" },
    validateOutgoing: fromClient,
    permissions: allowOnce,
  });
  const session = await client.newSession({ cwd: "/srv" });
  await story.act(session, client);
  const { state } = session;
  await client.close();
  await served.closed;
  return { state, losses };
}
