import type { TokenUsage } from "../event.js";
import { count, isObject } from "./read.js";
import { type Fields, lenient, reads } from "./shape.js";

const COUNTS: Fields = { totalTokens: count, inputTokens: count, outputTokens: count };
const DETAILS: Fields = { thoughtTokens: count, cachedReadTokens: count, cachedWriteTokens: count };

/** Tokens spent; details that do not read are absent. */
export function tokenUsage(value: unknown): TokenUsage | undefined {
  return isObject(value) && reads(value, COUNTS) ? (lenient(value, DETAILS) as TokenUsage) : undefined;
}
