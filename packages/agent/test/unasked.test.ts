import { expect, test } from "vitest";
import { type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientCapabilities: {} }, v2: v2Hello, seed: seedHello };
const configOptions = [{ type: "boolean", configId: "terse", name: "Terse", currentValue: false }] as const;

test.each(["v1", "v2", "seed"] as const)(
  "%s: what is a request by the protocol but came without an id holds nothing up",
  async (dialect) => {
    const said: string[] = [];
    const { client, sessionId, served, diagnostics } = await openAs(hellos[dialect], {
      newSession: () => ({ configOptions }),
      prompt: ({ prompt }) => void said.push(JSON.stringify(prompt[0])),
    });
    const text = (words: string) => ({ type: "text", text: words });
    const choice = { v1: { modeId: "x" }, v2: { type: "boolean" }, seed: { type: "boolean" } }[dialect];
    const unasked: readonly Frame[] = [
      { method: "session/prompt", params: { sessionId, prompt: [text("one")] } },
      { method: "session/prompt", params: { sessionId, prompt: [] } },
      { method: "session/set_config_option", params: { sessionId, configId: "terse", value: true, ...choice } },
      { method: "session/set_config_option", params: { sessionId, configId: "none", value: true, ...choice } },
      { method: "session/new", params: { cwd: "/w", mcpServers: [] } },
    ];
    client.send(...unasked);
    const before = client.received.length;
    expect(await client.ask(sessionId, "two")).toHaveProperty("result");
    await client.result("session/close", { sessionId });
    expect(said).toEqual([text("one"), text("two")].map((block) => JSON.stringify(block)));
    expect(client.received.slice(before).filter((frame) => "id" in frame)).toHaveLength(2);
    await client.close();
    await served.closed;
    expect(diagnostics.map(({ code }) => code)).not.toContain("listener_stuck");
  },
);
