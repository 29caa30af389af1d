import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { createProject, said, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, say } from "./step.js";

const options = (session: Awaited<ReturnType<typeof startCodingAgent>>["session"]) =>
  session.state.configOptions?.map(({ configId, category, ...option }) => [
    configId,
    category,
    "currentValue" in option ? option.currentValue : undefined,
  ]);

describe.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
])("what the user can choose over %s", (_, dialect) => {
  it("is the mode, the model, and how hard it is to think where the model can be told", async () => {
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      model: { efforts: ["low", "high"] },
      script: [[say("One.")], [say("Two.")], [say("Three.")]],
    });
    expect(options(session)).toEqual([
      ["mode", "mode", "ask"],
      ["model", "model", "stand-in/coder"],
      ["effort", "thought_level", "default"],
    ]);
    await session.prompt("One?").ended;
    await session.setConfigOption("effort", "high");
    await session.prompt("Two?").ended;
    await session.setConfigOption("model", "stand-in/other");
    expect(options(session)).toEqual([
      ["mode", "mode", "ask"],
      ["model", "model", "stand-in/other"],
    ]);
    await session.prompt("Three?").ended;

    const asked = server.requests.map(({ model, body }) => [model, body.reasoning_effort]);
    expect(asked).toEqual([
      ["coder", undefined],
      ["coder", "high"],
      ["other", undefined],
    ]);
    // Another model goes on with the same conversation.
    expect(JSON.stringify(server.requests[2]?.body.messages)).toContain("Two.");
  });

  it("can be the offline reviewer in the middle of a session", async () => {
    const { session, server } = await startCodingAgent({ dialects: [dialect], script: [] });
    await session.setConfigOption("model", "reviewer");
    await session.prompt("/help").ended;
    expect(said(session.state)).toContain("I review JavaScript and TypeScript files");
    expect(server.requests).toEqual([]);
  });
});

it("review mode is told to the model, and holds whatever it wants", async () => {
  const { session, server, folder } = await startCodingAgent({
    args: ["--mode", "review"],
    script: [[call("run_command", { command: "touch proof" })], [say("I may not.")]],
  });
  await session.prompt("Do it.").ended;
  expect(JSON.stringify(server.requests[0]?.body.messages[0])).toContain("This session is for review only");
  expect(server.requests[1]?.results).toEqual([expect.stringMatching(/^denied: /)]);
  await expect(import("node:fs/promises").then(({ stat }) => stat(`${folder}/proof`))).rejects.toMatchObject({
    code: "ENOENT",
  });
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a picture in a prompt", () => {
  const prompt = [
    { type: "text", text: "What is this?" },
    { type: "image", data: pixel, mimeType: "image/png" },
  ] as const;

  it.each<[WireName, (body: Record<string, any>) => unknown, unknown]>([
    ["openai-compatible", ({ messages }) => messages.at(-1).content[1].image_url.url, `data:image/png;base64,${pixel}`],
    ["anthropic", ({ messages }) => messages.at(-1).content[1].source.data, pixel],
    ["openai", ({ input }) => input.at(-1).content[1].image_url, `data:image/png;base64,${pixel}`],
    ["google", ({ contents }) => contents.at(-1).parts[1].inlineData.data, pixel],
  ])("reaches a model that sees: %s", async (wire, picture, expected) => {
    const { session, server } = await startCodingAgent({ wire, script: [[say("A pixel.")]] });
    expect(await session.prompt(prompt).ended).toMatchObject({ stopReason: "end_turn" });
    expect(picture(server.requests[0]?.body ?? {})).toBe(expected);
  });

  it("is named to a model that does not", async () => {
    const { session, server } = await startCodingAgent({
      model: { images: false },
      script: [[say("I cannot see it.")]],
    });
    await session.prompt(prompt).ended;
    expect(server.requests[0]?.prompt).toContain("A picture (image/png) was attached, which you cannot see.");
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain(pixel);
  });
});

it("tools are offered as they are: what is optional in their input stays optional", async () => {
  const { session, server } = await startCodingAgent({ wire: "openai", script: [[say("Hello.")]] });
  await session.prompt("Hi.").ended;
  const [tool] = server.requests[0]?.body.tools.filter(({ name }: { name: string }) => name === "read_file") ?? [];
  expect(tool).toMatchObject({ type: "function", strict: false, parameters: { required: ["path"] } });
});

it("a session whose model is not configured any more comes back with the one that is", async () => {
  const sessions = await createProject({});
  const first = await startCodingAgent({ args: ["--sessions", sessions], script: [[say("Hello.")]] });
  await first.session.setConfigOption("model", "rival/coder");
  await first.session.setConfigOption("mode", "auto");
  await first.session.prompt("Hi.").ended;
  await first.client.close();

  const config = { model: "reviewer", providers: {} };
  const second = await startCodingAgent({ args: ["--sessions", sessions], script: [], config });
  const outcome = await second.client.restore(first.session.id, { cwd: first.folder });
  if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
  expect(options(outcome.session)).toEqual([
    ["mode", "mode", "auto"],
    ["model", "model", "reviewer"],
  ]);
});
