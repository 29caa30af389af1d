/** Kind of a frame of a tunnel. */
export const frameKinds = {
  /** Bytes for the other side. */
  data: 0,
  /** Ping: shows that this side is alive. */
  ping: 1,
  /** End of the bytes of this side. */
  end: 2,
  /** Total number of bytes that this side has read. */
  read: 3,
} as const;

/** Frame of a tunnel. The frames of one direction are numbered without gaps. */
export type Frame = { readonly kind: number; readonly number: number; readonly body: Uint8Array };

/** Bytes before the body of a frame: its kind and its number. */
export const FRAME_BYTES = 9;

/** Returns a frame as bytes. */
export function encodeFrame({ kind, number, body }: Frame): Uint8Array {
  const bytes = new Uint8Array(FRAME_BYTES + body.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setFloat64(1, number);
  bytes.set(body, FRAME_BYTES);
  return bytes;
}

/** Returns a frame. For bytes that are too short, its number is -1, which ends the tunnel. */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length < FRAME_BYTES) return { kind: frameKinds.ping, number: -1, body: bytes };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { kind: view.getUint8(0), number: view.getFloat64(1), body: bytes.subarray(FRAME_BYTES) };
}

/** Returns a count as the body of a frame. */
export function encodeCount(count: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, count);
  return bytes;
}

/** Returns the count in the body of a frame. */
export const decodeCount = (body: Uint8Array): number =>
  body.length < 8 ? 0 : new DataView(body.buffer, body.byteOffset, body.length).getFloat64(0);
