/** A file with a mistake, what oxlint makes of it, and what must be said about it. */
export type Sample = { readonly flawed: string; readonly fixed: string; readonly rule: string; readonly place: string };

/** TypeScript that plain JavaScript could not parse. */
export const typescript: Sample = {
  flawed: `export function parsePrice(text: string): number {
  const price: number = Number.parseFloat(text);
  if (price === NaN) {
    return 0;
  }
  return price;
}
`,
  fixed: `export function parsePrice(text: string): number {
  const price: number = Number.parseFloat(text);
  if (isNaN(price)) {
    return 0;
  }
  return price;
}
`,
  rule: "use-isnan",
  place: "3:17",
};

/** JavaScript with another mistake. */
export const javascript: Sample = {
  flawed: `export function lacks(table, key) {
  return !key in table;
}
`,
  fixed: `export function lacks(table, key) {
  return !(key in table);
}
`,
  rule: "no-unsafe-negation",
  place: "2:10",
};

/** Nothing to say about it. */
export const clean = `export const add = (a: number, b: number): number => a + b;
`;
