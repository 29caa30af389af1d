import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { connectPair, createFaultyChannel, createRawPeer, createScriptedAgent, createScriptedClient } from "./index.js";

const [end] = createMemoryPair();

it.each<[string, (value: never) => unknown, string]>([
  ["connectPair", connectPair, "pass { agent, client }, two functions"],
  ["createRawPeer", createRawPeer, "pass one end of createMemoryPair()"],
  ["createFaultyChannel", (value) => createFaultyChannel(value, { seed: 1 }), "pass one end"],
  ["createFaultyChannel plan", (value) => createFaultyChannel(end, value), "{ seed: 1 }"],
  ["createScriptedAgent", (value) => createScriptedAgent(value, { steps: [] }), "pass one end"],
  ["createScriptedAgent script", (value) => createScriptedAgent(end, value), "{ steps: [] }"],
  ["createScriptedClient script", (value) => createScriptedClient(end, value), "{ steps: [] }"],
  [
    "createScriptedClient dialect",
    () => createScriptedClient(end, { dialect: "1" as never, steps: [] }),
    "v1, v2 or seed",
  ],
])("defect N5: a wrong argument is refused in one sentence: %s", async (name, call, remedy) => {
  for (const value of [undefined, null, 5, {}]) {
    const error: unknown = await (async () => call(value as never))().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(`${name} got `);
    expect((error as Error).message).toContain(remedy);
  }
});
