import { expect, it } from "vitest";
import { ageText } from "./age.js";

const now = Date.parse("2026-11-20T10:00:00Z");

it.each([
  ["2026-11-20T09:59:30Z", "now"],
  ["2026-11-20T10:30:00Z", "now"],
  ["2026-11-20T09:55:00Z", "5 min"],
  ["2026-11-20T07:30:00Z", "2 h"],
  ["2026-11-17T09:00:00Z", "3 d"],
  ["2026-09-01T00:00:00Z", "2026-09-01"],
  ["2030-01-01T00:00:00Z", "2030-01-01"],
  ["yesterday", ""],
  [undefined, ""],
  [null, ""],
])("defect P14: the age of %s is %j", (time, age) => {
  expect(ageText(time, now)).toBe(age);
});
