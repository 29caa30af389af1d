import { allDialects, createAgentWith, outgoingContracts as fromAgent } from "@turnkit/agent";
import { allowOnce, connectWith, outgoingContracts as fromClient } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { only } from "../kit/only.js";
import { type PictureOfTree, pictureOfTree } from "../story/picture.js";
import type { Story } from "../story/stories.js";
import { isSession } from "../story/tell.js";
import { Bridge } from "./bridge.js";

/** Result of a story on both sides of a bridge. */
export type ToldBridged = { readonly picture: PictureOfTree; readonly losses: ReadonlySet<string> };

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
  const acted = await story.act(session, client);
  const picture = pictureOfTree(isSession(acted) ? acted : session);
  await client.close();
  await served.closed;
  return { picture, losses };
}
