import { createAgent, createMemoryLog, outgoingContracts, RpcError } from "@turnkit/agent";
import type { DialectName } from "@turnkit/session";
import { createGate, createRawPeer, type Frame, type Gate } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, test } from "vitest";
import { hellos } from "../hostile/hostile-frames.js";
import { hold, runSchedules, type Schedule, type Step } from "./schedule.js";

const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;
const prompts = ["p1", "p2", "p3"] as const;
const replayText = "what was said";

/** Our agent with one session and small limits; its handlers wait for gates where the schedule wants it. */
async function stage(schedule: Schedule) {
  const { random } = schedule;
  const dialect = random.pick<DialectName>(["v1", "v2", "seed"]);
  const [channel, end] = createMemoryPair();
  const peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  const gates: Gate[] = [];
  const wait = async () => {
    const gate = createGate();
    gates.push(gate);
    await gate.opened;
  };
  const hasLog = random.chance(0.5);
  const refusing = random.chance(0.3);
  const cleansUp = random.chance(0.5);
  /** Sets that are being handled. */
  let setting = 0;
  const begun: { readonly text: string; readonly setting: number }[] = [];
  const agent = createAgent({
    info: { name: "racer", version: "1.0.0" },
    ...(hasLog && { log: createMemoryLog() }),
    ...(cleansUp && { closeSession: () => undefined }),
    newSession: () => ({ configOptions: [option] }),
    async setConfigOption() {
      setting++;
      await wait();
      setting--;
    },
    restoreSession({ replay }, session) {
      if (refusing) throw RpcError.invalidRequest("not now");
      if (!hasLog && replay) {
        const content = [{ type: "text", text: replayText }] as const;
        session.emit({ type: "agent_message", messageId: "old", content });
      }
      return { configOptions: [option] };
    },
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      begun.push({ text, setting });
      turn.say(text);
      const stopped = new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
      await Promise.race([wait(), stopped]);
    },
  });
  const served = agent.serve(channel, {
    validateOutgoing: outgoingContracts,
    limits: { waitingMessages: 8, waitingBytes: 4_096 },
  });
  await peer.request("initialize", hellos[dialect]);
  const { result } = await peer.request("session/new", { cwd: "/work", mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  return { dialect, peer, served, sessionId, gates, begun, hasLog, refusing, cleansUp };
}

const answerOf = (received: readonly Frame[], id: string) =>
  received.findIndex((frame) => frame.id === id && !("method" in frame));

describe("calls about one session of an agent", () => {
  test("defect B2: set, restore, refusal, close and prompts in any order, under small limits", async () => {
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const { dialect, peer, served, sessionId, gates, begun, hasLog, refusing, cleansUp } = await stage(schedule);
      const sent: string[] = [];
      const ordered: string[] = [];
      const method = dialect === "v2" ? "session/resume" : "session/load";
      const replayed = dialect === "v2" ? { replayFrom: { type: "start" } } : {};
      const send = (id: string, method: string, params: object): Step => ({
        name: id,
        run: () => {
          sent.push(id);
          if (!prompts.some((prompt) => prompt === id)) ordered.push(id);
          peer.send({ id, method, params: { sessionId, ...params } });
        },
      });
      const set = (id: string) =>
        send(id, "session/set_config_option", { configId: "fast", type: "boolean", value: id === "set1" });
      const restore = (id: string, cwd: string) => send(id, method, { cwd, mcpServers: [], ...replayed });
      const closes = random.chance(0.4);
      await schedule.run([
        prompts.map((text) => send(text, "session/prompt", { prompt: [{ type: "text", text }] })),
        [set("set1"), set("set2")],
        [restore("restore1", random.chance(0.5) ? "/other" : "/work"), restore("restore2", "/work")],
        closes ? [send("close", "session/close", {})] : [],
        [0, 1, 2, 3].map((n) => ({
          name: `open gate ${n}`,
          when: () => gates[n] !== undefined,
          run: () => gates[n]?.open(),
        })),
      ]);
      for (let round = 0; round < 40; round++) {
        for (const gate of gates) gate.open();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { received } = peer;
      const story = { sent, hasLog, refusing, cleansUp, dialect };
      const unanswered = sent.filter((id) => answerOf(received, id) < 0);
      hold(unanswered.length === 0, "everything is answered", unanswered, story);
      const places = ordered.map((id) => answerOf(received, id));
      // What does not exist by then is refused at once, and in version 2 its close is answered at once.
      const refusals = refusing && cleansUp && dialect === "v2" ? sent.filter((id) => id.startsWith("restore")) : [];
      const isGone = refusals.some((id) => sent.indexOf(id) < sent.indexOf("close"));
      const known = places.filter(
        (at) => received[at]?.error?.code !== -32002 && !(isGone && received[at]?.id === "close"),
      );
      hold(
        known.join() === [...known].sort((one, other) => one - other).join(),
        "answers in the order of calls",
        ordered,
        places.map((at) => received[at]),
        story,
      );
      const texts = begun.map(({ text }) => text);
      hold(texts.join() === [...texts].sort().join(), "prompts start in their order", texts);
      for (const [n, id] of sent.entries()) {
        if (!prompts.some((prompt) => prompt === id)) continue;
        const said = received.findIndex((frame) => updateText(frame) === id);
        if (said < 0) continue;
        const before = sent.slice(0, n).filter((other) => ordered.includes(other));
        hold(
          before.every((other) => answerOf(received, other) < said),
          `${id} starts after the calls before it`,
          story,
          before,
        );
      }
      if (!hasLog && !closes) {
        const replays = received.flatMap((frame, at) => (updateText(frame) === replayText ? [at] : []));
        const restored = ["restore1", "restore2"]
          .map((id) => answerOf(received, id))
          .filter((at) => received[at]?.result !== undefined);
        hold(replays.length === restored.length, "one replay for each restore", replays, restored);
        hold(
          replays.every((at, n) => at < (restored[n] ?? 0)),
          "a replay precedes its answer",
          replays,
          restored,
        );
      }
      if (refusing && !closes && !cleansUp) {
        const lost = prompts.filter((id) => received[answerOf(received, id)]?.error?.code === -32002);
        hold(lost.length === 0, "a refused restore loses no prompt", lost, story);
      }
      void schedule.mustSettle("close", served.close());
      await schedule.settle();
    });
  }, 120_000);
});

function updateText(frame: Frame): string | undefined {
  if (frame.method !== "session/update") return undefined;
  const { sessionUpdate, content } = (frame.params as { update: { sessionUpdate: string; content?: any } }).update;
  if (!sessionUpdate.startsWith("agent_message")) return undefined;
  return Array.isArray(content) ? content[0]?.text : content?.text;
}
