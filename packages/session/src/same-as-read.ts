import { isBareText, joinTextBlocks } from "./join-text-blocks.js";

type Members = { readonly [member: string]: unknown };

/**
 * Returns `true` if two parts of states are equal after they are stored as JSON. A list and an array are equal, members
 * that are `undefined` count as missing, and neighbouring plain text blocks count as one.
 */
export function sameAsRead(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Number.isNaN(one) && Number.isNaN(other);
  }
  const [left, right] = [itemsOf(one), itemsOf(other)];
  if (left === undefined && right === undefined) return sameMembers(one as Members, other as Members);
  if (left === undefined || right === undefined) return false;
  return (
    sameItems(left, right) || (left.some((item) => isBareText(item as never)) && sameItems(whole(left), whole(right)))
  );
}

const whole = (items: readonly unknown[]): readonly unknown[] =>
  joinTextBlocks(items as readonly never[], { letters: Number.POSITIVE_INFINITY });

const sameItems = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, position) => sameAsRead(item, other[position]));

function sameMembers(one: Members, other: Members): boolean {
  for (const name in one) if (!sameAsRead(one[name], other[name])) return false;
  for (const name in other) if (!(name in one) && other[name] !== undefined) return false;
  return true;
}

function itemsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const { toArray } = value as { readonly toArray?: unknown };
  return typeof toArray === "function" ? (value as { toArray(): readonly unknown[] }).toArray() : undefined;
}
