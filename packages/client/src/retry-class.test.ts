import { expect, test } from "vitest";
import { retryClass } from "./retry-class.js";

const AS_IS = [
  ...["initialize", "auth/status", "auth/logout", "providers/list", "providers/set", "providers/disable"],
  ...["session/list", "session/status", "session/options", "session/resume", "session/close", "session/delete"],
  ...["session/archive", "session/unarchive", "session/set_title", "session/set_config_option"],
  ...["tool_call/cancel", "terminal/cancel"],
];
const NEVER = [
  ...["session/new", "session/fork", "auth/login", "_mine/run", "mcp/message", "unknown"],
  ...["session/cancel", "$/cancel_request", "session/request_permission", "elicitation/create"],
];

test.each(AS_IS)("P-RETRY-01, P-RETRY-03: %s is sent again as it is", (method) => {
  expect(retryClass(method, {}, 2)).toBe("as-is");
});

test.each(NEVER)("P-RETRY-03: %s is never sent again", (method) => {
  expect(retryClass(method, {}, 2)).toBe("never");
});

test("P-RETRY-01, P-RETRY-03: a prompt is sent again with its key only", () => {
  expect(retryClass("session/prompt", { idempotencyKey: "k" }, 2)).toBe("with-key");
  for (const params of [{}, { idempotencyKey: null }, { idempotencyKey: "" }, undefined, null]) {
    expect(retryClass("session/prompt", params, 2)).toBe("never");
  }
});

test("P-RETRY-04: in version 1 a prompt is never sent again, and sessions are restored again", () => {
  expect(retryClass("session/prompt", { idempotencyKey: "k" }, 1)).toBe("never");
  expect(retryClass("session/load", {}, 1)).toBe("as-is");
  expect(retryClass("session/resume", {}, 1)).toBe("as-is");
});

test("P-RETRY-03: a proxied request has the class of the inner one", () => {
  const proxied = (params: object) => retryClass("proxy/successor", params, 2);
  expect(proxied({ method: "session/list", params: {} })).toBe("as-is");
  expect(proxied({ method: "session/prompt", params: { idempotencyKey: "k" } })).toBe("with-key");
  expect(proxied({ method: "proxy/successor", params: { method: "session/new" } })).toBe("never");
  expect(proxied({})).toBe("never");
});
