import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runUnbuilt } from "../process/source.js";
import { createProject, startCodingAgent } from "./coding-agent.js";
import { say } from "./step.js";

const preload = fileURLToPath(new URL("./loaded-packages.mjs", import.meta.url));

it("nothing of a model's provider is loaded before the first prompt, and then only what it needs", async () => {
  const list = join(await createProject({}), "loaded.txt");
  const { session } = await startCodingAgent({
    command: runUnbuilt(new URL("../../../cli-agent/src/main.ts", import.meta.url)),
    wire: "anthropic",
    script: [[say("Hello.")]],
    env: { NODE_OPTIONS: `--import ${preload}`, LOADED_PACKAGES: list },
  });
  const providers = async () =>
    (await readFile(list, "utf8")).split("\n").filter((name) => name === "ai" || name.startsWith("@ai-sdk/"));
  expect(await providers()).toEqual([]);
  await session.prompt("Hi.").ended;
  const loaded = await providers();
  expect(loaded).toEqual(expect.arrayContaining(["ai", "@ai-sdk/anthropic"]));
  for (const name of ["@ai-sdk/openai", "@ai-sdk/openai-compatible", "@ai-sdk/google"])
    expect(loaded).not.toContain(name);
});

it.each([
  [{ mode: "yolo" }, /agent\.json cannot be used: `mode`: /],
  [{ model: "nobody/nothing" }, /The model `nobody\/nothing` has no known provider/],
])("a configuration that cannot be used (%j) is named where the session should open", async (config, message) => {
  await expect(startCodingAgent({ script: [], config })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(message),
  });
});
