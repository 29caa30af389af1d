import { expect, it } from "vitest";
import { hyperlink, showsLinks } from "./hyperlink.js";

it("a link encloses the painted text", () => {
  expect(hyperlink("\u001b[4ma\u001b[24m", "https://a.example/;x")).toBe(
    "\u001b]8;;https://a.example/;x\u001b\\\u001b[4ma\u001b[24m\u001b]8;;\u001b\\",
  );
});

it.each(["https://a.example/\u001b\\", "https://a.example/\u0007", "https://a.example/\u009c", ""])(
  "an address that could end the sequence is left out: %j",
  (address) => {
    expect(hyperlink("a", address)).toBe("a");
  },
);

it("TURNKIT_LINKS=0 switches links off, and a pipe has none", () => {
  expect(showsLinks({ isTTY: true }, { TURNKIT_LINKS: "0" })).toBe(false);
  expect(showsLinks({ isTTY: false }, {})).toBe(false);
});
