import { expect, it } from "vitest";
import { openRemote } from "../../src/client/index.js";

it("REM-53: events that have not ended have one bound for all streams, and the channel ends at it", async () => {
  const sent = new Map<string, number>();
  const part = new TextEncoder().encode("x".repeat(1024 * 1024));
  /** A stream of one line that never ends, of 30 MiB at most. */
  const endless = (name: string) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const count = sent.get(name) ?? 0;
        sent.set(name, count + 1);
        if (count === 0) controller.enqueue(new TextEncoder().encode("data: "));
        else if (count <= 30) controller.enqueue(part);
      },
    });
  const fetch = async (_url: unknown, init: RequestInit = {}) => {
    const session = new Headers(init.headers).get("Acp-Session-Id");
    if (init.method === "GET") return new Response(session === null ? new ReadableStream() : endless(session));
    const { id, method } = init.body ? JSON.parse(String(init.body)) : {};
    if (method !== "initialize") return new Response(null, { status: 202 });
    const answer = { jsonrpc: "2.0", id, result: { protocolVersion: 1 } };
    return new Response(JSON.stringify(answer), { headers: { "Acp-Connection-Id": "c" } });
  };
  const channel = await openRemote("https://agents.example/acp", { fetch: fetch as typeof globalThis.fetch });
  channel.start({ message() {}, invalidLine() {} });
  void channel.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} });
  for (let id = 1; id <= 5; id += 1)
    void channel.send({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId: `s-${id}` } });
  const { kind, message } = await channel.closed;
  expect(kind).toBe("frame");
  expect(message).toMatch(/more than 67108864 bytes, on all streams together/);
});
