import type { TokenUsage } from "../event.js";
import { count, isObject, without } from "./read.js";

const DETAILS = ["thoughtTokens", "cachedReadTokens", "cachedWriteTokens"];

/** Tokens spent; details that do not read are absent. */
export function tokenUsage(value: unknown): TokenUsage | undefined {
  if (!isObject(value)) return undefined;
  const counts = [value.totalTokens, value.inputTokens, value.outputTokens];
  if (!counts.every((one) => count(one) !== undefined)) return undefined;
  const drop = DETAILS.filter((key) => value[key] != null && count(value[key]) === undefined);
  return without(value, drop) as TokenUsage;
}
