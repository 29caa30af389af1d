import { expect, it } from "vitest";
import { costText } from "./cost.js";

it.each([
  [0.011352300000000001, "0.0114 USD"],
  [0.01, "0.01 USD"],
  [0.5, "0.50 USD"],
  [0, "0.00 USD"],
  [1.2345, "1.23 USD"],
  [0.99999, "1.00 USD"],
  [12, "12.00 USD"],
  [0.00001, "< 0.0001 USD"],
  [0.30000000000000004, "0.30 USD"],
])("defect P14: a cost of %d is shown as %s", (amount, text) => {
  expect(costText({ amount, currency: "USD" })).toBe(text);
});
