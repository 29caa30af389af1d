import { expect, it } from "vitest";
import { closestWords } from "./closest-words.js";

const words = ["agents", "sessions", "trace", "doctor"];

it.each([
  ["sesions", ["sessions"]],
  ["agent", ["agents"]],
  ["Trace", ["trace"]],
  ["tarce", ["trace"]],
  ["docter", ["doctor"]],
  ["fix", []],
  ["terrace", []],
  ["x".repeat(100_000), []],
])("%s may mean %j", (word, found) => {
  expect(closestWords(word, words)).toEqual(found);
});

it("a word of one letter means nothing", () => {
  expect(closestWords("a", ["b", "ab"])).toEqual([]);
});
