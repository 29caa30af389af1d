import { createAgent } from "@turnkit/agent";
import type { DialectName } from "@turnkit/session";
import { createGate, createRawPeer, type Gate } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { hellos } from "../hostile/hostile-frames.js";
import { hold, runSchedules, turn } from "../race/schedule.js";
import { afterCall, beginCalls, type Call, type CallState, callPrograms, callSteps, slowCalls } from "./call-rule.js";

async function arrive(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

/** Our agent at the place of the model: choices of an option whose handlers spend their time by the same programs. */
async function createCode(dialect: DialectName) {
  const started: string[][] = [[], []];
  const running: string[][] = [[], []];
  const gates: (Gate | undefined)[] = [];
  const sessions: string[] = [];
  let isCancelled = false;
  const agent = createAgent({
    info: { name: "modelled", version: "1.0.0" },
    newSession: () => ({
      configOptions: callPrograms.map((name) => ({ configId: name, name, type: "boolean", currentValue: false })),
    }),
    async setConfigOption(session, program) {
      const at = sessions.indexOf(session.id);
      started[at]?.push(program);
      if (program === "quick") return;
      running[at]?.push(program);
      const gate = createGate();
      if (program === "slow") gates[at] = gate;
      await (program === "slow" ? gate.opened : session.client.request("_ask", {}));
      running[at]?.splice(running[at].indexOf(program), 1);
    },
    prompt: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          isCancelled = true;
          resolve("cancelled");
        });
      }),
  });
  const [channel, end] = createMemoryPair();
  // So little that calls would stop the reading at once if they took this room.
  const served = agent.serve(channel, { limits: { waitingMessages: 2, waitingBytes: 100 } });
  const peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  await peer.request("initialize", hellos[dialect]);
  for (const _ of started) {
    const { result } = await peer.request("session/new", { cwd: "/work", mcpServers: [] });
    sessions.push((result as { sessionId: string }).sessionId);
  }
  peer.ask("session/prompt", { sessionId: sessions[1], prompt: [{ type: "text", text: "work" }] });
  await arrive();
  const calls: number[] = [];
  return {
    served,
    started,
    running,
    isCancelled: () => isCancelled,
    end: (at: number) => gates[at]?.open(),
    deliver(frame: CallState["wire"][number]): void {
      if (frame === "cancel") return void peer.notify("session/cancel", { sessionId: sessions[1] });
      if ("answer" in frame) {
        const asked = peer.received.filter(({ method }) => method === "_ask")[frame.answer - 1];
        return void (asked && peer.answer(asked, {}));
      }
      const choice = { sessionId: sessions[frame.session], configId: frame.program, type: "boolean", value: true };
      calls.push(
        peer.ask("session/set_config_option", { ...choice, _meta: { pad: frame.isLarge ? "x".repeat(200) : "" } }),
      );
    },
    /** Calls that were answered with a result. */
    answered: () => peer.received.filter(({ id, result }) => result && calls.includes(id as number)).length,
  };
}

test("defect B4, defect B5: the agent starts the calls that the model starts, and is cancelled when the model is", async () => {
  let most = 0;
  await runSchedules(async ({ random, story }) => {
    const calls = Array.from(
      { length: 2 + random.below(6) },
      (): Call => ({ session: random.below(2), program: random.pick(callPrograms), isLarge: random.chance(0.3) }),
    );
    story.push(JSON.stringify(calls.map(({ session, program }) => `${session} ${program}`)));
    const code = await createCode(random.pick<DialectName>(["v1", "v2", "seed"]));
    const read = [0, 0];
    let model = beginCalls(calls);
    for (;;) {
      const steps = [...callSteps(model, "is"), ...slowCalls(model)];
      if (steps.length === 0) break;
      const step = steps[random.below(steps.length)] as string;
      story.push(step);
      const [verb, what] = step.split(" ");
      const [frame] = model.wire;
      if (verb === "end") code.end(Number(what));
      if (verb === "read" && frame !== undefined) {
        code.deliver(frame);
        if (typeof frame === "object" && "session" in frame) read[frame.session] = (read[frame.session] ?? 0) + 1;
      }
      model = afterCall(model, step, "is");
      await arrive();
      const running = model.sessions.map((session) => session.running.map(({ call }) => call.program));
      hold(JSON.stringify(code.running) === JSON.stringify(running), "the same run", code.running, running);
      const started = model.sessions.map(({ queue }, at) => (read[at] ?? 0) - queue.length);
      hold(
        code.started.every((one, at) => one.length === started[at]),
        "as many started",
        code.started,
        started,
      );
      hold(code.isCancelled() === model.isCancelled, "a cancel is handled at once", model.isCancelled);
      most = Math.max(most, ...model.sessions.map(({ queue }) => queue.length));
    }
    hold(model.isCancelled && code.answered() === calls.length, "every call is answered", code.answered());
    await code.served.close();
  });
  expect(most).toBeGreaterThan(3);
}, 120_000);
