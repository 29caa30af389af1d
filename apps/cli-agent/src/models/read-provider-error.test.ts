import { describe, expect, it } from "vitest";
import { readProviderError } from "./read-provider-error.js";

const read = (error: unknown) =>
  readProviderError(error, { provider: "P", key: "sk-secret", keyAdvice: "Use another key." }, 0);
const answered = (statusCode: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { statusCode, ...more });

describe("what went wrong at a provider", () => {
  it.each([
    [answered(401, "Bad key"), "login"],
    [answered(403, "Not for you"), "login"],
    [answered(429, "Slow down"), "rate_limit"],
    [answered(500, "Oops"), "overloaded"],
    [answered(529, "Overloaded"), "overloaded"],
    [answered(408, "Too slow"), "overloaded"],
    [answered(404, "No such model"), "request"],
    [answered(413, "Request exceeds the context window"), "context"],
    [answered(400, "Bad", { responseBody: '{"error":{"code":"context_length_exceeded"}}' }), "context"],
    [answered(400, "The input token count (9) exceeds the maximum"), "context"],
    [new Error("fetch failed"), "connection"],
    // The connection broke after the status line.
    [answered(200, "Failed to process successful response"), "connection"],
    // In the middle of a stream some providers send an object, some a string.
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ error: { type: "rate_limit_error", message: "Slow down" } }, "rate_limit"],
    [{ code: 429, message: "Slow down" }, "rate_limit"],
    ["the model has crashed", "connection"],
    [undefined, "connection"],
  ])("%j is known by its kind: %s", (error, code) => {
    expect(read(error)).toMatchObject({ name: "ModelError", code, provider: "P" });
  });

  it("is said with the reason behind it, once", () => {
    expect(read(new Error("Cannot connect", { cause: new Error("ECONNREFUSED 127.0.0.1:1") })).message).toBe(
      "P could not be asked: Cannot connect (ECONNREFUSED 127.0.0.1:1)",
    );
    expect(read(new Error("Cannot connect: reset", { cause: new Error("reset") })).message).toBe(
      "P could not be asked: Cannot connect: reset",
    );
  });

  it.each([
    [answered(200, "Failed to process successful response", { cause: new TypeError("terminated") }), "terminated"],
    [new TypeError("terminated", { cause: new Error("other side closed") }), "other side closed"],
  ])("defect P34: is a broken connection in plain words: %j", (error, reason) => {
    expect(read(error).message).toBe(`P could not be asked: the connection broke during the answer (${reason})`);
  });

  it("is not a page, and tells who wants a long wait", () => {
    expect(read(answered(500, "x".repeat(100_000))).message.length).toBeLessThan(1_100);
    const busy = answered(429, "Quota exceeded.", { responseHeaders: { "retry-after": "7200" } });
    expect(read(busy).message).toBe("P answered 429: Quota exceeded. It asks to wait 120 minutes.");
  });
});
