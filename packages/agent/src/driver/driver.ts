import type {
  AgentCapabilities,
  BackgroundWork,
  ClientCapabilities,
  ContentBlock,
  DialectName,
  ElicitationAnswer,
  Implementation,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
  SessionState,
  WireEvent,
} from "@turnkit/session";
import type { Calls, Encoder, Loss } from "@turnkit/session/codec";
import type { Connection, InboundCall, RequestOptions, Room, Route } from "@turnkit/transport";
import type { RestoreSession } from "../agent-handlers.js";
import type { ClientFiles } from "../client-tools/files.js";
import type { ClientTerminals } from "../client-tools/terminals.js";
import type { OptionName } from "../config-value.js";
import type { TurnEnd } from "../prompt-job.js";

/** What a client said of itself, and the way to its extensions. */
export type ClientInfo = {
  /** What is spoken with it. Agents hardly need it: handlers are the same for all. */
  readonly dialect: DialectName;
  /** `unknown` where the client did not say. */
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /**
   * Calls an extension of the client; its name begins with `_`. Look first whether it told of it, in
   * `capabilities._meta`. It leaves at once, behind what was sent before: not behind updates that `newSession` still
   * holds, or output that a terminal still gathers. There is no time limit: use `signal`.
   *
   * @throws RpcError if the client refuses; `-32601` where it has no such extension
   * @throws ConnectionClosedError if the client went away first
   */
  request<R = unknown>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Tells an extension of the client; its name begins with `_`. After the connection's end it does nothing. */
  notify(method: `_${string}`, params: object): Room;
};

/** A prompt that was received: the dialect says when the client is answered. */
export interface PromptReceipt {
  /** Settles with the id of the user's message once that is part of the conversation; `undefined`: it never will be. */
  readonly inserted: Promise<string | undefined>;
  /** Settles at the end of the turn, when the dialect has told it as far as that is an update. */
  readonly ended: Promise<TurnEnd>;
  /** Cancels the turn, begun or not. */
  cancel(): void;
  /** Cancels it unless it was inserted. */
  withdraw(): void;
  /** The agent may begin once the prompt is inserted. */
  proceed(): void;
  /** The client was told the end: the session's next prompt may start. */
  told(): void;
}

/**
 * What every dialect asks of the runtime. All are called at receipt, in wire order; promises settle when the answer is
 * known, and reject with what the caller is to be told.
 */
export interface Service {
  readonly capabilities: AgentCapabilities;
  newSession(params: Calls["newSession"]["params"], call: InboundCall): Promise<Calls["newSession"]["result"]>;
  restoreSession(request: RestoreSession, call: InboundCall): Promise<Calls["loadSession"]["result"]>;
  /** @throws RpcError for a prompt that is refused at once */
  prompt(params: Calls["prompt"]["params"], call: InboundCall): PromptReceipt;
  cancel(sessionId: string): void;
  /** @throws RpcError `-32602` for a call that offers no cancel */
  cancelToolCall(params: Calls["cancelToolCall"]["params"]): void;
  /** @throws RpcError `-32602` for a terminal that offers no cancel */
  cancelTerminal(params: Calls["cancelTerminal"]["params"]): void;
  setConfigOption(choice: OptionChoice, call: InboundCall): Promise<Calls["setConfigOption"]["result"]>;
  listSessions(params: Calls["listSessions"]["params"], call: InboundCall): Promise<Calls["listSessions"]["result"]>;
  closeSession(sessionId: string, call: InboundCall): Promise<void>;
  deleteSession(sessionId: string, call: InboundCall): Promise<void>;
  login(methodId: string, call: InboundCall): Promise<void>;
  logout(signal: AbortSignal): Promise<void>;
  /** Asked for what the dialect itself does not know. */
  extension(method: string, client: ClientInfo): Route | undefined;
}

/** A value that a client chose for an option; a `type` means a kind of value that nobody here knows. */
export type OptionChoice = OptionName & {
  readonly sessionId: string;
  readonly value: string | boolean;
  readonly type?: unknown;
};

/** A session as a driver sees it. */
export type DriverSession = {
  readonly id: string;
  readonly state: SessionState;
  /** What goes on besides turns, if its agent reports that. */
  readonly background: readonly BackgroundWork[] | undefined;
  /** Stores, folds and sends an event that nobody changes any more. */
  tell(event: WireEvent): Room;
  /** Takes note of something that is not sent. */
  record(event: SessionEvent): void;
};

/** A prompt at the moment in which it becomes part of the conversation. */
export type InsertedPrompt = { readonly messageId: string; readonly prompt: readonly ContentBlock[] };

/** How long something lasts that is lent: until the signal fires, which is made when somebody asks for it. */
export type Lifetime = { readonly signal: AbortSignal };

/** One dialect as an agent speaks it to one client. */
export interface Driver {
  readonly client: ClientInfo;
  /** What the agent can do as far as the dialect has it: sessions are checked against this. */
  readonly offers: AgentCapabilities;
  readonly routes: (method: string) => Route | undefined;
  /** Whether a request may have the id `null`: the older dialects allow it. */
  readonly nullIds: boolean;
  /** Whether answers that open a session carry its commands; otherwise an update follows them. */
  readonly commandsInAnswers: boolean;
  createEncoder(onLoss: (loss: Loss) => void): Encoder;
  /** True if each addition to the content of a tool call sends all of it again. */
  readonly repeatsContents: boolean;
  /** A prompt is inserted and its turn begins: says what the dialect says of that. */
  begin(session: DriverSession, prompt: InsertedPrompt): void;
  /** A turn that began has ended; nothing of it follows. */
  end(session: DriverSession, messageId: string, end: TurnEnd): void;
  /** The turn that runs waits for the user, or does not any more. */
  waiting(session: DriverSession, forUser: boolean): void;
  /** The list of background work is another one. */
  backgroundChanged(session: DriverSession): void;
  /** The handler brought a session back and the replay is sent; the answer follows. */
  restored(session: DriverSession): void;
  askPermission(sessionId: string, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  /** Called only for modes that the client offers. */
  elicit(question: Calls["elicit"]["params"], signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Called only where the client offers URLs. */
  completeElicitation(elicitationId: string): void;
  /** `undefined` where the client or the dialect has none; usable for that time. */
  files(sessionId: string, lifetime: Lifetime): ClientFiles | undefined;
  /** Like {@link files}; what was created is released at its end. */
  terminals(sessionId: string, lifetime: Lifetime): ClientTerminals | undefined;
}

/** What happened on a connection since its last `initialize`. */
export type History = { readonly requested: boolean; readonly sessions: number };

/** What a driver is made of. */
export type DriverParts = {
  readonly connection: Connection;
  readonly service: Service;
  readonly client: ClientInfo;
  onLoss(loss: Loss, sessionId?: string): void;
};

/** One dialect as an agent speaks it, before a driver exists: its `initialize`. */
export interface Dialect {
  readonly dialect: DialectName;
  readonly version: number;
  /** The month of its text: of two that both sides speak the later counts. */
  readonly since: `${number}-${number}`;
  /** Whether a client that asked for this very version speaks this dialect of it. */
  fits(params: object): boolean;
  /**
   * @param asked whether the client asked for this very version: else what it said otherwise reads as absent
   * @throws RpcError `-32602` where the params do not fit
   */
  readHello(params: object, asked: boolean): Calls["initialize"]["params"];
  /** Whether `initialize` may come again. */
  mayRepeat(history: History): boolean;
  answerHello(answer: Omit<Calls["initialize"]["result"], "protocolVersion">, client: ClientInfo): object;
  createDriver(parts: DriverParts): Driver;
}
