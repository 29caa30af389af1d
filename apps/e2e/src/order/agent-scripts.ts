import { createGate } from "@turnkit/testing";
import { createWire, type WirePeer } from "@turnkit/testing/node";
import type { Script } from "./client-scripts.js";
import type { AgentBehaviour, AgentParty } from "./party.js";

async function stage(
  party: AgentParty,
  prompt: AgentBehaviour,
  setMode?: () => Promise<void>,
): Promise<{ peer: WirePeer; sessionId: string }> {
  const wire = createWire();
  party.serve(wire, prompt, setMode);
  wire.peer.send({ id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
  await wire.peer.answer(0);
  wire.peer.send({ id: 1, method: "session/new", params: { cwd: "/tmp", mcpServers: [] } });
  const { result } = await wire.peer.answer(1);
  return { peer: wire.peer, sessionId: result.sessionId };
}

function prompt(id: number, sessionId: string): object {
  return { id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "go" }] } };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function cancelledAfter(party: AgentParty, behaviour: AgentBehaviour): Promise<void> {
  const { peer, sessionId } = await stage(party, behaviour);
  peer.send(prompt(2, sessionId));
  await peer.call("session/update");
  peer.send({ method: "session/cancel", params: { sessionId } });
  const answer = await peer.answer(2);
  if (answer.result?.stopReason !== "cancelled") throw new Error(`the prompt was answered ${JSON.stringify(answer)}`);
}

/** Duties of an agent towards its client. */
export const agentScripts: readonly Script<AgentParty>[] = [
  {
    name: "session/cancel right behind its prompt in one write ends it as cancelled",
    async run(party) {
      const { peer, sessionId } = await stage(party, ({ signal }) => aborted(signal));
      peer.send(prompt(2, sessionId), { method: "session/cancel", params: { sessionId } });
      const answer = await peer.answer(2);
      if (answer.result?.stopReason !== "cancelled") throw new Error(`answered ${JSON.stringify(answer)}`);
    },
  },
  {
    name: "session/cancel reaches a prompt that waits behind a slow handler of its session",
    async run(party) {
      const gate = createGate();
      const { peer, sessionId } = await stage(
        party,
        ({ signal }) => aborted(signal),
        () => gate.opened,
      );
      peer.send({ id: 2, method: "session/set_mode", params: { sessionId, modeId: "code" } }, prompt(3, sessionId), {
        method: "session/cancel",
        params: { sessionId },
      });
      const answer = await peer.answer(3);
      if (answer.result?.stopReason !== "cancelled") throw new Error(`answered ${JSON.stringify(answer)}`);
      gate.open();
      await peer.answer(2);
    },
  },
  {
    name: "an exception after a cancel ends the turn as cancelled",
    run: (party) =>
      cancelledAfter(party, async ({ signal, say }) => {
        await say("working");
        await aborted(signal);
        throw new Error("the model's library gave up");
      }),
  },
  {
    name: "a result after a cancel ends the turn as cancelled",
    run: (party) =>
      cancelledAfter(party, async ({ signal, say }) => {
        await say("working");
        await aborted(signal);
      }),
  },
  {
    name: "every update of a turn is on the wire before its answer",
    async run(party) {
      const { peer, sessionId } = await stage(party, async ({ say }) => {
        for (let chunk = 0; chunk < 100; chunk += 1) void say(`${chunk}`);
      });
      peer.send(prompt(2, sessionId));
      await peer.answer(2);
      const updates = peer.frames.filter(({ method }) => method === "session/update");
      const last = peer.frames.at(-1);
      if (updates.length !== 100 || last?.id !== 2)
        throw new Error(`${updates.length} updates, last ${JSON.stringify(last)}`);
    },
  },
];
