import { createGate, type Frame } from "@turnkit/testing";
import { createWire, type WirePeer } from "@turnkit/testing/node";
import type { ClientParty, ConnectedClient } from "./party.js";

/** One promise about order, as a script on raw frames; it throws where the promise is broken. */
export type Script<Party> = {
  readonly name: string;
  /** It is about bytes, which not every transport has. */
  readonly bytes?: boolean;
  run(party: Party): Promise<void>;
};

const sessionId = "s-1";

function text(content: string, session = sessionId): Frame {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: content } };
  return { method: "session/update", params: { sessionId: session, update } };
}

function textOf(update: unknown): string {
  return (update as { content: { text: string } }).content.text;
}

async function hello(peer: WirePeer): Promise<void> {
  const { id } = await peer.call("initialize");
  peer.send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
}

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

type Stage = {
  readonly peer: WirePeer;
  readonly client: ConnectedClient;
  readonly log: string[];
};

/** Connects the party; opens a session unless the script wants to answer `session/new` itself. */
async function stage(
  party: ClientParty,
  onUpdate: (update: unknown, stage: Stage) => Promise<void>,
  options: { readonly open: boolean } = { open: true },
): Promise<Stage> {
  const wire = createWire();
  const log: string[] = [];
  const made: { stage?: Stage } = {};
  const connecting = party.connect(wire, (_session, update) => onUpdate(update, made.stage as Stage));
  await hello(wire.peer);
  const client = await connecting;
  made.stage = { peer: wire.peer, client, log };
  if (options.open) {
    const opening = client.newSession();
    const { id } = await wire.peer.call("session/new");
    wire.peer.send({ id, result: { sessionId, modes } });
    await opening;
  }
  return made.stage;
}

function same(actual: unknown, expected: unknown): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`expected ${e}, got ${a}`);
}

/**
 * Waits, without a clock, until the messages of a session that are on their way have arrived. It makes a round trip
 * through the party, by the session's own way where there is one.
 */
async function roundTrip({ peer }: Stage, id: string, session = sessionId): Promise<void> {
  peer.send({ id, method: "_turnkit.test/ping", params: { sessionId: session } });
  await peer.answer(id);
}

