import type { Frame } from "@turnkit/testing";

/** The first message of a client, with or without the question about resumption. */
export const hello = (isResumable = false): Frame => ({
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: 1,
    clientCapabilities: {},
    ...(isResumable && { _meta: { "acp/resumable": true } }),
  },
});
