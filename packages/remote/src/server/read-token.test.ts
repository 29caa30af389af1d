import { expect, test } from "vitest";
import { readToken } from "./read-token.js";

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
