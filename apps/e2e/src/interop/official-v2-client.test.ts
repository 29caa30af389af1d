import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { createGate } from "@turnkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFolder } from "./folder.js";
import { turnkitAgent } from "./programs.js";
import { typescript } from "./samples.js";

type Question = acp.RequestPermissionRequest;
type Bytes = [WritableStream<Uint8Array>, ReadableStream<Uint8Array>];

const { agent: calls, client: served } = acp.methods;
const chosen = (optionId: string) => ({ outcome: { outcome: "selected" as const, optionId } });

/** A client that was written with the official SDK, and the turnkit-agent that it has launched and initialized. */
async function launchOfficialClient(
  answer: (
    question: Question,
    signal: AbortSignal,
  ) => acp.RequestPermissionResponse | Promise<acp.RequestPermissionResponse> = ({ options }) =>
    chosen(options[0]?.optionId ?? ""),
) {
  const [program, ...args] = turnkitAgent;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  const updates: acp.SessionUpdate[] = [];
  const questions: Question[] = [];
  const waiting = new Set<() => void>();
  const bytes = [Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)] as unknown as Bytes;
  const { agent } = acp
    .client({ name: "official" })
    .onNotification(served.session.update, ({ params }) => {
      updates.push(params.update);
      for (const look of waiting) look();
    })
    .onRequest(served.session.requestPermission, ({ params, signal }) => {
      questions.push(params);
      return answer(params, signal);
    })
    .connect(acp.ndJsonStream(...bytes));
  const initialized = await agent.request(calls.initialize, {
    ...{ protocolVersion: 2, info: { name: "official", version: "1.0.0" }, capabilities: {} },
  });
  const idles = () => updates.filter((update) => "state" in update && update.state === "idle");
  return {
    ...{ agent, initialized, updates, questions },
    /** The `nth` idle state. */
    async idle(nth = 0): Promise<acp.SessionUpdate | undefined> {
      const enough = createGate();
      const look = () => void (idles().length > nth && enough.open());
      waiting.add(look);
      look();
      await enough.opened;
      return idles()[nth];
    },
    heard: (kind: string) => updates.filter(({ sessionUpdate }) => sessionUpdate === kind),
    async end() {
      child.stdin.end();
      const [code] = await closed;
      return code;
    },
  };
}

const review = (sessionId: string) => ({ sessionId, prompt: [{ type: "text" as const, text: "Review price.ts" }] });

describe("a version 2 client of the official SDK and turnkit-agent", () => {
  it("review and fix a file, with plan, permission and the end as an idle state", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    expect(client.initialized).toMatchObject({ protocolVersion: 2, info: { name: "turnkit-agent" } });
    const opened = await client.agent.request(calls.session.new, { cwd });
    expect(opened).toMatchObject({
      configOptions: [
        { type: "select", configId: "mode", currentValue: "ask" },
        { type: "select", configId: "model", currentValue: "reviewer" },
      ],
    });
    const { messageId } = await client.agent.request(calls.session.prompt, review(opened.sessionId));
    expect(await client.idle()).toMatchObject({ stopReason: "end_turn" });
    expect(client.updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
    expect(client.heard("user_message")).toMatchObject([{ messageId, content: review("").prompt }]);
    const states = client.heard("state_update").map((update) => ("state" in update ? update.state : undefined));
    expect(states).toEqual(["running", "requires_action", "running", "idle"]);
    expect(client.questions).toMatchObject([{ title: "Edit price.ts", subject: { type: "tool_call" } }]);
    expect(client.heard("plan_update").at(-1)).toMatchObject({
      plan: { type: "items", planId: expect.any(String), entries: Array(4).fill({ status: "completed" }) },
    });
    const patches = JSON.stringify(client.heard("tool_call_update"));
    expect(patches).toContain("+  if (isNaN(price)) {");
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.fixed);
    expect(await client.end()).toBe(0);
  });

  it("a cancel withdraws the open question, ends the turn as cancelled, and the session goes on", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const asked = createGate();
    const withdrawn = createGate();
    let isFirst = true;
    const client = await launchOfficialClient(async ({ options }, signal) => {
      if (!isFirst) return chosen(options[0]?.optionId ?? "");
      isFirst = false;
      signal.addEventListener("abort", withdrawn.open);
      asked.open();
      await withdrawn.opened;
      return { outcome: { outcome: "cancelled" } };
    });
    const { sessionId } = await client.agent.request(calls.session.new, { cwd });
    await client.agent.request(calls.session.prompt, review(sessionId));
    await asked.opened;
    await client.agent.notify(calls.session.cancel, { sessionId });
    await withdrawn.opened;
    expect(await client.idle()).toMatchObject({ stopReason: "cancelled" });
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);

    await client.agent.request(calls.session.prompt, review(sessionId));
    expect(await client.idle(1)).toMatchObject({ stopReason: "end_turn" });
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.fixed);
  });

  it("an option is heeded, an unknown value is refused, and so is an unknown session", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    const { sessionId } = await client.agent.request(calls.session.new, { cwd });
    const set = (value: string) =>
      client.agent.request(calls.session.setConfigOption, { sessionId, configId: "mode", type: "id", value });
    await expect(set("yolo")).rejects.toMatchObject({ code: -32602 });
    expect(await set("review")).toMatchObject({
      configOptions: [{ configId: "mode", currentValue: "review" }, { configId: "model" }],
    });
    await client.agent.request(calls.session.prompt, review(sessionId));
    await client.idle();
    expect(client.questions).toEqual([]);
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);
    const stray = client.agent.request(calls.session.prompt, review("nobody"));
    await expect(stray).rejects.toMatchObject({ code: -32002 });
  });
});