const ticks = async (count: number) => {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Duties of a client towards its user. */
export const clientScripts: readonly Script<ClientParty>[] = [
  {
    name: "the prompt settles after asynchronous listeners, told in order",
    async run(party) {
      const set = await stage(party, async (update, { log }) => {
        const name = textOf(update);
        // The earlier update takes longer: only a queue keeps the order.
        await ticks(name === "one" ? 6 : 1);
        log.push(name);
      });
      const prompting = set.client.prompt(sessionId).then(() => set.log.push("ended"));
      const { id } = await set.peer.call("session/prompt");
      set.peer.send(text("one"), text("two"), text("three"), { id, result: { stopReason: "end_turn" } });
      await prompting;
      await ticks(10);
      same(set.log, ["one", "two", "three", "ended"]);
    },
  },
  {
    name: "the prompt settles after a listener that began before the prompt was sent",
    async run(party) {
      const gate = createGate();
      const set = await stage(party, async (update, { log }) => {
        if (textOf(update) === "early") await gate.opened;
        log.push(textOf(update));
      });
      set.peer.send(text("early"));
      await roundTrip(set, "p");
      const prompting = set.client.prompt(sessionId).then(() => set.log.push("ended"));
      const { id } = await set.peer.call("session/prompt");
      set.peer.send(text("late"), { id, result: { stopReason: "end_turn" } });
      await roundTrip(set, "q");
      await ticks(5);
      gate.open();
      await prompting;
      await ticks(5);
      same(set.log, ["early", "late", "ended"]);
    },
  },
  {
    name: "an update in the same write as the session/new answer is delivered",
    async run(party) {
      const set = await stage(party, async (update, { log }) => void log.push(textOf(update)), { open: false });
      const opening = set.client.newSession();
      const { id } = await set.peer.call("session/new");
      set.peer.send({ id, result: { sessionId } }, text("first"));
      await opening;
      await roundTrip(set, "p");
      same(set.log, ["first"]);
    },
  },
  {
    name: "an update before the session/new answer is delivered",
    async run(party) {
      const set = await stage(party, async (update, { log }) => void log.push(textOf(update)), { open: false });
      const opening = set.client.newSession();
      const { id } = await set.peer.call("session/new");
      set.peer.send(text("first"), { id, result: { sessionId } });
      await opening;
      await roundTrip(set, "p");
      same(set.log, ["first"]);
    },
  },
  {
    name: "a request inside a listener does not deadlock",
    async run(party) {
      const set = await stage(party, async (update, { client, log }) => {
        await client.setMode(sessionId, "code");
        log.push(textOf(update));
      });
      const prompting = set.client.prompt(sessionId).then(() => set.log.push("ended"));
      const { id } = await set.peer.call("session/prompt");
      set.peer.send(text("one"), { id, result: { stopReason: "end_turn" } });
      const mode = await set.peer.call("session/set_mode");
      set.peer.send({ id: mode.id, result: {} });
      await prompting;
      same(set.log, ["one", "ended"]);
    },
  },
  {
    name: "one session's slow listener does not hold up another session",
    async run(party) {
      const gate = createGate();
      const set = await stage(party, async (update, { log }) => {
        if (textOf(update) === "slow") await gate.opened;
        log.push(textOf(update));
      });
      const second = set.client.newSession();
      const { id } = await set.peer.call("session/new", 1);
      set.peer.send({ id, result: { sessionId: "s-2" } });
      await second;
      set.peer.send(text("slow"), text("quick", "s-2"));
      await roundTrip(set, "p");
      await roundTrip(set, "q", "s-2");
      await ticks(5);
      same(set.log, ["quick"]);
      gate.open();
    },
  },
  {
    name: "a cancel is sent at once, also while a slow listener holds its session",
    async run(party) {
      const gate = createGate();
      const set = await stage(party, () => gate.opened);
      const prompting = set.client.prompt(sessionId).then((reason) => set.log.push(reason));
      const { id } = await set.peer.call("session/prompt");
      set.peer.send(text("slow"));
      await roundTrip(set, "p");
      void set.client.cancel(sessionId);
      await set.peer.call("session/cancel");
      set.peer.send({ id, result: { stopReason: "cancelled" } });
      await roundTrip(set, "q");
      gate.open();
      await prompting;
      same(set.log, ["cancelled"]);
    },
  },
  {
    name: "a line on stdout that is not JSON is not answered",
    bytes: true,
    async run(party) {
      const set = await stage(party, async () => {});
      const before = set.peer.frames.length;
      set.peer.raw("npm WARN this is no JSON\n");
      await roundTrip(set, "p");
      same(
        set.peer.frames.slice(before).map((frame) => frame.id),
        ["p"],
      );
    },
  },
  {
    name: "an unknown update reaches the user",
    async run(party) {
      const set = await stage(party, async (update, { log }) => void log.push(JSON.stringify(update)));
      set.peer.send({
        method: "session/update",
        params: { sessionId, update: { sessionUpdate: "hologram", beam: 7 } },
      });
      await roundTrip(set, "p");
      if (!set.log.some((line) => line.includes("hologram") && line.includes('"beam":7')))
        throw new Error("it was lost");
    },
  },
  {
    name: "an unknown enum value reaches the user",
    async run(party) {
      const set = await stage(party, async (update, { log }) => void log.push(JSON.stringify(update)));
      const update = { sessionUpdate: "tool_call", toolCallId: "t", title: "x", kind: "teleport", status: "dreaming" };
      set.peer.send({ method: "session/update", params: { sessionId, update } });
      await roundTrip(set, "p");
      if (!set.log.some((line) => line.includes("teleport") && line.includes("dreaming")))
        throw new Error("it was lost");
    },
  },
  {
    name: "an unknown field reaches the user",
    async run(party) {
      const set = await stage(party, async (update, { log }) => void log.push(JSON.stringify(update)));
      const content = { type: "text", text: "x", mood: "calm" };
      const update = { sessionUpdate: "agent_message_chunk", content, weather: "mild" };
      set.peer.send({ method: "session/update", params: { sessionId, update } });
      await roundTrip(set, "p");
      if (!set.log.some((line) => line.includes("calm") && line.includes("mild"))) throw new Error("it was lost");
    },
  },
];
