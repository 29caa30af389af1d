import { describe, expect, test } from "vitest";
import { createMemoryLog, RpcError } from "../src/index.js";
import { aborted, clientInfo, openAs, seedHello, v2Hello } from "./raw-client.js";

const circle: { self?: unknown } = {};
circle.self = circle;

const throwing = () => {
  throw new Error("boo");
};

const unreadable: readonly (readonly [string, () => unknown])[] = [
  ["a toJSON that throws", () => ({ toJSON: throwing })],
  ["a getter that throws", () => Object.defineProperty({}, "totalTokens", { enumerable: true, get: throwing })],
  ["a proxy that throws", () => new Proxy({}, { ownKeys: throwing })],
];

const noJson: readonly (readonly [string, () => unknown])[] = [
  ["a BigInt", () => ({ inputTokens: 1n, outputTokens: 1, totalTokens: 2 })],
  ["a circle", () => ({ inputTokens: 1, outputTokens: 1, totalTokens: 2, _meta: { circle } })],
];

const tooLarge = (): unknown => ({
  inputTokens: 1,
  outputTokens: 1,
  totalTokens: 2,
  _meta: { x: "x".repeat(33 << 20) },
});

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo }],
  ["version 2", v2Hello],
  ["seed", seedHello],
] as const)("an end of a turn that cannot be sent as it is, %s", (name, hello) => {
  const isV2 = name === "version 2";

  /** Prompts twice: the first turn ends with what the handler returns or throws, the second well. */
  async function turns(end: () => unknown, { hasLog = false, cancels = false } = {}) {
    let first = true;
    const { client, sessionId, diagnostics } = await openAs(hello, {
      ...(hasLog && { log: createMemoryLog() }),
      async prompt(turn) {
        if (!first) return undefined;
        first = false;
        turn.say("running");
        if (cancels) await aborted(turn.signal);
        return end() as undefined;
      },
    });
    const one = client.prompt(sessionId);
    const two = client.prompt(sessionId);
    if (cancels) {
      await client.update("agent_message_chunk");
      client.send({ method: "$/cancel_request", params: { requestId: two } });
      client.cancel(sessionId);
    }
    const answer = await client.answer(one);
    const state = isV2 ? await client.update("state_update", 1) : undefined;
    if (!cancels) expect((await client.answer(two)).error).toBeUndefined();
    expect((await client.ask(sessionId)).error).toBeUndefined();
    return { answer, state, diagnostics, reported: () => diagnostics.map(({ message }) => message) };
  }

  describe.each([false, true])("with a log: %s", (hasLog) => {
    test.each(unreadable)("defect B2: for a usage with %s is an error, and the next turn runs", async (_, usage) => {
      const { answer, state, reported } = await turns(() => ({ usage: usage() }), { hasLog });
      if (isV2) expect(state).toMatchObject({ state: "idle" });
      else expect(answer.error).toMatchObject({ code: -32603 });
      expect(JSON.stringify(state ?? answer)).toContain("boo");
      expect(reported()).toContain("The usage of a turn could not be read.");
    });

    test.each(unreadable)("defect B2: after a cancel says so, whatever a usage with %s does", async (_, usage) => {
      const end = () => ({ stopReason: "cancelled", usage: usage() });
      const { answer, state, reported } = await turns(end, { hasLog, cancels: true });
      if (isV2) expect(state).toMatchObject({ stopReason: "cancelled" });
      else expect(answer.result).toEqual({ stopReason: "cancelled" });
      expect(reported()).toContain("The usage of a turn could not be read.");
    });

    test.each(noJson)("defect B2: goes without a usage that holds %s", async (_, usage) => {
      const { answer, state, reported } = await turns(() => ({ stopReason: "refusal", usage: usage() }), { hasLog });
      if (isV2) expect(state).toEqual({ sessionUpdate: "state_update", state: "idle", stopReason: "refusal" });
      else expect(answer.result).toEqual({ stopReason: "refusal" });
      expect(reported()).toEqual(["The usage of a turn is not JSON, and was left out."]);
    });

    test.each(noJson)("defect B2: goes without an error's data that holds %s", async (_, data) => {
      const fail = () => {
        throw new RpcError(-32050, "no", data());
      };
      const { answer, state, reported } = await turns(fail, { hasLog });
      if (isV2) expect(JSON.stringify(state)).toContain("-32050");
      else expect(answer.error).toMatchObject({ code: -32050 });
      expect(reported()).toContain("The error of a turn is not JSON, and was left out.");
    });
  });

  test("defect B2: is an error for a stop reason that is no text, and for an error that cannot be read", async () => {
    const unreadableError = Object.defineProperty(new Error("x"), "message", { get: throwing });
    const fail = () => {
      throw unreadableError;
    };
    for (const end of [() => ({ stopReason: 1n }), () => ({ stopReason: circle }), fail]) {
      const { answer, state } = await turns(end);
      if (isV2) expect(state).toMatchObject({ state: "idle" });
      else expect(answer.error).toMatchObject({ code: -32603 });
    }
  });

  test("defect B2: goes without what is too large for an update", async () => {
    if (!isV2) return;
    const { state } = await turns(() => ({ stopReason: "refusal", usage: tooLarge() }));
    expect(state).toEqual({ sessionUpdate: "state_update", state: "idle", stopReason: "refusal" });
    const { state: failed } = await turns(() => {
      throw new RpcError(-32050, "no", "x".repeat(33 << 20));
    });
    expect(JSON.stringify(failed)).toContain("-32050");
  });
});
