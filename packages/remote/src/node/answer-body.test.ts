import { Writable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { writeBody } from "./answer-body.js";

afterEach(() => void vi.useRealTimers());

/** Answers with a body that never ends. Returns the answer to a client, and the end of the work for it. */
function answerForever() {
  const out = new Writable({ write: (_chunk, _encoding, done) => done() });
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(8)) });
  const written = writeBody(body, { out, begin() {}, cut: () => void out.destroy() }, 75_000);
  return { out, written };
}

it("defect S91: an answer that its client leaves keeps no timer, and so no memory", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { out, written } = answerForever();
  await new Promise((resolve) => setImmediate(resolve));
  out.destroy();
  await written;
  expect(vi.getTimerCount()).toBe(0);
});
