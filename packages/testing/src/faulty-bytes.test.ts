import { describe, expect, it } from "vitest";
import { createBytePair, createFaultyBytes } from "./faulty-bytes.js";
import { createRawPeer } from "./raw-peer.js";

/** Returns the output of a faulty stream, as pieces. */
async function through(
  plan: Parameters<typeof createFaultyBytes>[0],
  chunks: readonly string[],
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  for await (const piece of source.pipeThrough(createFaultyBytes(plan))) pieces.push(piece);
  return pieces;
}

const join = (pieces: readonly Uint8Array[]) => pieces.flatMap((piece) => [...piece]);
const text = "zwölf 🚀 日本語\n".repeat(40);
const bytes = [...new TextEncoder().encode(text)];

describe("a faulty stream of bytes", () => {
  it("splits anywhere and loses nothing", async () => {
    const pieces = await through({ seed: 1, split: 3 }, [text]);
    expect(pieces.every((piece) => piece.length >= 1 && piece.length <= 3)).toBe(true);
    expect(new Set(pieces.map((piece) => piece.length)).size).toBe(3);
    expect(join(pieces)).toEqual(bytes);
  });

  it("does the same to the same bytes, in whatever chunks they come", async () => {
    const plan = { seed: 5, garble: 0.05 };
    const whole = join(await through(plan, [text]));
    expect(join(await through(plan, text.split(/(?<=\n)/)))).toEqual(whole);
    const changed = whole.filter((byte, at) => byte !== bytes[at]).length;
    expect(changed).toBeGreaterThan(bytes.length * 0.02);
    expect(changed).toBeLessThan(bytes.length * 0.1);
  });

  it("breaks after so many bytes", async () => {
    const got: number[] = [];
    const stream = createFaultyBytes({ seed: 1, cutAfter: 10 });
    const writer = stream.writable.getWriter();
    writer.write(new TextEncoder().encode(text)).catch(() => undefined);
    const read = async () => {
      for await (const piece of stream.readable) got.push(...piece);
    };
    await expect(read()).rejects.toThrow("The test cut the stream after 10 bytes.");
    expect(got.length).toBeLessThanOrEqual(10);
  });
});

describe("a pair of byte channels", () => {
  it("is not disturbed by splits", async () => {
    const split = { seed: 3, split: 5 };
    const [one, two] = createBytePair({ toFirst: split, toSecond: split });
    const [here, there] = [createRawPeer(one), createRawPeer(two)];
    const asked = here.request("ask", { text });
    there.answer(await there.call("ask"), { text });
    expect((await asked).result).toEqual({ text });
    await here.close();
    expect((await there.closed).kind).toBe("remote");
  });

  it("shows garbled lines as noise or as other values, and goes on", async () => {
    const [one, two] = createBytePair({ toSecond: { seed: 8, garble: 0.01 } });
    const [here, there] = [createRawPeer(one), createRawPeer(two)];
    for (let n = 0; n < 100; n++) here.notify("note", { n });
    await here.close();
    await there.closed;
    const whole = there.received.filter(({ method, params }) => method === "note" && Number.isInteger(params?.n));
    expect(there.invalidLines.length).toBeGreaterThan(5);
    expect(whole.length).toBeGreaterThan(20);
  });

  it("breaks in the middle of a message", async () => {
    const [one, two] = createBytePair({ toSecond: { seed: 1, cutAfter: 100 } });
    const [here, there] = [createRawPeer(one), createRawPeer(two)];
    for (let n = 0; n < 10; n++) here.notify("note", { n });
    expect((await there.closed).kind).toBe("failed");
    expect(there.received.length).toBeLessThan(3);
  });
});
