import { expect, test } from "vitest";
import { isLoopbackHost } from "./loopback.js";

test("REM-27: only names and addresses of this machine are loopback", () => {
  const own = ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"];
  const others = ["0.0.0.0", "::", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "", "127.0.0"];
  expect(own.filter(isLoopbackHost)).toEqual(own);
  expect(others.filter(isLoopbackHost)).toEqual([]);
});
