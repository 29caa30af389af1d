import { afterEach, expect, it, vi } from "vitest";
import { sessionLimit } from "./session-limit.js";

const url = new URL("https://agents.example/acp");

/** Makes this runtime look like a page whose requests to `address` used a protocol. */
function stubPage(address: string, nextHopProtocol: string): void {
  vi.stubGlobal("document", {});
  vi.stubGlobal("performance", {
    getEntriesByName: (name: string, type: string) =>
      name === address && type === "resource" ? [{ nextHopProtocol }] : [],
  });
}

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ["http/1.1", 4],
  ["", 4],
  ["h2", 1_000],
  ["h3", 1_000],
])("REM-37: a page that knows the protocol %s has room for %i sessions", (protocol, most) => {
  stubPage(url.href, protocol);
  expect(sessionLimit(url, {})).toBe(most);
});

it("REM-37: HTTP/2 to another address says nothing, and the option decides everywhere", () => {
  expect(sessionLimit(url, {})).toBe(1_000);
  stubPage("https://other.example/acp", "h2");
  expect(sessionLimit(url, {})).toBe(4);
  expect(sessionLimit(url, { maxSessions: 2 })).toBe(2);
});
