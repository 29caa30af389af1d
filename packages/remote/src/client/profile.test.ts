import { expect, test } from "vitest";
import { remoteProfile } from "./index.js";

test("REM-29: the scheme of the URL selects the profile", () => {
  expect(["http://a/acp", "https://a/acp", "ws://a/acp", "wss://a/acp", "ftp://a"].map(remoteProfile)).toEqual([
    "http",
    "http",
    "websocket",
    "websocket",
    undefined,
  ]);
});
