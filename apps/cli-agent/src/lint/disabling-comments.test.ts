import { expect, it } from "vitest";
import { withoutDisabling } from "./disabling-comments.js";

it.each([
  "// eslint-disable\n",
  "/* oxlint-disable-next-line a */",
  "//eslint-disable-line",
  "eslint_disable eslint-disable",
])("%j becomes a text of the same length, and comes back", (original) => {
  const { text, count, restore } = withoutDisabling(original);
  expect({ count, length: text.length }).toEqual({ count: 1, length: original.length });
  expect(text).not.toMatch(/(?:es|ox)lint-disable/);
  expect(restore(`${text}\nmore`)).toBe(`${original}\nmore`);
});

it("a text without such comments stays", () => {
  expect(withoutDisabling("// eslint-enable").text).toBe("// eslint-enable");
});

it("a text with every replacement is read, and its changed form is not known", () => {
  const all = [..."_$0123456789abcdefghijklmnopqrstuvwxyz"].map((mark) => `// eslint${mark}disable`).join("\n");
  const { text, count, restore } = withoutDisabling(`${all}\n// eslint-disable`);
  expect({ count, isOpen: !text.includes("eslint-disable") }).toEqual({ count: 1, isOpen: true });
  expect(restore(text)).toContain("eslint-disable");
  expect(restore(`${text} `)).toBeUndefined();
});
