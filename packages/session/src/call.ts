import type { StopReason, TokenUsage } from "./activity.js";
import type { DialectName, OnLoss } from "./codec/losses.js";
import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type { ElicitationAnswer, ElicitationQuestion, ElicitationScope } from "./elicitation.js";
import type { PermissionOutcome, PermissionQuestion } from "./permission.js";
import type { AvailableCommand, ConfigOption } from "./settings.js";

/** Name and version of a program that speaks the protocol; people see `title`, else `name`. */
export type Implementation = {
  readonly name: string;
  readonly version: string;
  readonly title?: string | null;
  readonly _meta?: Meta | null;
};

/** Capabilities of a client. */
export type ClientCapabilities = {
  /** Version 1 only: `fs/read_text_file` and `fs/write_text_file`. */
  readonly files: { readonly read: boolean; readonly write: boolean };
  /** Version 1 only: `terminal/*`. */
  readonly terminals: boolean;
  readonly terminalLogin: boolean;
  readonly elicitation: { readonly form: boolean; readonly url: boolean };
  /** Version 1 gates these; version 2 has them always. */
  readonly notices: boolean;
  readonly compaction: boolean;
  readonly booleanOptions: boolean;
  /** Child sessions, and messages between sessions. */
  readonly subagents: boolean;
  /** Plans by id, and in Markdown. */
  readonly plans: boolean;
  readonly _meta?: Meta | null;
};

/** Capabilities of an agent. */
export type AgentCapabilities = {
  /** Restore a session and replay what was said. */
  readonly load: boolean;
  /** Restore a session without a replay. */
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly additionalDirectories: boolean;
  readonly logout: boolean;
  readonly prompt: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
  readonly mcp: { readonly stdio: boolean; readonly http: boolean; readonly sse: boolean };
  /** `false`: the agent has no sessions at all, which only version 2 can say. */
  readonly sessions?: boolean;
  readonly _meta?: Meta | null;
};

/** A name with a value: an environment variable or an HTTP header. */
export type NamedValue = { readonly name: string; readonly value: string; readonly _meta?: Meta | null };

/** A way to log in. `agent`: the agent does it when asked; `terminal`: the client runs the agent's own login. */
export type AuthMethod = {
  readonly methodId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly _meta?: Meta | null;
} & (
  | { readonly type: "agent" }
  | { readonly type: "terminal"; readonly args: readonly string[]; readonly env: readonly NamedValue[] }
  | { readonly type: UnknownTag }
);

/** A server of tools that the agent is to connect to. `sse` exists in version 1 only. */
export type McpServer = { readonly name: string; readonly _meta?: Meta | null } & (
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: readonly NamedValue[];
    }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: readonly NamedValue[] }
  | { readonly type: UnknownTag }
);

/** Place of a session: its directories and its servers of tools. */
export type SessionPlace = {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; more roots after `cwd`. */
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
  readonly _meta?: Meta | null;
};

/** Lists in the answer that opens a session. */
export type SessionLists = {
  readonly configOptions?: readonly ConfigOption[] | null;
  readonly availableCommands?: readonly AvailableCommand[] | null;
  readonly _meta?: Meta | null;
};

/** Start of a replay. An agent refuses an unknown type. */
// V2-SES-09
export type ReplayFrom = { readonly type: "start"; readonly _meta?: Meta | null } | { readonly type: UnknownTag };

/** Session as `session/list` describes it. */
export type SessionInfo = {
  readonly sessionId: string;
  readonly cwd: string;
  /** The complete list; absent: none reported. */
  readonly additionalDirectories?: readonly string[];
  readonly title?: string | null;
  /** RFC 3339. */
  readonly updatedAt?: string | null;
  readonly _meta?: Meta | null;
};

/** Query for sessions; `cwd` selects sessions of exactly that folder. Cursors are the agent's own. */
export type ListSessions = {
  readonly cwd?: string | null;
  readonly cursor?: string | null;
  readonly _meta?: Meta | null;
};

/** Page of sessions, with the cursor of the next page if there is one. */
export type SessionPage = {
  readonly sessions: readonly SessionInfo[];
  /** Absent or `null`: the end. An empty string is a cursor like any other. */
  readonly nextCursor?: string | null;
  readonly _meta?: Meta | null;
};

type OfSession = { readonly sessionId: string; readonly _meta?: Meta | null };
type Nothing = { readonly params: OfSession; readonly result: object };

