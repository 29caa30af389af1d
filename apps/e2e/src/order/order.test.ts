import { describe, expect, it } from "vitest";
import { agentScripts } from "./agent-scripts.js";
import { clientScripts } from "./client-scripts.js";
import { turnkitAgent, turnkitClient } from "./turnkit.js";

describe("order, on raw frames: the client", () => {
  it.each(clientScripts.map((script) => [script.name, script] as const))("%s", async (_, script) => {
    await expect(script.run(turnkitClient)).resolves.toBeUndefined();
  });
});

describe("order, on raw frames: the agent", () => {
  it.each(agentScripts.map((script) => [script.name, script] as const))("%s", async (_, script) => {
    await expect(script.run(turnkitAgent)).resolves.toBeUndefined();
  });
});
