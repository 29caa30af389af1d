import { PassThrough } from "node:stream";
import {
  type AgentConnection,
  type AgentHandlers,
  createAgent,
  outgoingContracts as fromAgent,
  type ServeOptions,
} from "@turnkit/agent";
import { allowOnce, connectWith, outgoingContracts as fromClient, type Session } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";
import type { Channel, Message } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { createStdioChannel } from "@turnkit/transport/node";
import { only } from "../kit/only.js";
import { remoteTransports } from "../remote/transports.js";
import { type PictureOfTree, pictureOfTree } from "./picture.js";
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

/** Dialect of a story. A `v1 without opt-ins` client knows neither child sessions nor several plans. */
export type StoryDialect = DialectName | "v1 without opt-ins";

/** Result of a story. */
export type Told = {
  readonly picture: PictureOfTree;
  readonly losses: ReadonlySet<string>;
  readonly dialect: DialectName;
};

/** Tells a story in one dialect over one transport. */
export async function tell(story: Story, dialect: StoryDialect, transport: string): Promise<Told> {
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
  const channel = await (transports[transport] as Transport)(serve);
  const isOlder = dialect === "v1 without opt-ins";
  const client = await connectWith(only(isOlder ? "v1" : dialect), isOlder ? withoutOptIns(channel) : channel, {
    info: { name: "reader", version: "1.0.0" },
    validateOutgoing: fromClient,
    permissions: allowOnce,
  });
  const session = await client.newSession({ cwd: "/srv" });
  const acted = await story.act(session, client);
  const picture = pictureOfTree(isSession(acted) ? acted : session);
  const spoken = client.peer.dialect;
  await client.close();
  await served[0]?.closed;
  return { picture, losses, dialect: spoken };
}

/** Returns `true` for a session, which a story may return in place of the end of a turn. */
export const isSession = (value: unknown): value is Session =>
  typeof value === "object" && value !== null && "children" in value;

/** Channel of a client that does not offer child sessions and several plans in version 1. */
function withoutOptIns(channel: Channel): Channel {
  const send = (message: Message) => {
    const { method, params } = message as { readonly method?: string; readonly params?: unknown };
    if (method !== "initialize") return channel.send(message);
    const { subagents: _, plan: __, ...clientCapabilities } = (params as Hello).clientCapabilities;
    return channel.send({ ...message, params: { ...(params as Hello), clientCapabilities } } as Message);
  };
  return new Proxy(channel, {
    get(target, name) {
      if (name === "send") return send;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

type Hello = { readonly clientCapabilities: { readonly subagents?: object; readonly plan?: object } };