/** Params and results of every call that has a shape in each version, in one neutral form. */
export type Calls = {
  readonly initialize: {
    readonly params: {
      readonly protocolVersion: number;
      readonly info: Implementation;
      readonly capabilities: ClientCapabilities;
      /** Dialect of the client, by the shape of its params. Present only in decoded params. */
      readonly dialect?: DialectName;
      /** Leaves out the members that only a version 1 agent reads. Version 2 only. */
      // V2-INIT-18
      readonly plain?: boolean;
      readonly _meta?: Meta | null;
    };
    readonly result: {
      readonly protocolVersion: number;
      readonly info: Implementation;
      readonly capabilities: AgentCapabilities;
      readonly authMethods: readonly AuthMethod[];
      /** Dialect of the agent, by the shape of its result. Present only in a decoded result. */
      readonly dialect?: DialectName;
      readonly _meta?: Meta | null;
    };
  };
  readonly login: { readonly params: { readonly methodId: string }; readonly result: object };
  readonly logout: { readonly params: { readonly _meta?: Meta | null }; readonly result: object };
  readonly newSession: {
    readonly params: SessionPlace;
    readonly result: SessionLists & { readonly sessionId: string };
  };
  /** Restores a session and replays its conversation. */
  readonly loadSession: {
    readonly params: SessionPlace & { readonly sessionId: string };
    readonly result: SessionLists;
  };
  /** Without a replay, except that version 2 may ask for one. */
  readonly resumeSession: {
    readonly params: SessionPlace & { readonly sessionId: string; readonly replayFrom?: ReplayFrom | null };
    readonly result: SessionLists;
  };
  readonly listSessions: { readonly params: ListSessions; readonly result: SessionPage };
  readonly closeSession: Nothing;
  readonly deleteSession: Nothing;
  readonly prompt: {
    readonly params: {
      readonly sessionId: string;
      readonly prompt: readonly ContentBlock[];
      readonly _meta?: Meta | null;
    };
    /**
     * Answer to a prompt. Version 1 and seed: the stop reason, because the turn is over. Version 2: the id of the
     * message that the prompt became. Drafts between them: nothing.
     */
    // V2-SEED-02
    readonly result: {
      readonly stopReason?: StopReason;
      readonly messageId?: string;
      readonly usage?: TokenUsage | null;
      readonly _meta?: Meta | null;
    };
  };
  readonly setConfigOption: {
    readonly params: {
      readonly sessionId: string;
      readonly configId: string;
      readonly value: string | boolean;
      /** Type of a value that this version does not know. An agent refuses it. */
      // V2-CFG-04
      readonly type?: UnknownTag;
    };
    readonly result: { readonly configOptions: readonly ConfigOption[] };
  };
  /** Version 1 only. */
  readonly setMode: {
    readonly params: { readonly sessionId: string; readonly value: string };
    readonly result: object;
  };
  /** Version 1 of the year 2025 only. */
  readonly setModel: {
    readonly params: { readonly sessionId: string; readonly value: string };
    readonly result: object;
  };
  readonly askPermission: {
    readonly params: PermissionQuestion & { readonly sessionId: string };
    readonly result: { readonly outcome: PermissionOutcome };
  };
  readonly elicit: {
    readonly params: ElicitationQuestion & { readonly scope: ElicitationScope };
    readonly result: ElicitationAnswer;
  };
  /** A notification. */
  readonly completeElicitation: {
    readonly params: { readonly elicitationId: string; readonly _meta?: Meta | null };
    readonly result: object;
  };
  /** Version 2 only. `{}` means that the cancel was accepted, not that anything stopped. */
  readonly cancelToolCall: {
    readonly params: OfSession & { readonly toolCallId: string };
    readonly result: object;
  };
  /** Version 2 only, like `cancelToolCall`. */
  readonly cancelTerminal: {
    readonly params: OfSession & { readonly terminalId: string };
    readonly result: object;
  };
};

/**
 * Call in one dialect. `decode…` expects values that the dialect's schema accepted, and never throws. Losses are
 * reported to `onLoss`.
 */
export type CallCodec<C extends { readonly params: unknown; readonly result: unknown }> = {
  readonly method: string;
  encodeParams(params: C["params"], onLoss?: OnLoss): object;
  decodeParams(wire: object): C["params"];
  /**
   * Writes a result for a client with the capabilities `peer`. What the client cannot read is written in a form that
   * every client reads.
   */
  encodeResult(result: C["result"], peer?: ClientCapabilities, onLoss?: OnLoss): object;
  decodeResult(wire: object): C["result"];
};

type Call = { readonly params: unknown; readonly result: unknown };

/** Part of a call for the side that makes it. */
export type Asking<C extends Call> = Pick<CallCodec<C>, "method" | "encodeParams" | "decodeResult">;

/** Part of a call for the side that answers it. */
export type Answering<C extends Call> = Pick<CallCodec<C>, "method" | "decodeParams" | "encodeResult">;
