import { type Agent, type AgentSession, createAgent } from "@turnkit/agent";

/** An agent whose work goes on without its client, and what it has said so far. */
export type LongWork = {
  readonly agent: Agent;
  readonly said: readonly string[];
  /** Number of prompts that the agent got. */
  readonly prompts: () => number;
  /** Lets the work end. */
  finish(): void;
};

/**
 * Creates an agent that stores the work itself. A restored session gets the text so far, and then the rest while the work
 * goes on.
 */
export function createLongWork(): LongWork {
  const said: string[] = [];
  let viewer: AgentSession | undefined;
  let prompts = 0;
  let finish = () => {};
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const show = (session: AgentSession, text: string) =>
    session.emit({ type: "agent_message_chunk", messageId: "m-1", content: { type: "text", text } });

  const work = async (): Promise<void> => {
    const beat = setInterval(() => {
      said.push(`${said.length} `);
      if (viewer !== undefined) void show(viewer, said.at(-1) as string);
    }, 20);
    await end;
    clearInterval(beat);
  };

  const agent = createAgent({
    info: { name: "long-work", version: "1.0.0" },
    newSession: () => {},
    async prompt({ session, signal }) {
      prompts += 1;
      viewer = session;
      signal.addEventListener("abort", () => {
        if (viewer === session) viewer = undefined;
      });
      await work();
    },
    restoreSession({ replay }, session) {
      viewer = session;
      if (replay) void show(session, said.join(""));
    },
  });
  return { agent, said, prompts: () => prompts, finish: () => finish() };
}
