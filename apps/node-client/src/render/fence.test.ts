import { expect, it } from "vitest";
import { unfenced } from "./fence.js";

it.each([
  ["```\na\nb\n```", { text: "a\nb\n" }],
  ["```ts\na\n```\n\n", { text: "a\n", language: "ts" }],
  ["```ts title=x\na\n", { text: "a\n", language: "ts" }],
  ["~~~~\n```\na\n```\n~~~~", { text: "```\na\n```\n" }],
  ["```\na", { text: "a" }],
  ["```\n", { text: "" }],
])("defect P14: the fence around %j is not shown", (text, bare) => {
  expect(unfenced(text)).toEqual(bare);
});

it.each(["a\n```\nb\n```", "```\na\n```\nthen\n```\nb\n```", "```inline``` text\n", "```", "", "``\na\n``"])(
  "%j is left as it is, since its fences are a part of it",
  (text) => expect(unfenced(text)).toEqual({ text }),
);
