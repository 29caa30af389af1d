import type { SessionEvent } from "@turnkit/session";
import type { ClientCodec } from "@turnkit/session/codec";
import { type Contract, createRoutes, type InboundCall, type Route, RpcError } from "@turnkit/transport";
import type { Desk } from "./driver.js";

type Update = { readonly sessionId: string; readonly update: unknown };
type Routes = { readonly [method: string]: Route };

/** What an agent may call in every dialect, and what the client's hosts answer where a dialect has them. */
export function agentRoutes(
  desk: Desk,
  contract: Contract,
  codec: ClientCodec,
  hosts: Routes = {},
): (method: string) => Route | undefined {
  const permission = codec.answer("askPermission");
  const routes = createRoutes(contract, "client", {
    "session/update": ({ sessionId, update }: Update, call: InboundCall) =>
      receive(desk, sessionId, codec.decode(update), call.bytes),
    "session/request_permission":
      permission &&
      (async (params: object, call: InboundCall) => {
        const { sessionId, ...question } = permission.decodeParams(params);
        return permission.encodeResult({ outcome: await desk.ask(sessionId, question, call) });
      }),
  });
  const offered = new Map(Object.entries({ ...(desk.elicitations?.routes(desk, codec) ?? UNASKED), ...hosts }));
  return (method) => routes(method) ?? offered.get(method) ?? desk.extension(method);
}

/** A client that asks the person nothing says so in its own words (V1-ELIC-08, V2-ELI-03). */
const UNASKED: Routes = {
  "elicitation/create": {
    receive() {
      throw RpcError.invalidParams("this client does not ask the person anything");
    },
  },
  "elicitation/complete": { receive: () => undefined },
};

/** A known kind of update that does not read is dropped (V2-DEC-06, V2-DEC-09); one of an unknown kind is kept. */
function receive(desk: Desk, sessionId: string, events: readonly SessionEvent[], bytes: number): void {
  const sound = events.every(isSound) ? events : events.filter(isSound);
  for (const event of sound === events ? [] : events) {
    if (event.type !== "unknown" || event.reason === undefined) continue;
    const message = `An update was dropped: ${event.reason}.`;
    desk.report({ code: "invalid_message", method: "session/update", sessionId, message });
  }
  if (sound.length > 0) desk.update(sessionId, sound, bytes);
}

const isSound = (event: SessionEvent): boolean => event.type !== "unknown" || event.reason === undefined;
