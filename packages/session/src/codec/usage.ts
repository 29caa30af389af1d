import type { TokenUsage } from "../event.js";
import { integer, record } from "./shape.js";

/** Tokens spent; details that do not read are absent. */
export const tokenUsage = /* @__PURE__ */ record<TokenUsage>(
  "totalTokens inputTokens outputTokens thoughtTokens? cachedReadTokens? cachedWriteTokens?",
  {},
  /* @__PURE__ */ integer(0),
);
