import type { WireEvent } from "@turnkit/session";
import { bytesOf } from "@turnkit/session/codec";
import { AcpError } from "@turnkit/transport";

/** The largest update that clients read, in bytes of JSON: 32 MiB, less what stands around it in a message. */
const MAX_UPDATE_BYTES = 32 * 1024 * 1024 - 64 * 1024;

/** Estimate up to which an update surely fits: estimates are at least a quarter of the JSON. */
const SURE_BYTES = MAX_UPDATE_BYTES / 4;

/**
 * Refuses an event that would be too large to send, before it is stored, folded and sent. `repeated` is sent with it.
 *
 * @throws AcpError `too_large`
 */
export function mustFit(event: WireEvent, repeated: unknown): void {
  if (bytesOf(event) + bytesOf(repeated) <= SURE_BYTES) return;
  const bytes = jsonBytes(event) + jsonBytes(repeated);
  if (bytes <= MAX_UPDATE_BYTES) return;
  throw new AcpError(
    "too_large",
    `An update of type ${event.type} was not sent: it takes ${bytes} bytes, and ${MAX_UPDATE_BYTES} is the most. Send less, or in pieces.`,
  );
}

const jsonBytes = (value: unknown): number =>
  value === undefined ? 0 : new TextEncoder().encode(JSON.stringify(value)).length;
