import type {
  AgentCapabilities,
  Calls,
  ClientCapabilities,
  Dialect,
  Encoder,
  Implementation,
  Loss,
  PermissionOutcome,
  PermissionQuestion,
} from "@turnkit/session";
import type { Connection, Contract, InboundCall, Route } from "@turnkit/transport";
import type { ClientFiles } from "../client-tools/files.js";
import type { ClientTerminals } from "../client-tools/terminals.js";
import type { TurnEnd } from "../turn-queue.js";

/** What a client said of itself. */
export type ClientInfo = {
  readonly dialect: Dialect;
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
};

/** What every dialect asks of the runtime. All run at receipt, in wire order; promises settle when the answer is known. */
export interface Service {
  readonly capabilities: AgentCapabilities;
  newSession(params: Calls["newSession"]["params"], call: InboundCall): Promise<Calls["newSession"]["result"]>;
  restoreSession(
    params: Calls["loadSession"]["params"],
    replay: boolean,
    call: InboundCall,
  ): Promise<Calls["loadSession"]["result"]>;
  prompt(params: Calls["prompt"]["params"], call: InboundCall): Promise<TurnEnd>;
  cancel(sessionId: string): void;
  setConfigOption(
    params: Calls["setConfigOption"]["params"],
    call: InboundCall,
  ): Promise<Calls["setConfigOption"]["result"]>;
  /** The option that a version 1 mode or model stands for. */
  optionOf(sessionId: string, category: "mode" | "model"): string;
  closeSession(sessionId: string, call: InboundCall): Promise<void>;
  /** The runtime's extensions come after the dialect's own methods. */
  login(methodId: string, signal: AbortSignal): Promise<void>;
  extension(method: string): Route | undefined;
}

/** One dialect as an agent speaks it to one client. */
export interface Driver {
  readonly client: ClientInfo;
  readonly contract: Contract;
  readonly routes: (method: string) => Route | undefined;
  createEncoder(onLoss: (loss: Loss) => void): Encoder;
  askPermission(sessionId: string, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  /** `undefined` where the client or the dialect has none. */
  files(sessionId: string, signal: AbortSignal): ClientFiles | undefined;
  /** What was created is released when `over` fires. */
  terminals(sessionId: string, signal: AbortSignal, over: AbortSignal): ClientTerminals | undefined;
}

/** One version of the protocol before a driver exists: its `initialize`. */
export interface Dialogue {
  readonly version: number;
  /** @throws RpcError `-32602` where the params do not fit */
  readHello(params: object): Calls["initialize"]["params"];
  answerHello(answer: Omit<Calls["initialize"]["result"], "protocolVersion">, client: ClientInfo): object;
  createDriver(connection: Connection, service: Service, hello: Calls["initialize"]["params"]): Driver;
}
