import { PassThrough } from "node:stream";
import {
  type AgentConnection,
  type AgentHandlers,
  createAgent,
  outgoingContracts as fromAgent,
  type ServeOptions,
} from "@turnkit/agent";
import { allowOnce, connectWith, outgoingContracts as fromClient } from "@turnkit/client";
import type { DialectName, SessionState } from "@turnkit/session";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { createStdioChannel } from "@turnkit/transport/node";
import { only } from "../kit/only.js";
import { remoteTransports } from "../remote/transports.js";
import type { Story } from "./stories.js";

/** Joins the two sides: has the agent served on one channel, and gives the client's. */
type Transport = (serve: (channel: Channel) => AgentConnection) => Channel | Promise<Channel>;

/** Ways to join the two sides. */
export const transports: Readonly<Record<string, Transport>> = {
  memory(serve) {
    const [one, other] = createMemoryPair();
    serve(one);
    return other;
  },
  stdio(serve) {
    const [there, back] = [new PassThrough(), new PassThrough()];
    serve(createStdioChannel({ input: there, output: back }));
    return createStdioChannel({ input: back, output: there });
  },
  ...remoteTransports,
};

/** Result of a story. */
export type Told = {
  readonly state: SessionState;
  readonly losses: ReadonlySet<string>;
  readonly dialect: DialectName;
};

/** Tells a story in one dialect over one transport. */
export async function tell(story: Story, dialect: DialectName, transport: string): Promise<Told> {
  const losses = new Set<string>();
  const handlers: AgentHandlers = {
    info: { name: "story", version: "1.0.0" },
    newSession() {},
    prompt() {},
    ...story.agent,
  };
  const options: ServeOptions = { validateOutgoing: fromAgent, onLoss: ({ id }) => losses.add(id) };
  const served: AgentConnection[] = [];
  const serve = (channel: Channel) => {
    const one = createAgent(handlers).serve(channel, options);
    served.push(one);
    return one;
  };
  const client = await connectWith(only(dialect), await (transports[transport] as Transport)(serve), {
    info: { name: "reader", version: "1.0.0" },
    validateOutgoing: fromClient,
    permissions: allowOnce,
  });
  const session = await client.newSession({ cwd: "/srv" });
  await story.act(session, client);
  const { state } = session;
  const spoken = client.peer.dialect;
  await client.close();
  await served[0]?.closed;
  return { state, losses, dialect: spoken };
}
