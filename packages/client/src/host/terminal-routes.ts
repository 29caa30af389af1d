import type { CreateTerminalRequest, TerminalOutputRequest } from "@turnkit/schema/v1";
import { type InboundCall, RpcError } from "@turnkit/transport";
import type { Desk } from "../driver/driver.js";
import { inPlace } from "./in-place.js";
import { SessionTerminals } from "./session-terminals.js";
import type { HostTerminal } from "./terminals.js";

type Names = Pick<TerminalOutputRequest, "sessionId" | "terminalId">;

/** Handlers of `terminal/*`; none where there is no host, and then nothing is advertised. */
export function terminalRoutes(desk: Desk) {
  const { terminals: host } = desk;
  if (host === undefined) return {};
  const all = new SessionTerminals(host, (report) => desk.report(report));
  const find = ({ sessionId, terminalId }: Names): HostTerminal => all.find(desk.session(sessionId), terminalId);
  return {
    "terminal/create": ({ sessionId, ...command }: CreateTerminalRequest, call: InboundCall) => {
      const session = desk.session(sessionId);
      return inPlace(session, call, async (place) => ({ terminalId: await all.create(session, command, place) }));
    },
    "terminal/output": (names: Names) => find(names).output(),
    "terminal/wait_for_exit": (names: Names, call: InboundCall) => unlessWithdrawn(find(names).exited, call),
    "terminal/kill": async (names: Names) => {
      await find(names).kill();
      return {};
    },
    "terminal/release": async (names: Names) => {
      await all.release(desk.session(names.sessionId), names.terminalId);
      return {};
    },
  };
}

function unlessWithdrawn<T>(result: Promise<T>, call: InboundCall): Promise<T> {
  return new Promise((resolve, reject) => {
    call.signal.addEventListener("abort", () => reject(RpcError.requestCancelled()), { once: true });
    result.then(resolve, reject);
  });
}
