import { expect, it, onTestFinished, vi } from "vitest";
import { Backoff, RECONNECT } from "./backoff.js";
import { Status } from "./status.js";

/** Lets the runtime be a browser, which tells its page about the network. */
function imitatePage(): EventTarget {
  const page = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"] as const) vi.stubGlobal(name, page[name].bind(page));
  onTestFinished(() => void vi.unstubAllGlobals());
  return page;
}

it("REM-43: a browser that is online again makes its next attempt at once", async () => {
  const page = imitatePage();
  const hour = 3_600_000;
  const limits = { ...RECONNECT, firstDelayMs: hour, longestDelayMs: hour };
  const backoff = new Backoff(limits, new Status(() => {}));
  const { signal } = new AbortController();
  const attempt = backoff.next("The network failed.", signal);
  page.dispatchEvent(new Event("online"));
  expect(await attempt).toBe(true);
});
