import type { AuthMethod, Implementation } from "@turnkit/session";
import { type Connection, checkArgument, type InboundCall, type Route, RpcError } from "@turnkit/transport";
import type { ClientInfo } from "./client-info.js";
import { createDriver, type Dialect, type Driver, type DriverParts, type Service } from "./driver/driver.js";

/** Parts of the negotiation of one connection. */
export type NegotiationOptions = {
  readonly connection: Connection;
  readonly service: Service;
  readonly info: Implementation;
  readonly authMethods: readonly AuthMethod[];
  readonly dialects: readonly Dialect[];
  /** Returns true while the connection has sessions. */
  hasSessions(): boolean;
  onLoss: DriverParts["onLoss"];
  agreed(driver: Driver): void;
};

// V1-INIT-02, V2-INIT-09
/**
 * Returns the routes of a connection. Before `initialize` is answered, all other requests are refused with `-32600`, and
 * notifications are ignored.
 */
export function createNegotiation(options: NegotiationOptions): (method: string) => Route | undefined {
  // Several dialects of one version may fit the client. The newest is preferred.
  const spoken = options.dialects.toSorted((one, other) => (one.since < other.since ? 1 : -1));
  let agreed: Driver | undefined;
  let requested = false;

  const hello: Route = {
    receive(params: { protocolVersion?: unknown }, { message }) {
      const history = { requested, hasSessions: options.hasSessions() };
      if (agreed?.dialect.mayRepeat(history) === false) throw RpcError.invalidRequest("initialize came before");
      const { dialect, asked } = agree(params, spoken);
      if (agreed !== undefined && dialect.version < agreed.dialect.version) {
        throw RpcError.invalidRequest("a higher version was agreed on before");
      }
      const { connection, service, info, onLoss } = options;
      const said = dialect.readHello(params, asked);
      if (message.id === null && !dialect.nullIds) throw RpcError.invalidRequest("an id is a string or an integer");
      const client: ClientInfo = {
        dialect: dialect.dialect,
        info: said.info,
        capabilities: said.capabilities,
        request: async (method, params, options) => {
          checkCustomName("client.request", method);
          return connection.request(method, params, options);
        },
        notify(method, params) {
          checkCustomName("client.notify", method);
          return connection.notify(method, params);
        },
      };
      agreed = createDriver(dialect, { connection, service, client, onLoss });
      options.agreed(agreed);
      const { terminalLogin } = client.capabilities;
      return dialect.codec.answer.initialize.encodeResult({
        protocolVersion: dialect.version,
        info,
        capabilities: service.capabilities,
        // A login on a terminal is offered only to clients with a terminal.
        authMethods: options.authMethods.filter(({ type }) => type !== "terminal" || terminalLogin),
      });
    },
  };

  return (method) => {
    if (method === "initialize") return hello;
    if (agreed === undefined) return notYet;
    requested ||= !NOTIFICATIONS.includes(method);
    return agreed.routes(method) ?? options.service.extension(method, agreed.client);
  };
}

/** Methods of notifications. All other methods of clients are requests. */
export const NOTIFICATIONS: readonly string[] = ["session/cancel", "$/cancel_request"];

const notYet: Route = {
  receive(_params: unknown, call: InboundCall) {
    if ("id" in call.message) throw RpcError.invalidRequest(`${call.message.method} came before initialize`);
  },
};

// V2-INIT-04, V1-INIT-05, V2-INIT-05
/**
 * Returns the dialect of the highest version that is not above the client's version. An agent of version 1 alone answers
 * with version 1 to clients of a lower version. `asked` is true if the client asked for the version of the returned
 * dialect.
 */
function agree(
  params: { protocolVersion?: unknown },
  spoken: readonly Dialect[],
): { readonly dialect: Dialect; readonly asked: boolean } {
  const { protocolVersion: requested } = params;
  if (!isVersion(requested)) throw RpcError.invalidParams("initialize needs a protocolVersion");
  const fallback = spoken[0]?.version === 1 ? spoken[0] : undefined;
  const { version } = spoken.find((dialect) => dialect.version <= requested) ?? fallback ?? {};
  const asked = version === requested;
  const ofVersion = spoken.filter((candidate) => candidate.version === version);
  const dialect = ofVersion.find((candidate) => !asked || candidate.fits(params)) ?? ofVersion[0];
  if (dialect !== undefined) return { dialect, asked };
  const supported = [...new Set(spoken.map((candidate) => candidate.version))];
  throw RpcError.unsupportedProtocolVersion(requested, supported);
}

/** @throws TypeError for the name of a method that is not custom */
function checkCustomName(call: string, method: unknown): void {
  const isCustom = typeof method === "string" && method.startsWith("_");
  checkArgument(isCustom, `${call} method`, { got: method, remedy: 'names of custom methods begin with "_"' });
}

const isVersion = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff;
