import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { collect, note } from "./channel-contract.js";
import { lineKinds } from "./channel-kinds.js";

const line = (message: unknown) => `${JSON.stringify(message)}\n`;

/** Describes the promises of every channel of lines about its bytes. */
describe.each(lineKinds)("$name: lines", (kind) => {
  const run = async (chunks: readonly (string | Uint8Array)[]) => {
    const { channel, peer } = await kind.open();
    const got = collect(channel);
    peer.read();
    for (const chunk of chunks) peer.raw?.(Buffer.from(chunk as string));
    peer.end();
    const reason = await channel.closed;
    await peer.dispose?.();
    return { messages: got.messages.items, noise: got.noise.items, bytes: got.bytes, reason };
  };

  test("V1-STDIO-02, V2-TRA-01: what is sent is UTF-8, one message per line, and no line break is in one", async () => {
    const { channel, peer } = await kind.open();
    collect(channel);
    peer.read();
    const texts = ["a\nb\r\nc\rd", "\u2028\u2029\u0085", "zwölf 🚀 日本語", "half a pair: \ud83d", "\u0000"];
    for (const [n, text] of texts.entries()) channel.send(note(n, text));
    await peer.lines?.atLeast(texts.length);
    await channel.close();
    await peer.dispose?.();
    expect(peer.lines?.items).toEqual(texts.map((text, n) => JSON.stringify(note(n, text))));
    expect(peer.lines?.items.join()).not.toMatch(/[\r\n]/);
  });

  test("V1-STDIO-06: only LF ends a line; a character may lie across chunks", async () => {
    const text = "zwölf 🚀 \u2028\u2029\u0085 日本語";
    const bytes = Buffer.from(`{"jsonrpc":"2.0",\r"method":"note","params":{"n":1,"text":"${text}"}}\n`);
    const { messages, noise } = await run([...bytes].map((byte) => Uint8Array.of(byte)));
    expect(messages).toEqual([note(1, text)]);
    expect(noise).toEqual([]);
  });

  test("V1-STDIO-06, V2-TRA-03: CR, blank lines and a missing last line end are fine", async () => {
    const text = `\n\r\n  \n${JSON.stringify(note(1))}\r\n\n${JSON.stringify(note(2))}`;
    expect(await run([text])).toMatchObject({ messages: [note(1), note(2)], noise: [] });
  });

  test("what is no JSON is reported and not delivered, and does not stop the rest", async () => {
    const long = `[log] ${"é".repeat(300)}`;
    const { messages, noise } = await run([`starting…\n${line(note(1))}${long}\n{"half":\n${line(note(2))}`]);
    expect(messages).toEqual([note(1), note(2)]);
    expect(noise).toEqual(["starting…", long.slice(0, 200), '{"half":']);
  });

  test("JSON that is no message is the receiver's to judge", async () => {
    expect((await run(["[1]\n", "7\n", "null\n"])).messages).toEqual([[1], 7, null]);
  });

  test("ids beyond 2^53 come as bigint", async () => {
    const { messages } = await run(['{"id":9007199254740993,"jsonrpc":"2.0","method":"m"}\n']);
    expect(messages).toEqual([{ id: 9007199254740993n, jsonrpc: "2.0", method: "m" }]);
  });

  test("a byte order mark at the start is no noise", async () => {
    expect(await run([`\ufeff${line(note(1))}`])).toMatchObject({ messages: [note(1)], noise: [] });
  });

  test("V1-STDIO-07, V2-TRA-04: a line above the limit ends the channel after what came before it", async () => {
    const { messages, reason } = await run([line(note(1)), `"${"x".repeat(1000)}"\n${line(note(2))}`]);
    expect(messages).toEqual([note(1)]);
    expect(reason.kind).toBe("frame");
    expect(reason.message).toContain("1000 bytes");
  });

  test("V2-TRA-04: the limit does not count the line's end", async () => {
    const full = `"${"x".repeat(998)}"`;
    const { messages, reason } = await run([`${full}\r\n${full}\n${full}`, "\r", `\n${full}\r`, `\n"${full}\n`]);
    expect(messages).toEqual(Array(4).fill("x".repeat(998)));
    expect(reason.kind).toBe("frame");
  });

  test("a line above the limit ends the channel before its end has come", async () => {
    const { messages, reason } = await run([
      line(note(1)),
      ..."x"
        .repeat(11)
        .split("")
        .map(() => "y".repeat(100)),
    ]);
    expect(messages).toEqual([note(1)]);
    expect(reason.kind).toBe("frame");
  });
});
