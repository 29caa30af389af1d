import { describe, expect, test } from "vitest";
import { createLazyState, seedCodec, v1Codec, v2Codec } from "../src/codec/index.js";
import { createSessionState, createSessionStore, reduce, reduceAll, replacingMetadata } from "../src/index.js";

const fails = () => {
  throw new Error("not to be read");
};

const piece = (text: string) =>
  ({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text } }) as const;

/** Objects whose members cannot be read. */
function unreadable(member: string): object {
  const says = { type: "agent_message_chunk", sessionUpdate: "agent_message_chunk", messageId: "m", content: {} };
  return Object.defineProperty({ ...says }, member, { enumerable: true, get: fails });
}

const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** Values that are no event and no update. */
const odd: readonly (readonly [name: string, value: unknown])[] = [
  ...[null, undefined, 0, Number.NaN, 1n, "", "text", true, Symbol("s"), [], [null], () => 1].map(
    (value) => [typeof value === "object" ? JSON.stringify(value) : `${typeof value} ${String(value)}`, value] as const,
  ),
  ["an object without a prototype", Object.create(null)],
  ["a type that is no text", { type: {}, sessionUpdate: {} }],
  ["a name of Object.prototype", { type: "toString", sessionUpdate: "toString" }],
  ["a revoked proxy", revoked.proxy],
  ...["type", "sessionUpdate", "content", "messageId", "_meta", "at"].map(
    (member) => [`a ${member} that throws`, unreadable(member)] as const,
  ),
  [
    "a text that throws",
    { ...piece("a"), content: Object.defineProperty({ type: "text" }, "text", { enumerable: true, get: fails }) },
  ],
];
const textOf = (state: ReturnType<typeof createSessionState>) => JSON.stringify(state.timeline.get("agent:m"));

describe.each(odd)("what is no event: %s", (_, value) => {
  test("defect B12: reduce and reduceAll take it, and what comes around it counts", () => {
    const alone = reduce(createSessionState(), value as never);
    expect(alone.timeline.length + alone.anomalies.length).toBeLessThanOrEqual(2);
    const around = [piece("a"), piece("b"), value, piece("c"), piece("d")] as never[];
    const one = around.reduce(reduce, createSessionState());
    expect(textOf(one)).toContain('"d"');
    expect(textOf(reduceAll(createSessionState(), around))).toBe(textOf(one));
  });

  test("defect B12: a late fold takes it, first, last and between pieces", () => {
    const late = createLazyState(createSessionState());
    for (const event of [value, piece("a"), piece("b"), value, piece("c"), piece("d"), value]) late.add(event as never);
    expect(late.after.timeline.length).toBeGreaterThan(0);
    const one = [value, piece("a"), piece("b"), value, piece("c"), piece("d")].reduce(
      reduce as never,
      createSessionState(),
    );
    expect(textOf(late.before)).toBe(textOf(one as never));
  });

  test("defect B12: a store takes it, also where metadata comes whole", () => {
    for (const metaMode of ["patch", "replace"] as const) {
      const store = createSessionStore(undefined, { metaMode });
      store.dispatch(value as never);
      store.dispatch(piece("a"));
      expect(textOf(store.getState())).toContain('"a"');
    }
    expect(() => replacingMetadata(createSessionState(), value as never)).not.toThrow();
  });

  test("defect B12: every decoder reads it as something unknown", () => {
    for (const codec of [v1Codec, v2Codec, seedCodec]) {
      const events = codec.decode(value);
      expect(events).toMatchObject([{ type: "unknown" }]);
      for (const event of events) expect(() => reduce(createSessionState(), event)).not.toThrow();
    }
  });
});
