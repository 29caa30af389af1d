import type { Cost } from "@turnkit/session";

const LEAST = 0.0001;

/**
 * Returns a cost with two decimals, such as `1.20 USD`. Amounts below 1 have up to four decimals, such as `0.0114 USD`.
 */
export function costText({ amount, currency }: Cost): string {
  if (amount !== 0 && Math.abs(amount) < LEAST) return `< ${LEAST} ${currency}`;
  const text = Math.abs(amount) < 1 ? amount.toFixed(4).replace(/0{1,2}$/, "") : amount.toFixed(2);
  return `${text} ${currency}`;
}
