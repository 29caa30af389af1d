import { describe, expect, expectTypeOf, it } from "vitest";
import { parse, type Unrecognized } from "../index.js";
import { type SessionUpdate, type StateUpdate, sessionUpdate, updateSessionNotification } from "./index.js";

describe("session/update", () => {
  it("keeps an unknown variant whole, malformed `_meta` included", () => {
    for (const name of ["tool_call", "plan", "_acme_hologram"]) {
      const message = { sessionId: "s", update: { sessionUpdate: name, depth: [3], _meta: 5 } };
      const read = parse(updateSessionNotification, message);
      expect("value" in read && read.value).toBe(message);
      expect("unrecognized" in read && read.unrecognized !== undefined).toBe(!name.startsWith("_"));
    }
  });

  it("refuses a known variant with a bad body, with its place (V2-DEC-06)", () => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "x" } };
    expect(parse(updateSessionNotification, { sessionId: "s", update }).issues).toEqual([
      { path: ["update", "messageId"], message: "expected a string, got nothing" },
      { path: ["update", "content", "mimeType"], message: "expected a string, got nothing" },
    ]);
  });

  it("tells a background that is empty from one that is not said (V2-BG-01)", () => {
    const idle = { sessionUpdate: "state_update", state: "idle" };
    expect(parse(sessionUpdate, { ...idle, background: [] })).toEqual({ value: { ...idle, background: [] } });
    for (const background of [5, [{ type: "terminal" }], ["t"]]) {
      const read = parse(sessionUpdate, { ...idle, background });
      expect(read).toMatchObject({ value: idle, salvaged: [{ path: ["background"] }] });
      expect("value" in read && "background" in read.value).toBe(false);
    }
  });

  it("narrows by its tags, and takes variants of one's own", () => {
    const tell = (update: SessionUpdate): string => {
      switch (update.sessionUpdate) {
        case "state_update":
          return update.state === "idle" ? (update.stopReason ?? "idle") : update.state;
        case "agent_message_chunk":
          return update.content.type === "text" ? update.content.text : update.content.type;
        case "plan_update":
          return update.plan.type === "items"
            ? update.plan.entries.map(({ content }) => content).join()
            : update.plan.planId;
        default:
          return update.sessionUpdate;
      }
    };
    const idle: StateUpdate = { state: "idle", stopReason: "error", error: { code: -32603, message: "m" } };
    const mine: SessionUpdate = { sessionUpdate: "_mine", depth: 3 };
    // @ts-expect-error a variant of the future
    const future: SessionUpdate = { sessionUpdate: "hologram" };
    // @ts-expect-error a misspelt member
    const misspelt: SessionUpdate = { sessionUpdate: "tool_call_update", toolCallId: "t", knid: "read" };
    expectTypeOf<Unrecognized>().toExtend<SessionUpdate["sessionUpdate"]>();
    expect([{ sessionUpdate: "state_update", ...idle } as const, mine, future, misspelt].map(tell)).toEqual([
      "error",
      "_mine",
      "hologram",
      "tool_call_update",
    ]);
  });
});
