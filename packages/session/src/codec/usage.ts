import type { TokenUsage } from "../event.js";
import { integer, record } from "./shape.js";

const count = /* @__PURE__ */ integer(0);

/** Tokens spent; details that do not read are absent. */
export const tokenUsage = /* @__PURE__ */ record<TokenUsage>(
  { totalTokens: count, inputTokens: count, outputTokens: count },
  { thoughtTokens: count, cachedReadTokens: count, cachedWriteTokens: count },
);
