import { expect, test } from "vitest";
import { v2Dialect } from "../src/index.js";
import { dial, openSession } from "./raw-agent.js";

test.each([
  ["its title", { name: "heron", title: "Heron", version: "1" }, "Heron"],
  ["its name, where it has no title", { name: "heron", version: "1" }, "heron"],
  ["its name, where the title is null", { name: "heron", title: null, version: "1" }, "heron"],
])("an agent is called by %s (V2-INIT-03)", async (_, info, name) => {
  const { agent, connecting } = dial({ dialects: [v2Dialect] });
  agent.answer(await agent.call("initialize"), { protocolVersion: 2, info, capabilities: { session: {} } });
  const client = await connecting;
  expect(client.peer.info).toEqual(info);
  await expect(client.login("web")).rejects.toThrow(`${name} offers no login web that it runs itself.`);
  await expect(client.newSession({ cwd: "/a", additionalDirectories: ["/b"] })).rejects.toThrow(
    `${name} takes no additional directories.`,
  );
  await expect(client.deleteSession("s")).rejects.toThrow(`${name} cannot delete sessions.`);
});

test("defect F15: an agent without a name is called the agent, and a refused prompt says what to send", async () => {
  const { session } = await openSession({}, { agentInfo: undefined, agentCapabilities: {} });
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  expect(() => session.prompt([image])).toThrow(
    "The agent takes no image blocks in prompts: send text or links in their place.",
  );
});
