import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowOnce, connect } from "@turnkit/client";
import { messageText, type SessionState } from "@turnkit/session";
import { createMemoryPair } from "@turnkit/transport/channels";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { expect, onTestFinished, test } from "vitest";
import { createModelAgent } from "./agent.js";

type Part = Parameters<typeof simulateReadableStream>[0]["chunks"][number];

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const finish = (unified: string) => ({ type: "finish", finishReason: { unified, raw: undefined }, usage });
const says = (text: string): Part[] => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: text },
  { type: "text-end", id: "t" },
  finish("stop"),
];
const reads = (path: string): Part[] => [
  { type: "tool-call", toolCallId: "c", toolName: "read_file", input: JSON.stringify({ path }) },
  finish("tool-calls"),
];

/** A model that gives one answer after the other, and keeps the prompts that it got. */
function modelOf(...answers: readonly Part[][]) {
  const left = [...answers];
  return new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: (left.shift() ?? says("?")) as never[] }) }),
  });
}

async function folderOf(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), name)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function connectTo(model: MockLanguageModelV3, folder: string) {
  const [left, right] = createMemoryPair();
  const served = createModelAgent({ model, folder }).serve(left);
  const client = await connect(right, { info: { name: "test", version: "1.0.0" }, permissions: allowOnce });
  onTestFinished(() => client.close());
  return { client, served };
}

const said = ({ timeline }: SessionState) =>
  [...timeline].flatMap((entry) => (entry.type === "message" ? [`${entry.role}: ${messageText(entry)}`] : []));

test("the model reads a file after a question, and its answer and tokens reach the client", async () => {
  const cwd = await folderOf("work-");
  await writeFile(join(cwd, "a.txt"), "forty-two");
  const model = modelOf(reads(join(cwd, "a.txt")), says("It says forty-two."));
  const { client } = await connectTo(model, await folderOf("log-"));
  const session = await client.newSession({ cwd });

  await session.prompt("What is in a.txt?").ended;

  expect(said(session.state)).toEqual(["user: What is in a.txt?", "agent: It says forty-two."]);
  expect([...session.state.timeline].find(({ type }) => type === "tool_call")).toMatchObject({ status: "completed" });
  expect(JSON.stringify(model.doStreamCalls[1]?.prompt)).toContain("forty-two");
});

test("a restarted agent goes on with the conversation that it stored", async () => {
  const [cwd, log] = [await folderOf("work-"), await folderOf("log-")];
  const first = await connectTo(modelOf(says("Hello, Ada.")), log);
  const session = await first.client.newSession({ cwd });
  await session.prompt("I am Ada.").ended;
  await first.client.close();
  await first.served.closed; // its log is free from here on

  const model = modelOf(says("You are Ada."));
  const second = await connectTo(model, log);
  const restored = await second.client.restore(session.id, { cwd });
  if (restored.status === "unavailable") throw restored.error;
  await restored.session.prompt("Who am I?").ended;

  const asked = JSON.stringify(model.doStreamCalls[0]?.prompt);
  for (const text of ["I am Ada.", "Hello, Ada.", "Who am I?"]) expect(asked).toContain(text);
  expect(said(restored.session.state).at(-1)).toBe("agent: You are Ada.");
});

test("an error of the provider fails the turn with its message", async () => {
  const model = new MockLanguageModelV3({
    doStream: async () => {
      throw new Error("The key is wrong.");
    },
  });
  const { client } = await connectTo(model, await folderOf("log-"));
  const session = await client.newSession({ cwd: await folderOf("work-") });
  const { error } = await session.prompt("Hi").ended;
  expect(JSON.stringify(error)).toContain("The key is wrong.");
});
