import { afterEach, expect, it, vi } from "vitest";
import { reporter } from "./reporter.js";

const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => printed.mockClear());

it("defect F4: without a hook, an error of the program is printed with its cause, once for each message", () => {
  const report = reporter(undefined);
  const error = new Error("no such option");
  for (const _ of [1, 2]) report({ code: "listener_failed", message: "A listener failed: no such option", error });
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/^turnkit: A listener failed: no such option\n +at /)]]);
});

it("prints nothing of faults without a loss", () => {
  const report = reporter(undefined);
  for (const code of ["unknown_response", "late_update", "loss"] as const) report({ code, message: "A fault." });
  expect(printed).not.toHaveBeenCalled();
});

it("defect S38: prints the first lost message of each kind, without the stack of this library", () => {
  const report = reporter(undefined);
  for (const code of ["invalid_line", "invalid_message", "dropped", "invalid_message", "dropped"] as const) {
    report({ code, message: `${code} ${printed.mock.calls.length}`, error: new Error("inside") });
  }
  const further = "Further ones are not printed: pass onDiagnostic to get them.";
  expect(printed.mock.calls.flat()).toEqual([
    `turnkit: invalid_line 0 ${further}`,
    `turnkit: invalid_message 1 ${further}`,
    `turnkit: dropped 2 ${further}`,
  ]);
});

it("prints nothing while there is a hook", () => {
  const hook = vi.fn();
  reporter(hook)({ code: "listener_failed", message: "A listener failed." });
  expect(hook).toHaveBeenCalledOnce();
  expect(printed).not.toHaveBeenCalled();
});

it("prints the error of a hook that throws, and goes on", () => {
  const report = reporter(() => {
    throw new Error("disk full");
  });
  report({ code: "dropped", message: "An update was dropped." });
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/^turnkit: onDiagnostic failed: disk full\n +at /)]]);
});

it("prints at most 100 messages", () => {
  const report = reporter(undefined);
  for (let index = 0; index < 1_000; index += 1) report({ code: "handler_failed", message: `failure ${index}` });
  expect(printed).toHaveBeenCalledTimes(100);
});

it("prints a bounded text in which a peer cannot move the cursor", () => {
  const message = `\u001b]0;title\u0007${"x".repeat(1_000_000)}`;
  reporter(undefined)({ code: "handler_failed", message, error: new Error(message) });
  const [[text]] = printed.mock.calls as [[string]];
  expect(text.length).toBeLessThan(6_000);
  expect(text).toContain("\\x1b]0;title\\x07");
  expect(text).not.toMatch(/\p{Cc}(?<!\n)/u);
});

it("defect N9: a printed report has the message of its error", () => {
  const error = new TypeError("session.data.cache is a Map");
  reporter(undefined)({ code: "log_failed", message: "The data of a session was not stored.", error });
  expect(printed.mock.calls[0]?.[0]).toMatch(
    /^turnkit: The data of a session was not stored\. session\.data\.cache is a Map\n/,
  );
});
