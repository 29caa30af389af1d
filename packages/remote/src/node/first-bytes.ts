import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

/** Protocols of a connection. */
export type Protocol = "http1" | "http2";

/** Start of every connection of HTTP/2. A request of HTTP/1.1 cannot begin with it: `PRI` is reserved. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Calls `found` when the first bytes show the protocol. The socket then has all of its bytes again. */
export function readProtocol(socket: Socket, found: (protocol: Protocol) => void): void {
  let bytes = Buffer.alloc(0);
  const look = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk]);
    const start = bytes.subarray(0, PREFACE.length);
    const isPart = start.equals(PREFACE.subarray(0, start.length));
    if (isPart && start.length < PREFACE.length) return;
    socket.removeListener("readable", look);
    socket.unshift(bytes);
    // The removal of the listener takes effect in the next tick. A reader that is added earlier would not get the bytes.
    process.nextTick(found, isPart ? "http2" : "http1");
  };
  socket.on("readable", look);
}
