import { PassThrough } from "node:stream";
import { type AgentHandlers, createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import type { Dialect, SessionState } from "@turnkit/session";
import { type Channel, createMemoryPair } from "@turnkit/transport";
import { createStdioChannel } from "@turnkit/transport/node";
import type { Story } from "./stories.js";

/** Ways to join the two sides. */
export const transports: Readonly<Record<string, () => [Channel, Channel]>> = {
  memory: createMemoryPair,
  stdio() {
    const [there, back] = [new PassThrough(), new PassThrough()];
    return [createStdioChannel({ input: there, output: back }), createStdioChannel({ input: back, output: there })];
  },
};

/** What a story left behind. */
export type Told = { readonly state: SessionState; readonly losses: ReadonlySet<string>; readonly dialect: Dialect };

/** Tells a story in one dialect over one transport. */
export async function tell(story: Story, dialect: Dialect, transport: string): Promise<Told> {
  const losses = new Set<string>();
  const [one, other] = (transports[transport] as () => [Channel, Channel])();
  const handlers: AgentHandlers = {
    info: { name: "story", version: "1.0.0" },
    newSession() {},
    prompt() {},
    ...story.agent,
  };
  const served = createAgent(handlers).serve(one, {
    validateOutgoing: true,
    onLoss: ({ id }) => losses.add(id),
  });
  const client = await connect(other, {
    info: { name: "reader", version: "1.0.0" },
    dialects: [dialect],
    validateOutgoing: true,
    permissions: ({ options }) => ({ select: options[0]?.optionId ?? "" }),
  });
  const session = await client.newSession({ cwd: "/srv" });
  await story.act(session, client);
  const { state } = session;
  const spoken = client.peer.dialect;
  await client.close();
  await served.closed;
  return { state, losses, dialect: spoken };
}
