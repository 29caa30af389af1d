import { type InboundCall, RpcError } from "@turnkit/transport";
import type { LiveSession } from "../live-session.js";
import type { HostSession } from "./files.js";

/**
 * Starts a request handler in the order of its session, without holding up what follows. A call that was withdrawn
 * before its place came is not started.
 */
export function inLane<T>(
  session: LiveSession,
  call: InboundCall,
  work: (session: HostSession) => Promise<T>,
): Promise<T> {
  session.heard();
  const { id: sessionId, cwd, roots } = session;
  // Not `AbortSignal.any`: a session may live for days, and would collect the calls of all of them.
  const controller = new AbortController();
  const abort = () => controller.abort(RpcError.requestCancelled());
  const forget = session.onEnd(abort);
  call.signal.addEventListener("abort", abort, { once: true });
  const result = new Promise<T>((resolve, reject) => {
    session.lane.begin(call.bytes, () => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      else work({ sessionId, cwd, roots, signal: controller.signal }).then(resolve, reject);
    });
  });
  return result.finally(forget);
}
