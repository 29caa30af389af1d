import { connect } from "@turnkit/client";
import { createRawPeer } from "@turnkit/testing";
import { AcpError, type Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { dialects } from "./stage.js";

const info = { name: "raw-agent", version: "1" };
const hellos = {
  v1: { protocolVersion: 1, agentInfo: info, agentCapabilities: {} },
  v2: { protocolVersion: 2, info, capabilities: { session: { prompt: {} } } },
  seed: { protocolVersion: 2, agentInfo: info, capabilities: { session: { prompt: {} } } },
};

/** A channel that refuses what is longer than 1 000 characters. */
function narrow(channel: Channel): Channel {
  return {
    closed: channel.closed,
    start: (receiver) => channel.start(receiver),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    close: (reason) => channel.close(reason),
    send(message) {
      if (JSON.stringify(message).length > 1_000) throw new AcpError("too_large", "It is too large.");
      return channel.send(message);
    },
  };
}

test.each(dialects)(
  "defect B13: a prompt that is too large to send fails, and the session goes on (%s)",
  async (dialect) => {
    const [channel, end] = createMemoryPair();
    const peer = createRawPeer(end);
    const connecting = connect(narrow(channel), { info });
    peer.answer(await peer.call("initialize"), hellos[dialect]);
    const client = await connecting;
    const heard: string[] = [];
    const opening = client.newSession({ cwd: "/work" }, (event) => void heard.push(event.type));
    peer.answer(await peer.call("session/new"), { sessionId: "s-1" });
    const session = await opening;
    await expect(session.prompt("x".repeat(2_000)).ended).rejects.toMatchObject({ code: "too_large" });
    expect(heard).toEqual(["session_opened", "prompt_sent", "turn_started", "prompt_failed", "turn_ended"]);
    expect(session.state.activity.state).toBe("idle");
    const next = session.prompt("short");
    peer.refuse(await peer.call("session/prompt"), { code: -32603, message: "no" });
    expect(await next.ended).toMatchObject({ stopReason: "error" });
  },
);
