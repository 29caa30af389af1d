import { expect, it } from "vitest";
import { plainText } from "../../render/line.js";
import { textLines } from "./markdown-lines.js";

const shown = (text: string) => textLines(text, 200).map(plainText).join("\n");
/** Returns the texts that are drawn as an address. */
const addresses = (text: string) =>
  textLines(text, 200).flatMap((line) =>
    line.flatMap((span) => (typeof span !== "string" && span[0].includes("underline") ? [span[1]] : [])),
  );

it.each([
  "react@18.2.0",
  "Use react@18.2.0 and @types/node@20.1.0-rc.1, please.",
  "@scope/a.b@1.2.3",
  "a@b.c",
  "Mail a.b+c@example.org.",
  "<a@b.c>",
  "`a@b.c` and x@y.z`",
  "**lodash@4.17.21**",
  "- pnpm add left-pad@1.3.0",
  "| a | b |",
  "git@github.com:a/b.git",
])("defect P8: %j is shown as it is written, and is no link", (text) => {
  expect(shown(text)).toBe(text.replaceAll("**", ""));
  expect(addresses(text)).toEqual([]);
});

it("defect P8: an address of the web is shown once, and is a link", () => {
  const text = "See https://a.example/x@1.2.3, http://b.example and www.c.example.";
  expect(shown(text)).toBe(text);
  expect(addresses(text)).toHaveLength(3);
});

it("defect P8: a link with a text shows its address, also that of a mail", () => {
  expect(shown("[me](mailto:a@b.c)")).toBe("me (mailto:a@b.c)");
});
