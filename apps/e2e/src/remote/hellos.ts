/** First messages of a client, by the version that it offers. */
export const hellos = {
  1: { protocolVersion: 1, clientCapabilities: {} },
  2: { protocolVersion: 2, info: { name: "raw", version: "1" }, capabilities: {} },
} as const;
