import { expect, it } from "vitest";
import { unfenced } from "./fence.js";

it.each([
  ["```\na\nb\n```", "a\nb\n"],
  ["```ts\na\n```\n\n", "a\n"],
  ["```ts title=x\na\n", "a\n"],
  ["~~~~\n```\na\n```\n~~~~", "```\na\n```\n"],
  ["```\na", "a"],
  ["```\n", ""],
])("defect P14: the fence around %j is not shown", (text, bare) => {
  expect(unfenced(text)).toBe(bare);
});

it.each(["a\n```\nb\n```", "```\na\n```\nthen\n```\nb\n```", "```inline``` text\n", "```", "", "``\na\n``"])(
  "%j is left as it is, since its fences are a part of it",
  (text) => expect(unfenced(text)).toBe(text),
);
