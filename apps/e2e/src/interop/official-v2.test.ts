import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { connect } from "@turnkit/client";
import { createStdioChannel } from "@turnkit/transport/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFolder } from "./folder.js";
import { turnkitAgent } from "./programs.js";

type Bytes = [WritableStream<Uint8Array>, ReadableStream<Uint8Array>];

function stream(output: NodeJS.WritableStream, input: NodeJS.ReadableStream): acp.Stream {
  const bytes = [Writable.toWeb(output as Writable), Readable.toWeb(input as Readable)] as unknown as Bytes;
  return acp.ndJsonStream(...bytes);
}

describe("version 2: a client of the official SDK and turnkit-agent", () => {
  it("review and fix a file, with plan, permission and the end as an idle state", async () => {
    const cwd = await createFolder({ "price.ts": "export const isFree = (price: number) => price === NaN;\n" });
    const [program, ...args] = turnkitAgent;
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
    });

    const updates: { sessionUpdate: unknown; state?: unknown; stopReason?: unknown }[] = [];
    let over = () => {};
    const idle = new Promise<void>((resolve) => {
      over = resolve;
    });
    const { agent } = acp
      .client({ name: "official" })
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        updates.push(params.update);
        if ("state" in params.update && params.update.state === "idle") over();
      })
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: "selected" as const, optionId: params.options[0]?.optionId ?? "" },
      }))
      .connect(stream(child.stdin, child.stdout));
    const hello = await agent.request(acp.methods.agent.initialize, {
      protocolVersion: 2,
      info: { name: "official", version: "1.0.0" },
      capabilities: {},
    });
    expect(hello.protocolVersion).toBe(2);
    const { sessionId } = await agent.request(acp.methods.agent.session.new, { cwd });
    const prompt = [{ type: "text" as const, text: "Review price.ts" }];
    const { messageId } = await agent.request(acp.methods.agent.session.prompt, { sessionId, prompt });
    await idle;
    expect(messageId).toBeTypeOf("string");
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    const kinds = new Set(updates.map(({ sessionUpdate }) => sessionUpdate));
    for (const kind of ["user_message", "plan_update", "tool_call_update", "agent_message_chunk"]) {
      expect(kinds).toContain(kind);
    }
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toContain("isNaN(price)");
  });
});

describe("version 2: an agent of the official SDK and @turnkit/client", () => {
  it("go through a turn with a tool call that asks", async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    acp
      .agent({ name: "official" })
      .onRequest(acp.methods.agent.initialize, () => ({
        protocolVersion: 2,
        info: { name: "official", version: "1.0.0" },
        capabilities: { session: {} },
      }))
      .onRequest(acp.methods.agent.session.new, () => ({ sessionId: "s-1" }))
      .onRequest(acp.methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
        const tell = (update: acp.SessionUpdate) =>
          client.notify(acp.methods.client.session.update, { sessionId, update });
        await tell({ sessionUpdate: "user_message", messageId: "u-1", content: prompt });
        void (async () => {
          await tell({ sessionUpdate: "state_update", state: "running" });
          const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
            sessionId,
            title: "Run it?",
            subject: { type: "tool_call", toolCall: { toolCallId: "t-1", title: "Run", kind: "execute" } },
            options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
          });
          await tell({ sessionUpdate: "tool_call_update", toolCallId: "t-1", status: "completed" });
          const text = `You said ${"optionId" in outcome ? String(outcome.optionId) : "nothing"}.`;
          await tell({ sessionUpdate: "agent_message_chunk", messageId: "a-1", content: { type: "text", text } });
          await tell({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
        })();
        return { messageId: "u-1" };
      })
      .connect(stream(back, there));
    const client = await connect(createStdioChannel({ input: back, output: there }), {
      info: { name: "turnkit", version: "1.0.0" },
      permissions: ({ options }) => ({ select: options[0]?.optionId ?? "" }),
      validateOutgoing: true,
    });
    expect(client.peer.dialect).toBe("v2");
    const session = await client.newSession({ cwd: "/tmp" });
    expect(await session.prompt("go").ended).toEqual({ stopReason: "end_turn", confirmed: true });
    const picture = [...session.state.timeline].map((entry) =>
      entry.type === "tool_call" ? `${entry.title}: ${entry.status as string}` : entry.type,
    );
    expect(picture).toEqual(["message", "Run: completed", "message"]);
    await client.close();
  });
});
