import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../channel.js";
import { MessageWriter } from "./message-writer.js";

const update = (text: unknown, more: object = {}) => ({
  ...{ jsonrpc: "2.0", method: "session/update" },
  params: {
    sessionId: "s",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more },
  },
});

/** Writes the messages in order and compares each with what it says alone. */
function compare(messages: readonly object[]): void {
  const writer = new MessageWriter();
  for (const message of messages) expect(writer.write(message as Message)).toBe(JSON.stringify(message));
}

describe("MessageWriter", () => {
  test("writes every message as if it were alone, whatever came before it", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("", '"', "\\", "\ud800\u2028\n", "\u0000turnkit"));
    const value = fc.oneof({ weight: 5, arbitrary: text }, fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, -0));
    const more = fc.constantFrom<object>({}, {}, {}, { messageId: "m" }, { messageId: "\u0000turnkit" }, { _meta: {} });
    const said = fc.tuple(value, more).map(([text, members]) => update(text, members));
    const other = fc.record({ method: fc.string(), params: fc.option(fc.dictionary(fc.string(), fc.jsonValue())) });
    const messages = fc.array(fc.oneof({ weight: 6, arbitrary: said }, other), { maxLength: 30 });
    fc.assert(fc.property(messages, compare), { numRuns: 500 });
  });

  test.each<[string, (text: string) => object]>([
    ["a text that is not the last member", (text) => update(text, { messageId: "m" })],
    ["a message that writes itself", (text) => Object.assign(update("other"), { toJSON: () => ({ text }) })],
    ["an object that writes itself", (text) => update({ toJSON: () => text })],
    [
      "an object of a class",
      (text) =>
        update(
          new (class {
            readonly text = text;
          })(),
        ),
    ],
    ["a key instead of a text", (text) => ({ method: "m", params: { [text]: "text" } })],
    ["another order of keys", (text) => ({ method: "m", params: text > "4" ? { text, a: "b" } : { a: "b", text } })],
    [
      "members that JSON does not have",
      (text) => ({ method: "m", params: { text, gone: undefined, call: () => text } }),
    ],
    ["a text in a list", (text) => ({ method: "m", params: { list: [text] } })],
    ["a call with an id", (text) => ({ id: 1, method: "m", params: { text } })],
  ])("%s", (_, message) => {
    compare(["1", "2", "3", "4", "5", "6", '"', "7"].map(message));
  });

  test("a message that its sender changes later", () => {
    const writer = new MessageWriter();
    const sent = update("1");
    for (const text of ["1", "2", "3", "4"]) {
      sent.params.update.content.text = text;
      expect(writer.write(sent as Message)).toBe(JSON.stringify(sent));
    }
    sent.params.sessionId = "other";
    expect(writer.write(sent as Message)).toBe(JSON.stringify(sent));
  });

  test("what JSON cannot express is refused, and the next message is written", () => {
    const writer = new MessageWriter();
    for (const text of ["1", "2", "3"]) writer.write(update(text) as Message);
    expect(() => writer.write(update(1n) as Message)).toThrow(TypeError);
    expect(writer.write(update("4") as Message)).toBe(JSON.stringify(update("4")));
  });
});
