import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfBase64 } from "./base64.js";

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
