import type { AuthMethod, Implementation } from "@turnkit/session";
import { type Connection, type InboundCall, type Route, RpcError } from "@turnkit/transport";
import type { Dialogue, Driver, Service } from "./driver/driver.js";
import { v1Dialogue } from "./driver/v1.js";

/** The versions that this agent speaks, newest first. */
const dialogues: readonly Dialogue[] = [v1Dialogue];

/** What the handshake of one connection needs. */
export type HandshakeOptions = {
  readonly connection: Connection;
  readonly service: Service;
  readonly info: Implementation;
  readonly authMethods: readonly AuthMethod[];
  /** A repeated `initialize` begins anew as long as this holds (V1-INIT-16). */
  mayRepeat(): boolean;
  agreed(driver: Driver): void;
};

/**
 * The routes of a connection, before and after both sides agreed on a version: until then every other request is
 * refused with `-32600` and notifications are ignored (V1-INIT-02).
 */
export function createHandshake(options: HandshakeOptions): (method: string) => Route | undefined {
  let driver: Driver | undefined;

  const hello: Route = {
    receive(params: { protocolVersion?: unknown }) {
      if (driver !== undefined && !options.mayRepeat()) throw RpcError.invalidRequest("initialize came before");
      const dialogue = agree(params.protocolVersion);
      const { connection, service, info, authMethods } = options;
      driver = dialogue.createDriver(connection, service, dialogue.readHello(params));
      options.agreed(driver);
      return dialogue.answerHello({ info, capabilities: service.capabilities, authMethods }, driver.client);
    },
  };

  return (method) => {
    if (method === "initialize") return hello;
    return driver === undefined ? notYet : driver.routes(method);
  };
}

const notYet: Route = {
  receive(_params: unknown, call: InboundCall) {
    if ("id" in call.message) throw RpcError.invalidRequest(`${call.message.method} came before initialize`);
  },
};

/** The version that was asked for, else the newest (V1-INIT-05). */
function agree(requested: unknown): Dialogue {
  const newest = dialogues[0] as Dialogue;
  return dialogues.find(({ version }) => version === requested) ?? newest;
}
