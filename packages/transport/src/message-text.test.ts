import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageText } from "./message-text.js";

const update = (messageId: string, text: string) => ({
  ...{ jsonrpc: "2.0", method: "session/update" },
  params: {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } },
  },
});

describe("messageText", () => {
  test("writes what JSON.stringify writes, whatever was written before", () => {
    const frame = fc.dictionary(
      fc.oneof(fc.constantFrom("method", "params", "update", "id", "__proto__", "toJSON"), fc.string()),
      fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, "same", '\ud800\u2028"\\\n', Number.NaN, -0), fc.date()),
    );
    const message = fc.record({
      method: fc.string(),
      params: fc.oneof(
        frame,
        frame.map((update) => ({ update })),
      ),
    });
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        for (const each of messages) expect(messageText(each)).toBe(JSON.stringify(each));
      }),
    );
  });

  test("a member that changes is not what it was", () => {
    const texts = [update("a", "1"), update("b", "1"), update("a", "2"), update("", "1"), update("a", "x".repeat(100))];
    for (const each of [...texts, ...texts]) expect(messageText(each)).toBe(JSON.stringify(each));
  });

  test("what writes itself is asked, and what JSON does not have is left out", () => {
    class Point {
      readonly x = 1;
      get y(): number {
        return 2;
      }
    }
    const params = {
      ...{ list: [undefined, () => 1], when: new Date(0), point: new Point(), bare: Object.create(null) as object },
      ...{ own: { toJSON: () => "mine" }, skipped: undefined, call: () => 1, symbol: Symbol("s") },
    };
    const message = { jsonrpc: "2.0", method: "m", params };
    expect(messageText(message)).toBe(JSON.stringify(message));
    expect(messageText({ method: "m", params: { own: params.own } })).toBe('{"method":"m","params":{"own":"mine"}}');
    expect(messageText(new Point())).toBe('{"x":1}');
  });

  test("more keys than are remembered are written as well", () => {
    const params = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key-${index}`, `value-${index}`]));
    for (const each of [{ params }, update("a", "1"), { params }]) expect(messageText(each)).toBe(JSON.stringify(each));
  });

  test("a cycle is refused wherever it closes", () => {
    const message: { params?: object; deep: object } = { deep: { deeper: { deepest: {} } } };
    message.params = { update: { content: message } };
    expect(() => messageText(message)).toThrow(TypeError);
    const itself: { self?: object } = {};
    itself.self = itself;
    expect(() => messageText(itself)).toThrow(TypeError);
    expect(() => messageText({ params: { n: 1n } })).toThrow(TypeError);
  });
});
