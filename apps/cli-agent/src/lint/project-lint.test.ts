import { expect, it } from "vitest";
import { parseProjectLint } from "./project-lint.js";

const known = [
  { scope: "eslint", value: "no-debugger" },
  { scope: "node", value: "no-exports-assign" },
];
const rulesOf = (rules: object) => parseProjectLint("/p/.oxlintrc.json", JSON.stringify({ rules }), known).rules;

it("takes rules by the names that ESLint and its plugins give them", () => {
  expect(rulesOf({ "no-debugger": "off", "n/no-exports-assign": ["warn", {}], "mine/no-debugger": "off" })).toEqual({
    "no-debugger": "off",
    "node/no-exports-assign": ["warn", {}],
  });
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
  "takes the other rules of a file that names a plugin %s",
  (plugin) => {
    expect(rulesOf({ [`${plugin}/no-debugger`]: "off", "no-debugger": "warn" })).toEqual({ "no-debugger": "warn" });
  },
);
