import { describe, expect, it } from "vitest";
import type { ClientCapabilities } from "../call.js";
import { createSessionState } from "../create-session-state.js";
import { seedCodec, v1Codec, v2Codec } from "./dialects.js";
import { createTranslator } from "./translator.js";
import { turnUpdates } from "./turn-updates.js";
import type { NamedCall } from "./wire-handlers.js";
import { wireCalls, wireRequest } from "./wire-handlers.js";

const peer: ClientCapabilities = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: false,
  elicitation: { form: false, url: false },
  notices: false,
  compaction: false,
  booleanOptions: false,
  subagents: false,
  plans: false,
};

describe("a translator", () => {
  it("takes any value: what is malformed is passed over, what is unknown goes on as it came", () => {
    const sent: object[] = [];
    const translator = createTranslator({ from: v2Codec, to: v1Codec, peer, send: (update) => sent.push(update) });
    for (const value of [null, 5, "x", [], {}, { sessionUpdate: "plan_update" }]) translator.update(value);
    translator.update({ sessionUpdate: "_of_my_own", a: 1 });
    expect(sent).toEqual([{ sessionUpdate: "_of_my_own", a: 1 }]);
  });

  it("sets an option that is on or off by the choice that an older client is shown", () => {
    const translator = createTranslator({ from: v2Codec, to: v1Codec, peer, send: () => undefined });
    const option = { type: "boolean", configId: "terse", name: "Terse", currentValue: false };
    translator.update({ sessionUpdate: "config_option_update", configOptions: [option] });
    const params = { sessionId: "s", configId: "terse", value: "on" };
    expect(translator.callFor({ name: "setConfigOption", params })).toEqual({
      name: "setConfigOption",
      params: { ...params, value: true },
    });
  });

  it("P-REPLAY-01, P-REPLAY-18: marks the end of a replay once for a client of version 2, after a load alone", () => {
    const sentAfter = (name: "loadSession" | "resumeSession" | "newSession", to: typeof v2Codec | typeof v1Codec) => {
      const sent: object[] = [];
      const translator = createTranslator({ from: v1Codec, to, peer, send: (update) => sent.push(update) });
      const call = { name, params: { sessionId: "s", cwd: "/" } } as NamedCall;
      translator.answered(translator.callFor(call) ?? call, name === "newSession" ? { sessionId: "s" } : {});
      return sent.map((update) => (update as { sessionUpdate?: unknown }).sessionUpdate);
    };
    expect(sentAfter("loadSession", v2Codec)).toEqual(["replay_complete", "state_update"]);
    expect(sentAfter("resumeSession", v2Codec)).toEqual(["state_update"]);
    expect(sentAfter("newSession", v2Codec)).toEqual([]);
    expect(sentAfter("loadSession", v1Codec)).toEqual([]);
  });

  it("leaves turns alone where both sides tell them in the same way", async () => {
    const sent: object[] = [];
    const translator = createTranslator({ from: v1Codec, to: seedCodec, peer, send: (update) => sent.push(update) });
    translator.callFor({ name: "loadSession", params: { sessionId: "s", cwd: "/" } });
    translator.asked(
      { name: "askPermission", params: { sessionId: "s", title: "Go?", options: [] } },
      () => undefined,
    )();
    const answer = { stopReason: "refusal" } as const;
    const ask = async (received: (result: typeof answer) => void) => received(answer);
    expect(await translator.prompt([], ask, () => false)).toEqual(answer);
    const error = { code: -32000, message: "Authentication required" };
    const refuse = () => Promise.reject(Object.assign(new Error(error.message), error));
    expect(await translator.prompt([], refuse, () => false)).toEqual({ error });
    expect(sent).toEqual([]);
  });
});

describe("turn updates", () => {
  const state = (activity: object) => ({ ...createSessionState(), activity }) as ReturnType<typeof createSessionState>;
  const idle = { type: "state_update", state: "idle" } as const;

  it.each([
    ["after other work", idle, "running", {}],
    ["with a reason, although no work was seen", { ...idle, stopReason: "refusal" }, "idle", { stopReason: "refusal" }],
    ["again", idle, "idle", undefined],
  ] as const)("V2-PRM-19: an idle state %s", (_, event, before, end) => {
    expect(turnUpdates.endIn(event, state({ state: before }))).toEqual(end);
  });

  it("V2-PRM-20: a state that nobody knows is no end", () => {
    expect(turnUpdates.endIn({ ...idle, state: "dreaming" as never }, state({ state: "running" }))).toBeUndefined();
  });
});

describe("calls on their way", () => {
  it("arrive by name, and are refused by a dialect that does not have them", async () => {
    const calls = wireCalls(v2Codec, { from: "client", handle: async (call) => ({ messageId: call.name }) });
    expect(Object.keys(calls)).not.toContain("session/set_mode");
    expect(await calls["session/prompt"]?.({ sessionId: "s", prompt: [] }, undefined)).toEqual({ messageId: "prompt" });
    const params = { sessionId: "s", value: "code" };
    expect(wireRequest(v2Codec, { name: "setMode", params })).toBeUndefined();
    expect(wireRequest(v1Codec, { name: "setMode", params })).toMatchObject({
      ...{ method: "session/set_mode", params: { sessionId: "s", modeId: "code" } },
    });
  });
});
