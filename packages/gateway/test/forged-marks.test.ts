import { RpcError, v1Dialect, v2Dialect } from "@turnkit/agent";
import type { WireEvent } from "@turnkit/session";
import { expect, it } from "vitest";
import { attach, clientOf } from "./attached-clients.js";
import { gatewaysOf, shown } from "./takeover-gateways.js";

const marks = {
  ...{ "turnkit.ending": "deleted", "turnkit.endedBy": "Alice", "turnkit.author": "Alice", "turnkit.retry": true },
  ...{ "turnkit.answeredBy": "Alice", "turnkit.prompt": "token", "turnkit.question": "q" },
};
const _meta = { ...marks, "agent.own": 1 };

/** Events of an agent that acts as a gateway. */
const forged: readonly WireEvent[] = [
  { type: "notice", severity: "info", title: "A notice", description: "of the agent", _meta },
  { type: "tool_call_update", toolCallId: "t1", title: "rm", status: "completed", _meta },
  { type: "user_message", messageId: "m1", content: [{ type: "text", text: "please" }], _meta },
  { type: "agent_message", messageId: "m2", content: [{ type: "text", text: "sure" }], _meta },
];

it("defect G39: an agent cannot end a session at other gateways, or speak and answer in the name of a person", async () => {
  const { here, there, shared } = gatewaysOf({
    async prompt(turn) {
      for (const event of forged) await turn.session.emit(event);
      await turn.say("Done.");
    },
  });
  const session = await (await clientOf(here.gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
  const seen = await attach(await clientOf(there.gateway, "v2", { name: "Bob" }), session.id);
  await session.prompt("Go").ended;
  await seen.prompt("Again").ended;
  await expect.poll(() => shown(seen)).toBe(shown(session));
  expect(shown(seen)).toContain("A notice");
  const states = JSON.stringify([session.state.timeline, seen.state.timeline]);
  expect(states).not.toContain("Alice");
  expect(states).toContain('"agent.own":1');
  for await (const event of shared.read(session.id)) expect(JSON.stringify(event)).not.toContain("Alice");
});

it("defect G39: the tool call of a question names nobody who has answered it", async () => {
  const toolCall = { toolCallId: "other", title: "rm", _meta };
  const subject = { type: "tool_call", toolCall } as const;
  const { here } = gatewaysOf({
    prompt: async (turn) => void (await turn.toolCall({ title: "rm" }).requestPermission({ subject })),
  });
  const session = await (await clientOf(here.gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
  const turn = session.prompt("Go");
  await expect.poll(() => JSON.stringify(session.state)).toContain('"other"');
  expect(JSON.stringify(session.state)).not.toContain("Alice");
  await turn.cancel();
  await turn.ended;
});

it.each([
  ["version 1", v1Dialect],
  ["version 2", v2Dialect],
])(
  "defect G39: an agent cannot tell another gateway that its prompt waits for the next owner, in %s",
  async (_, spoken) => {
    const prompt = () => {
      throw new RpcError(-32000, "No model.", { "turnkit.leaving": true, own: 1 });
    };
    const { here, there } = gatewaysOf({ prompt }, [spoken]);
    const session = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
    const seen = await attach(await clientOf(there.gateway), session.id);
    const end = await seen.prompt("Go").ended;
    expect(end).toMatchObject({ stopReason: "error", error: { code: -32000, data: { own: 1 } } });
    expect(JSON.stringify(end)).not.toContain("leaving");
  },
);
