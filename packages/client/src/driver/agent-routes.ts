import type { SessionEvent } from "@turnkit/session";
import type { ClientCodec } from "@turnkit/session/codec";
import { type Contract, createRoutes, type Handlers, type InboundCall, type Route } from "@turnkit/transport";
import type { Desk } from "./driver.js";

type Update = { readonly sessionId: string; readonly update: unknown };

/** What an agent may call in every dialect, and `more` where a dialect has it. */
export function agentRoutes(
  desk: Desk,
  contract: Contract,
  codec: ClientCodec,
  more: Handlers = {},
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
    ...elicitationRoutes(desk, codec),
    ...more,
  });
  return (method) => routes(method) ?? desk.extension(method);
}

function elicitationRoutes(desk: Desk, codec: ClientCodec): Handlers {
  const elicit = codec.answer("elicit");
  const complete = codec.answer("completeElicitation");
  return {
    "elicitation/create":
      elicit &&
      (async (params: object, call: InboundCall) => {
        const { scope, ...question } = elicit.decodeParams(params);
        return elicit.encodeResult(await desk.elicit(scope, question, call));
      }),
    "elicitation/complete":
      complete && ((params: object) => desk.completed(complete.decodeParams(params).elicitationId)),
  };
}

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
