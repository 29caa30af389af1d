import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { ServerSocket, Upgrade } from "../server/server-socket.js";

/** Number of bytes that wait for the end of a tick. */
const MOST_HELD = 32 * 1024;

/** Gives an open WebSocket of the library `ws` to the server. All frames of one tick leave in one write. */
export function serveSocket(webSocket: WebSocket, pipe: Socket, upgrade: Upgrade): void {
  let isCorked = false;
  const uncork = () => {
    if (isCorked) pipe.uncork();
    isCorked = false;
  };
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  const socket: ServerSocket = {
    get bufferedAmount() {
      return webSocket.bufferedAmount;
    },
    send(text) {
      if (!isOpen()) return;
      if (!isCorked) {
        isCorked = true;
        pipe.cork();
        process.nextTick(uncork);
      }
      webSocket.send(text);
      // In a long turn of the event loop, enough bytes for full network packets are sent together.
      if (isCorked && pipe.writableLength >= MOST_HELD) uncork();
    },
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.terminate(),
    ping: () => {
      if (isOpen()) webSocket.ping();
    },
    pause: () => webSocket.pause(),
    resume: () => webSocket.resume(),
  };
  const listener = upgrade.open(socket);
  // The library reports a broken frame as an error, closes the WebSocket with the fitting code, and then emits close.
  webSocket.on("error", () => {});
  webSocket.on("message", (data, isBinary) => (isBinary ? listener.binary() : listener.text(String(data))));
  webSocket.on("pong", () => listener.pong());
  pipe.on("drain", () => listener.drained());
  webSocket.on("close", (code) => listener.closed(code));
}
