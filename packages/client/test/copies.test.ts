import type { ContentBlock, ElicitationAnswer } from "@turnkit/session";
import { expect, test } from "vitest";
import { createElicitations } from "../src/index.js";
import { NOW, openDraftSession, SEED } from "./draft-agent.js";
import { dial, type Frame, newSession, open, openSession } from "./raw-agent.js";

const blocks = () => [
  { type: "text", text: "good", annotations: { audience: ["user" as const] } },
  { type: "resource_link", uri: "file:///good", name: "good" },
];

function spoil(prompt: { [key: string]: any }[]): void {
  for (const block of prompt) {
    block.text = "spoilt";
    block.name = "spoilt";
    if (block.annotations) block.annotations.audience[0] = "spoilt";
  }
  prompt.length = 0;
}

test.each([
  ["v1", () => openSession()],
  ["v2", () => openDraftSession(NOW)],
  ["seed", () => openDraftSession(SEED)],
] as const)("defect B11: blocks and metadata of a prompt may be used again (%s)", async (_, begin) => {
  const { agent, session } = await begin();
  const prompts = ["first", "second"].map((name) => {
    const prompt = blocks();
    const meta = { trace: { id: name } };
    session.prompt(prompt as ContentBlock[], { _meta: meta });
    // The second one waits in version 1 and seed.
    spoil(prompt);
    meta.trace.id = "spoilt";
    return name;
  });
  const sent = await agent.call("session/prompt");
  if (sent.params !== undefined) agent.answer(sent, { stopReason: "end_turn", messageId: "m-1" });
  const next = await agent.call("session/prompt");
  for (const [index, { params }] of [sent, next].entries()) {
    expect(params).toMatchObject({ prompt: blocks(), _meta: { trace: { id: prompts[index] } } });
  }
  expect(JSON.stringify(session.state)).not.toContain("spoilt");
  expect(JSON.stringify(session.state)).toContain("good");
});

test("defect B11: where a session is to work, and the servers that it gets", async () => {
  const { agent, client } = await open();
  const place = {
    cwd: "/work",
    additionalDirectories: ["/good"],
    mcpServers: [{ type: "stdio" as const, name: "good", command: "good", args: ["good"], env: [] }],
  };
  const opening = client.newSession(place);
  place.additionalDirectories[0] = "/spoilt";
  (place.mcpServers[0] as Frame as { name: string }).name = "spoilt";
  place.mcpServers[0]?.args.push("spoilt");
  const call = await agent.call("session/new");
  agent.answer(call, { sessionId: "s-1" });
  const session = await opening;
  expect(JSON.stringify([call, session.roots, session.state])).not.toContain("spoilt");
});

test("defect B11: the content of an answer to a form", async () => {
  const content: { [name: string]: string[] } = { colours: ["red"] };
  const form = (): ElicitationAnswer => ({ action: "accept", content });
  const { agent, connecting } = dial({ elicitations: createElicitations({ form }) });
  agent.answer(await agent.call("initialize"), { protocolVersion: 1, agentCapabilities: {} });
  const client = await connecting;
  const events: unknown[] = [];
  await newSession({ agent, client }, "s-1", (event) => void events.push(event));
  const items = { type: "string", enum: ["red", "blue"] };
  const requestedSchema = { type: "object", properties: { colours: { type: "array", items } } };
  agent.request("q", "elicitation/create", { sessionId: "s-1", mode: "form", message: "Which?", requestedSchema });
  const answer = await agent.answerTo("q");
  content.colours?.push("spoilt");
  expect(answer.result).toEqual({ action: "accept", content: { colours: ["red"] } });
  expect(JSON.stringify(events)).not.toContain("spoilt");
});
