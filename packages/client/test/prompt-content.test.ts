import { describe, expect, test } from "vitest";
import type { ContentBlock } from "../src/index.js";
import { NOW, openDraftSession, SESSION } from "./draft-agent.js";
import { openSession, settle } from "./raw-agent.js";

const text = { type: "text", text: "look" } as const;
const link = { type: "resource_link", uri: "file:///work/a.ts", name: "a.ts" } as const;
const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;
const resource = { type: "resource", resource: { uri: "file:///work/a.ts", text: "a" } } as const;
const all: readonly ContentBlock[] = [text, link, image, audio, resource];

/** A session with an agent that takes these kinds of blocks in prompts. */
const versions = [
  ["version 1", (takes: object = {}) => openSession({}, { agentCapabilities: { promptCapabilities: takes } })],
  [
    "version 2",
    (takes: object = {}) => {
      const prompt = Object.fromEntries(Object.keys(takes).map((name) => [name, {}]));
      return openDraftSession({ ...NOW, capabilities: { session: { ...SESSION, prompt } } });
    },
  ],
] as const;

describe.each(versions)("content, in %s", (_, openOne) => {
  test.each([
    ["image", image],
    ["audio", audio],
    ["embeddedContext", resource],
  ])(
    "%s gates its blocks in prompts: they are sent to agents that take them, and to no others (V2-CON-03, V1-PROMPT-03)",
    async (gate, block) => {
      const capable = await openOne({ [gate]: true });
      void capable.session.prompt([text, block]);
      expect((await capable.agent.call("session/prompt")).params.prompt).toEqual([text, block]);

      const others = { image: true, audio: true, embeddedContext: true, [gate]: undefined };
      const { agent, session } = await openOne(JSON.parse(JSON.stringify(others)));
      expect(() => session.prompt([text, block])).toThrow(`raw-agent takes no ${block.type} blocks`);
      await settle(agent);
      expect(agent.count("session/prompt")).toBe(0);
      expect(session.state.timeline).toHaveLength(0);
    },
  );

  test("text and links are taken by every agent (V2-CON-03)", async () => {
    const { agent, session } = await openOne();
    void session.prompt([text, link]);
    expect((await agent.call("session/prompt")).params.prompt).toEqual([text, link]);
  });

  test("of any kind may come from an agent that takes none of it, and is kept as it came (V1-CONT-07)", async () => {
    const { agent, session } = await openOne();
    const odd = { type: "_hologram", data: [1] };
    const content = [...all, { ...image, uri: "https://example.org/i.png", annotations: { audience: ["user"] } }, odd];
    for (const block of content)
      agent.update("s-1", { sessionUpdate: "agent_message_chunk", messageId: "m", content: block });
    const wrapped = content.map((block) => ({ type: "content", content: block }));
    agent.update("s-1", { sessionUpdate: "tool_call_update", toolCallId: "t", title: "T", content: wrapped });
    await settle(agent);
    const [message, call] = [...session.state.timeline];
    expect(message?.type === "message" && [...message.content]).toEqual(content);
    expect(call?.type === "tool_call" && [...call.content].map((one) => "content" in one && one.content)).toEqual(
      content,
    );
  });

  test("a command is invoked by an ordinary prompt that begins with its name; the list may change (V1-SLASH-03, V2-CMD-03)", async () => {
    const { agent, session } = await openOne();
    const list = (...names: string[]) =>
      agent.update("s-1", {
        sessionUpdate: "available_commands_update",
        availableCommands: names.map((name) => ({ name, description: name })),
      });
    list("web", "plan");
    await settle(agent);
    expect(session.state.availableCommands?.map(({ name }) => name)).toEqual(["web", "plan"]);
    const invocation = { type: "text", text: "/web  agent client protocol\n" } as const;
    void session.prompt([invocation, link]);
    expect((await agent.call("session/prompt")).params).toMatchObject({ sessionId: "s-1", prompt: [invocation, link] });
    list("test");
    await settle(agent);
    expect(session.state.availableCommands?.map(({ name }) => name)).toEqual(["test"]);
  });
});
