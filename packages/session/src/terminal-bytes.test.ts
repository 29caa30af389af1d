import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfBase64, decodeUtf8, utf8Length, withoutFirstBytes } from "./terminal-bytes.js";

describe("base64", () => {
  it("gives back the bytes, with and without padding, after those that came before", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(fc.nat(255), { maxLength: 3 }), (bytes, before) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(bytesOfBase64(text, before)).toEqual(Uint8Array.from([...before, ...bytes]));
        expect(bytesOfBase64(text.replace(/=+$/, ""), [])).toEqual(bytes);
      }),
    );
  });

  it.each(["A", "AA=", "A===", "AAAAA", "AA==AA==", "AA A", "A\u00e9==", "AAA\u2014", "-_-_"])("refuses %j", (text) => {
    expect(bytesOfBase64(text, [])).toBeUndefined();
  });
});

describe("UTF-8 that was cut anywhere", () => {
  it("V2-TERM-06: reads the same in pieces as in one", () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string({ unit: "binary", maxLength: 4 }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(5)), (parts, sizes) => {
        const bytes = Uint8Array.from(parts.flatMap((piece) => [...piece]));
        let text = "";
        let pending: readonly number[] = [];
        let start = 0;
        for (const size of [...sizes, bytes.length]) {
          const decoded = decodeUtf8(Uint8Array.from([...pending, ...bytes.subarray(start, start + size)]));
          text += decoded.text;
          ({ pending } = decoded);
          start += size;
        }
        const rest = new TextDecoder().decode(Uint8Array.from(pending));
        expect(text + rest).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
      }),
    );
  });

  it("counts bytes like an encoder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
    expect(utf8Length("\ud800x\udc00")).toBe(7);
  });

  it("counts the bytes of a long text, with any character at the border of two parts", () => {
    for (const [piece, bytes] of [
      ["a", 1],
      ["é", 2],
      ["中", 3],
      ["😀", 4],
      ["\ud800", 3],
    ] as const)
      for (const head of ["", "x"]) expect(utf8Length(head + piece.repeat(20_000))).toBe(head.length + 20_000 * bytes);
    expect(utf8Length(`${"x".repeat(8_191)}\ud800`)).toBe(8_194);
    expect(utf8Length(`${"x".repeat(8_191)}😀`)).toBe(8_195);
  });

  it("drops from the front between characters", () => {
    expect(withoutFirstBytes("aé😀b", 2)).toEqual({ text: "😀b", dropped: 3 });
    expect(withoutFirstBytes("aé😀b", 4)).toEqual({ text: "b", dropped: 7 });
    expect(withoutFirstBytes("ab", 9)).toEqual({ text: "", dropped: 2 });
  });
});
