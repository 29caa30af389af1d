import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteRing } from "./byte-ring.js";

describe("ByteRing", () => {
  test("holds the newest whole characters and nothing else", () => {
    const pieces = fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, fc.nat(60), (pieces, limit) => {
        const ring = new ByteRing(limit);
        // Not lone surrogates, which have no bytes of their own, nor the sign that stands for a broken character.
        const whole = pieces.map((piece) => piece.replace(/[\ud800-\udfff\ufffd]/g, "🚀"));
        for (const piece of whole) ring.append(Buffer.from(piece));
        const all = whole.join("");
        const kept = ring.text();
        expect(all.endsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit);
        expect(ring.truncated).toBe(Buffer.byteLength(all) > limit);
        if (!ring.truncated) expect(kept).toBe(all);
        // At most three bytes of a character that did not fit are lost.
        else expect(Buffer.byteLength(kept)).toBeGreaterThan(limit - 4);
        expect(kept).not.toContain("\ufffd");
      }),
    );
  });

  test("keeps nothing at a limit of 0, and says so", () => {
    const ring = new ByteRing(0);
    expect([ring.text(), ring.truncated]).toEqual(["", false]);
    ring.append(Buffer.from("x"));
    expect([ring.text(), ring.truncated]).toEqual(["", true]);
  });

  test("stays truncated after it was cleared", () => {
    const ring = new ByteRing(2);
    ring.append(Buffer.from("abc"));
    ring.clear();
    expect([ring.text(), ring.truncated]).toEqual(["", true]);
    ring.append(Buffer.from("xyz"));
    expect(ring.text()).toBe("yz");
  });
});
