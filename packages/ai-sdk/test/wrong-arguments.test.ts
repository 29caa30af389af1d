import { describe, expect, test } from "vitest";
import { createChatTransport, selectMessages } from "../src/index.js";
import { user } from "./chat.js";
import { openSession } from "./conversation.js";

describe("defect N54: a wrong argument is named at once, with the right one", () => {
  const pass = "pass a session of @turnkit/client, such as await client.newSession({ cwd }).";

  test("no session, a client, a promise or a state in place of a session", async () => {
    const { client, session } = await openSession();
    for (const [got, name] of [
      [undefined, "undefined"],
      [client, "a client"],
      [Promise.resolve(session), "a promise"],
      [session.state, "a state"],
      ["s-1", "a string"],
    ] as const) {
      expect(() => createChatTransport(got as never)).toThrow(`createChatTransport got ${name}: ${pass}`);
    }
  });

  test("a function that returns no session fails each call of the chat", async () => {
    const transport = createChatTransport(() => undefined as never);
    const message = `The function of createChatTransport got undefined: ${pass}`.replace("got", "returned");
    const [trigger, chatId] = ["submit-message", "c"] as const;
    const asked = transport.sendMessages({
      trigger,
      chatId,
      messageId: undefined,
      messages: [user("Hi")],
      abortSignal: undefined,
    });
    await expect(asked).rejects.toThrow(message);
    await expect(transport.reconnectToStream({ chatId })).rejects.toThrow(message);
  });

  test.each<[object | null, string]>([
    [{ whenasked: "wait" }, "createChatTransport has no option whenasked: pass { whenAsked:"],
    [{ whenAsked: "never" }, 'createChatTransport whenAsked got "never": pass { whenAsked:'],
    [null, "createChatTransport options got null: pass { whenAsked:"],
  ])("the options %j", async (options, message) => {
    const { session } = await openSession();
    expect(() => createChatTransport(session, options as never)).toThrow(message);
  });

  test("a session in place of its state", async () => {
    const { session } = await openSession();
    expect(() => selectMessages(session as never)).toThrow("selectMessages got a session: pass a state, such as");
    expect(() => selectMessages(undefined as never)).toThrow("selectMessages got undefined: pass a state, such as");
  });
});
