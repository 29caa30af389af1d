import { expect } from "vitest";
import type { Attack } from "./attack.js";
import { hellos, target } from "./hostile-frames.js";

const both = ["agent", "client"] as const;
const echo = (id: unknown) => ({ id, method: "_example/echo", params: {} });
const update = (text: string, sessionId = target) => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

/** Faults of the order, the number or the size of messages. */
export const lifeAttacks: readonly Attack[] = [
  {
    it: "a call about a session of another connection",
    against: both,
    attack: async (attacked) => {
      const sessionId = "not-mine";
      const method = attacked.mine ? "session/request_permission" : "session/prompt";
      const toolCall = { toolCallId: "t" };
      const options = [{ optionId: "y", name: "Y", kind: "allow_once" }];
      attacked.wire.send({ id: "other", method, params: { sessionId, toolCall, options, prompt: [] } });
      attacked.wire.send(attacked.mine ? update("x", sessionId) : { method: "session/cancel", params: { sessionId } });
      expect((await attacked.wire.answerTo("other")).error).toMatchObject({ code: -32002 });
      await attacked.wire.handled();
    },
  },
  {
    it: "a request before `initialize`, to an agent",
    against: ["agent"],
    early: true,
    attack: async (attacked) => {
      const place = { cwd: "/good", mcpServers: [] };
      attacked.wire.send({ id: "early", method: "session/new", params: place }, echo("early too"));
      attacked.wire.send({ method: "session/cancel", params: { sessionId: "s" } });
      expect((await attacked.wire.answerTo("early")).error.code).toBe(-32600);
      expect((await attacked.wire.answerTo("early too")).error.code).toBe(-32600);
    },
  },
  {
    it: "`initialize` again, to an agent that has a session",
    against: ["agent"],
    attack: async (attacked) => {
      for (const [name, params] of Object.entries(hellos)) {
        attacked.wire.send({ id: name, method: "initialize", params });
        expect((await attacked.wire.answerTo(name)).error.code).toBe(-32600);
      }
    },
  },
  {
    it: "more than 10 000 open requests",
    against: both,
    attack: async (attacked) => {
      const { wire } = attacked;
      const ids = Array.from({ length: 10_001 }, (_, n) => `w${n}`);
      wire.send(...ids.map((id) => ({ id, method: "_example/wait" })));
      expect((await wire.answerTo("w10000")).error.code).toBe(-32603);
      expect(wire.frames.filter(({ id }) => ids.includes(id))).toHaveLength(1);
      wire.send(...ids.map((requestId) => ({ method: "$/cancel_request", params: { requestId } })));
      await Promise.all([wire.answerTo("w0"), wire.answerTo("w9999")]);
    },
  },
  {
    it: "a line of more than 32 MiB",
    against: both,
    ends: "frame",
    attack: async ({ wire, mine }) => {
      const asked = mine && expect(mine.ask()).rejects.toMatchObject({ code: "connection_closed" });
      const head = `{"jsonrpc":"2.0","method":"_example/echo","params":"`;
      wire.write(head);
      const chunk = Buffer.alloc(1024 * 1024, 0x78);
      for (let n = 0; n < 32; n++) wire.write(chunk);
      wire.write('x"}\n');
      await asked;
    },
  },
  {
    it: "updates faster than listeners handle them",
    against: ["client"],
    talks: true,
    attack: async ({ wire, mine }) => {
      let received = 0;
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      const stop = mine?.session.onEvent(async (event) => {
        if (event.type === "agent_message_chunk") received++;
        await gate;
      });
      const hundred = `${JSON.stringify({ jsonrpc: "2.0", ...update("x".repeat(100)) })}\n`.repeat(100);
      for (let n = 0; n < 100_000; n += 100) {
        wire.write(hundred);
        await new Promise(setImmediate);
      }
      // A thousand of them wait, and the client reads no further.
      expect(received).toBe(1);
      expect(wire.input.readableLength + wire.input.writableLength).toBeGreaterThan(hundred.length * 900);
      go();
      await wire.handled();
      for (let turns = 0; received < 100_000 && turns < 100_000; turns++) await new Promise(setImmediate);
      expect(received).toBe(100_000);
      stop?.();
    },
  },
  {
    it: "nothing, and reads nothing",
    against: both,
    ends: "overflow",
    attack: async ({ wire }) => {
      wire.stuck = true;
      for (let n = 0; n < 80; n++) wire.send({ id: `large ${n}`, method: "_example/large" });
    },
  },
];
