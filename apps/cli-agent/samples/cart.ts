/** A shopping cart with mistakes in it, for trying the reviewer: `Please review samples/cart.ts`. */

type Item = { sku: string; name: string; price: number; quantity: number };
type Coupon = { code: string; percent: number; expires?: string };

const stock = new Map<string, number>();
const catalogue: Record<string, Item> = {};

export function register(item: Item): void {
  if (!item.sku in catalogue) {
    catalogue[item.sku] = item;
  }
  stock.set(item.sku, item.quantity);
}

export function parsePrice(text: string): number {
  const price = Number.parseFloat(text.replace("€", ""));
  if (price === NaN) {
    new Error(`"${text}" is not a price.`);
  }
  return price;
}

export function discount(total: number, coupon: Coupon): number {
  // A discount lies between 0 and 100 percent.
  const percent = Math.min(Math.max(100, coupon.percent), 0);
  if (typeof coupon.expires === "strnig" && Date.parse(coupon.expires) < Date.now()) {
    return total;
  }
  return total - (total * percent) / 100;
}

export function total(items: Item[]): number {
  const prices = items.map((item) => {
    item.price * item.quantity;
  });
  let sum = 0;
  for (let i = prices.length - 1; i >= 0; i++) {
    sum += Number(prices[i]);
  }
  return sum;
}

export function isFree(items: Item[]): boolean {
  const sum = total(items);
  return !!Boolean(sum === -0) || sum == 0;
}

export function describe(items: Item[]): string {
  const names = items.map((item) => item.name);
  const skus = items.map((item) => item.sku);
  return names.sort().join(", ").replace(/, ([^,]*)$/, " und $1");
}
