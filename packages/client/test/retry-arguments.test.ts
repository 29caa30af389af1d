import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RetryPromptOptions } from "../src/index.js";
import { known, lose } from "./lost-prompt.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("an option of retryPrompt", () => {
  test.each<[string, object, string]>([
    [
      "a list for evidence",
      { evidence: [{ name: "a" }] },
      "retryPrompt evidence got a list: pass the result of createKey",
    ],
    ["true for evidence", { evidence: true }, "retryPrompt evidence got true: pass the result of createKeyEvidence"],
    ["null for evidence", { evidence: null }, "retryPrompt evidence got null: pass the result of createKeyEvidence"],
    [
      "half of an evidence",
      { evidence: { honours: () => true } },
      "retryPrompt evidence got an object of another form",
    ],
    ["an unknown promptRetry", { promptRetry: "always" }, 'promptRetry got "always": pass auto, ask or never'],
    ["null for promptRetry", { promptRetry: null }, "promptRetry got null: pass auto, ask or never"],
    [
      "a controller for signal",
      { signal: new AbortController() },
      "retryPrompt signal got an object of another form: pass",
    ],
  ])("defect N26: of a wrong type is refused at once: %s", async (_, how, message) => {
    const { retry, agents } = await lose();
    const retried = retry(how as Partial<RetryPromptOptions>);
    await expect(retried).rejects.toThrow(TypeError);
    await expect(retried).rejects.toThrow(message);
    expect(agents).toEqual([]);
  });

  test("defect N26: that does not exist is reported", async () => {
    const { retry } = await lose();
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await retry({ evidences: known(), promptRetry: "never" } as object);
    expect(print.mock.calls.map(String)).toEqual([
      "turnkit: The option evidences of retryPrompt is not used: there is no such option. Do you mean evidence?",
    ]);
  });

  test("defect N26: that exists is not reported", async () => {
    const { retry } = await lose();
    const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { signal } = new AbortController();
    await retry({ evidence: known(), promptRetry: "never", signal, workspace: { cwd: "/work" } });
    expect(print).not.toHaveBeenCalled();
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a session", { prompt: () => undefined }],
  ])("defect N26: connect that returns %s is refused at its first call", async (_, opened) => {
    const connect = vi.fn(async () => opened as never);
    const { retry } = await lose();
    const retried = retry({ evidence: known(), connect });
    const refused = expect(retried).rejects.toThrow(/^retryPrompt connect got .*: return the client/);
    await vi.advanceTimersByTimeAsync(500);
    await refused;
    await expect(retried).rejects.toThrow(TypeError);
    expect(connect).toHaveBeenCalledTimes(1);
  });
});
