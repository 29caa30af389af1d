import { expect, test } from "vitest";
import { isAnsweredOnConnection, needsSession, sessionIdOf } from "./session-scope.js";

test("REM-08: methods of one session need its id, others do not", () => {
  expect(["session/prompt", "session/cancel", "session/load", "session/set_mode"].every(needsSession)).toBe(true);
  expect(["session/new", "session/list", "initialize", "$/cancel_request"].some(needsSession)).toBe(false);
});

test("REM-13: the answers of session/new and session/load travel on the connection stream", () => {
  expect(["session/new", "session/load"].every(isAnsweredOnConnection)).toBe(true);
  expect(["session/prompt", "session/resume", "session/fork"].some(isAnsweredOnConnection)).toBe(false);
});

test("the session of a message is a text in its params", () => {
  expect(sessionIdOf({ params: { sessionId: "s" } })).toBe("s");
  for (const message of [undefined, {}, { params: null }, { params: [] }, { params: { sessionId: 1 } }])
    expect(sessionIdOf(message)).toBeUndefined();
});
