import type { ServerHttp2Session } from "node:http2";
import type { ListenLimits } from "./limits.js";

/**
 * Ends a connection of HTTP/2:
 *
 * - if no request comes within `headerMs`,
 * - if no request is open for `idleMs`,
 * - if the client answers no ping. Without pings, the server would not notice a cut while a stream of events is quiet.
 */
export function keepSession(session: ServerHttp2Session, { headerMs, idleMs, pingMs }: ListenLimits): void {
  let open = 0;
  let idle = setTimeout(() => session.destroy(), headerMs).unref();
  session.on("stream", (stream) => {
    open += 1;
    clearTimeout(idle);
    stream.once("close", () => {
      open -= 1;
      if (open > 0 || session.destroyed) return;
      idle = setTimeout(() => session.close(), idleMs).unref();
    });
  });
  let isAwaiting = false;
  const pings = setInterval(() => {
    if (open === 0) return;
    if (isAwaiting) session.destroy();
    else if (!session.destroyed)
      isAwaiting = session.ping((error) => {
        if (error === null) isAwaiting = false;
      });
  }, pingMs).unref();
  session.once("close", () => {
    clearTimeout(idle);
    clearInterval(pings);
  });
}
