import { expect, test } from "vitest";
import { hasToken, readToken } from "./read-token.js";

const tokenOf = (headers: Record<string, string>) => readToken(new Request("http://127.0.0.1/acp", { headers }));

test("REM-37: a token comes as a header, or as a subprotocol of a page", () => {
  expect(tokenOf({ Authorization: "Bearer a.b" })).toBe("a.b");
  expect(tokenOf({ Authorization: "bearer a.b" })).toBe("a.b");
  expect(tokenOf({ "Sec-WebSocket-Protocol": "acp, acp-token.a.b" })).toBe("a.b");
  for (const headers of [
    {},
    { Authorization: "Basic a" },
    { Authorization: "Bearer " },
    { "Sec-WebSocket-Protocol": "acp" },
  ])
    expect(tokenOf(headers as Record<string, string>)).toBeUndefined();
});

test("REM-37: only the whole token is the token of a server", () => {
  const has = (given: string, token = "abcabc") =>
    hasToken(new Request("http://127.0.0.1/acp", { headers: { Authorization: `Bearer ${given}` } }), token);
  expect(has("abcabc")).toBe(true);
  for (const given of ["", "abc", "abcabcabc", "abcabcabcabc", "abcabd", "Abcabc", "xbcabc"])
    expect(has(given)).toBe(false);
  expect(hasToken(new Request("http://127.0.0.1/acp"), "abc")).toBe(false);
  expect(() => has("", "")).toThrow(TypeError);
  expect(() => has("null", null as never)).toThrow(TypeError);
});
