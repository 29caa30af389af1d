import { expect, it, vi } from "vitest";
import type { ContentBlock } from "./content.js";
import { joinTextBlocks } from "./join-text-blocks.js";

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const image: ContentBlock = { type: "image", data: "", mimeType: "image/png" };

it("puts neighbouring pieces together, and leaves a lone one as it is", () => {
  const lone = text("c");
  const joined = joinTextBlocks([text("a"), text("b"), image, lone, image, text(""), text("d")]);
  expect(joined).toEqual([text("ab"), image, lone, image, text("d")]);
  expect(joined[2]).toBe(lone);
});

it("keeps to a bound of letters and to a bound of bytes", () => {
  const pieces = Array.from({ length: 6 }, () => text("é\n"));
  expect(joinTextBlocks(pieces, { letters: 5 })).toEqual([text("é\né\n"), text("é\né\n"), text("é\né\n")]);
  // Two bytes for the letter, two for the end of the line, two for the quotes.
  expect(joinTextBlocks(pieces, { bytes: 18 })).toEqual([text("é\né\né\n"), text("é\né\né\n")]);
});

it("counts no bytes where the bound of letters is the narrower one", () => {
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  const [whole] = joinTextBlocks(
    Array.from({ length: 1_000 }, () => text("x")),
    { bytes: 32 * 1024 * 1024 },
  );
  expect(encode).not.toHaveBeenCalled();
  encode.mockRestore();
  expect(whole).toEqual(text("x".repeat(1_000)));
});
