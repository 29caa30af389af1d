import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { expect, test, vi } from "vitest";
import { createAgent, type Diagnostic } from "../src/index.js";
import { info, serve } from "./raw-client.js";

/** `ndJsonStream` of the official SDK, which begins to use its arguments later. */
function ndJsonStream(output: WritableStream, input: ReadableStream) {
  const readable = new ReadableStream<unknown>({
    async start() {
      input.getReader();
    },
  });
  const writable = new WritableStream<unknown>({
    write() {
      output.getWriter();
    },
  });
  return { readable, writable };
}

const swapped = () =>
  createMessageStreamChannel(ndJsonStream(new ReadableStream() as never, new WritableStream() as never) as never);

test("defect N117: an agent on swapped streams reports the failure, with the order", async () => {
  const diagnostics: Diagnostic[] = [];
  const served = createAgent({ info, prompt() {} }).serve(swapped(), { onDiagnostic: (one) => diagnostics.push(one) });
  expect(await served.closed).toMatchObject({ kind: "failed" });
  expect(diagnostics).toMatchObject([{ code: "connection_lost", error: { name: "TypeError" } }]);
  expect(diagnostics[0]?.message).toMatch(
    /^The connection failed before a client sent initialize: .*getReader.* takes the output, then the input\.$/,
  );
});

test("defect N117: and prints it without onDiagnostic", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  await createAgent({ info, prompt() {} }).serve(swapped()).closed;
  const lines = printed.mock.calls.map(([line]) => String(line));
  printed.mockRestore();
  expect(lines).toEqual([expect.stringContaining("takes the output, then the input.")]);
});

test("defect N117: a client that leaves before initialize is not reported", async () => {
  const { client, served, diagnostics } = serve({});
  await client.close();
  await served.closed;
  expect(diagnostics).toEqual([]);
});

test("defect N123: a message that cannot be sent is printed", async () => {
  const { reporter } = await import("@turnkit/transport");
  const printed = vi.spyOn(console, "error").mockReturnValue();
  reporter(undefined)({ code: "outgoing_invalid", message: "A permission question failed.", error: new Error("why") });
  const lines = printed.mock.calls.map(([line]) => String(line).split("\n")[0]);
  printed.mockRestore();
  expect(lines).toEqual(["turnkit: A permission question failed. why"]);
});
