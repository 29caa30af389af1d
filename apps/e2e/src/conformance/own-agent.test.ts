import { createAgent } from "@turnkit/agent";
import { assertPassed, defaultPrompts, runAgentChecks } from "@turnkit/conformance";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { expect, it } from "vitest";

const agent = createAgent({
  info: { name: "steered", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const [block] = turn.prompt;
    const text = block?.type === "text" ? block.text : "";
    turn.say("Hello");
    if (text === defaultPrompts.long) await new Promise((_, reject) => turn.signal.addEventListener("abort", reject));
    if (text !== defaultPrompts.permission) return;
    const call = turn.toolCall({ title: "Write conformance.txt", kind: "edit" });
    if (await call.ask()) await call.run(() => "Written");
    else call.fail("Not allowed.");
  },
});

function open() {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  agent.serve(createByteStreamChannel({ readable: there.readable, writable: back.writable }));
  return { readable: back.readable, writable: there.writable };
}

it.each([1, 2, "seed"] as const)(
  "CONF-12: an agent of this toolkit passes the checks of protocol %s",
  async (protocol) => {
    const report = await runAgentChecks(open, { protocol, timeoutMs: 1000, cwd: "/work", jobs: 4 });
    assertPassed(report);
    expect(report.counts.passed).toBeGreaterThan(90);
  },
);
