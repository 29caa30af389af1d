import type { Answering, Asking, CallCodec, Calls, McpServer, NamedValue, SessionInfo, SessionPlace } from "../call.js";
import type { Meta } from "../content.js";
import type { ElicitationQuestion, ElicitationScope } from "../elicitation.js";
import {
  compact,
  isObject,
  list,
  meta,
  metaOrNull,
  part,
  required,
  text,
  textOrNull,
  texts,
  type Wire,
  without,
} from "./read.js";
import { record } from "./shape.js";

/** Calls of one dialect by name. A call that the dialect does not have is absent. */
export type CallTable = { readonly [K in keyof Calls]?: CallCodec<Calls[K]> };

/** Calls in one direction by name. */
type Half<H extends "ask" | "answer"> = {
  readonly [K in keyof Calls]?: H extends "ask" ? Asking<Calls[K]> : Answering<Calls[K]>;
};

/** Returns the lookup of calls as this side makes them. */
/* @__NO_SIDE_EFFECTS__ */
export function making(calls: Half<"ask">): <K extends keyof Calls>(name: K) => Asking<Calls[K]> | undefined {
  return (name) => calls[name];
}

/** Returns the lookup of calls as this side answers them. */
/* @__NO_SIDE_EFFECTS__ */
export function answering(calls: Half<"answer">): <K extends keyof Calls>(name: K) => Answering<Calls[K]> | undefined {
  return (name) => calls[name];
}

/** Returns all calls of a dialect, of which `askPermission` has its two directions apart. */
/* @__NO_SIDE_EFFECTS__ */
export function allCalls<C extends CallTable, Q extends { readonly askPermission: Asking<Calls["askPermission"]> }>(
  commands: C,
  questions: Q,
  answers: { readonly askPermission: Answering<Calls["askPermission"]> },
): C & Q & { readonly askPermission: CallCodec<Calls["askPermission"]> } {
  const askPermission = { ...questions.askPermission, ...answers.askPermission };
  return { ...commands, ...questions, askPermission };
}

/** Reads a result without members. Older writers answer `null`. */
// V1-RPC-08
export const readNothing = (wire: object): object => wire ?? {};

/** Returns a result without members, or with metadata only, as it is. */
export const asIs = (result: object): object => result;

const nothing = { encodeResult: asIs, decodeResult: readNothing };

/** Returns the call that logs in by the id of a login method. */
/* @__NO_SIDE_EFFECTS__ */
export const loginBy = (method: string): CallCodec<Calls["login"]> => ({
  method,
  encodeParams: ({ methodId }) => ({ methodId }),
  decodeParams: (wire) => ({ methodId: required((wire as Wire).methodId) }),
  ...nothing,
});

/** Returns the call that logs out. */
/* @__NO_SIDE_EFFECTS__ */
export const logoutBy = (method: string): CallCodec<Calls["logout"]> => ({
  method,
  encodeParams: ({ _meta }) => compact({ _meta }),
  decodeParams: (wire) => compact({ _meta: meta((wire as Wire)._meta) }),
  ...nothing,
});

type OnEntity<K extends string> = { readonly [id in K]: string } & { readonly _meta?: Meta | null };

/** Returns a call whose params are ids and nothing else. */
/* @__NO_SIDE_EFFECTS__ */
const on = <K extends string>(
  method: string,
  ...ids: readonly K[]
): CallCodec<{ readonly params: OnEntity<K>; readonly result: object }> => ({
  method,
  encodeParams: (params) => pick(params, ids),
  decodeParams: (wire) => pick(wire as Wire, ids) as OnEntity<K>,
  ...nothing,
});

function pick(wire: Wire | OnEntity<string>, ids: readonly string[]): object {
  const members: { [key: string]: unknown } = {};
  for (const id of ids) members[id] = required((wire as Wire)[id]);
  return compact({ ...members, _meta: metaOrNull(wire._meta) });
}

/** `session/close`, equal in every dialect. */
export const closeSession: CallCodec<Calls["closeSession"]> = /* @__PURE__ */ on("session/close", "sessionId");

/** `session/delete`, equal in every dialect. */
export const deleteSession: CallCodec<Calls["deleteSession"]> = /* @__PURE__ */ on("session/delete", "sessionId");

/** `tool_call/cancel` of version 2. */
export const cancelToolCall: CallCodec<Calls["cancelToolCall"]> = /* @__PURE__ */ on(
  "tool_call/cancel",
  "sessionId",
  "toolCallId",
);

/** `terminal/cancel` of version 2. */
export const cancelTerminal: CallCodec<Calls["cancelTerminal"]> = /* @__PURE__ */ on(
  "terminal/cancel",
  "sessionId",
  "terminalId",
);

/** `elicitation/complete`, equal in the dialects that have elicitations. */
export const completeElicitation: CallCodec<Calls["completeElicitation"]> = /* @__PURE__ */ on(
  "elicitation/complete",
  "elicitationId",
);

const info = /* @__PURE__ */ record<SessionInfo>({
  required: { sessionId: text, cwd: text },
  optional: { additionalDirectories: texts },
  nullable: { title: text, updatedAt: text },
});

/** `session/list`, equal in every dialect. */
export const listSessions: CallCodec<Calls["listSessions"]> = {
  method: "session/list",
  encodeParams: ({ cwd, cursor, _meta }) => compact({ cwd, cursor, _meta }),
  decodeParams: (wire) => {
    const { cwd, cursor, _meta } = wire as Wire;
    return compact({ cwd: textOrNull(cwd), cursor: textOrNull(cursor), _meta: meta(_meta) });
  },
  encodeResult: ({ sessions, nextCursor, _meta }) => compact({ sessions, nextCursor, _meta }),
  decodeResult: (wire) => {
    const { sessions, nextCursor, _meta } = wire as Wire;
    return compact({ sessions: list(sessions, info), nextCursor: textOrNull(nextCursor), _meta: meta(_meta) });
  },
};

/** Reads the place of a session; `server` reads one server of tools. */
export function decodePlace(wire: Wire, server: (wire: Wire) => McpServer): SessionPlace {
  return compact({
    cwd: required(wire.cwd),
    additionalDirectories: texts(wire.additionalDirectories),
    mcpServers: Array.isArray(wire.mcpServers) ? wire.mcpServers.filter(isObject).map(server) : undefined,
    _meta: meta(wire._meta),
  });
}

const namedValue = /* @__PURE__ */ record<NamedValue>({ required: { name: text, value: text } });

/** Reads environment variables or headers. Items without a name or a value are left out. */
export const namedValues = (value: unknown): readonly NamedValue[] => list(value, namedValue);

/** `elicitation/create`, equal in the dialects that have it. */
export const elicit: CallCodec<Calls["elicit"]> = {
  method: "elicitation/create",
  encodeParams: ({ scope, ...question }) => compact({ ...question, ...scope }),
  decodeParams: (wire) => ({ ...question(wire as Wire), scope: scopeOf(wire as Wire) }),
  encodeResult: asIs,
  decodeResult: (wire) => {
    const { action, content, _meta } = wire as Wire;
    if (action === "accept") {
      return compact({ action, content: isObject(content) ? content : undefined, _meta: meta(_meta) });
    }
    // An unknown action is no answer that could be acted on (V2-ELI-05).
    return compact({ action: action === "decline" ? action : "cancel", _meta: meta(_meta) });
  },
};

function question(wire: Wire): ElicitationQuestion {
  const { mode } = wire;
  const base = compact({ message: required(wire.message), _meta: meta(wire._meta) });
  const { elicitationId, url } = wire;
  if (mode === "url" && typeof elicitationId === "string" && typeof url === "string") {
    return { ...base, mode, elicitationId, url };
  }
  const form = part(wire, "requestedSchema");
  if (mode === "form") {
    // Version 1 may leave both out (V1-ELIC-05).
    return {
      ...base,
      mode,
      requestedSchema: { ...form, type: "object", properties: part(form, "properties") as never },
    };
  }
  const others = without(wire, ["sessionId", "toolCallId", "requestId"]);
  return { ...others, ...base, mode: text(mode) ?? "" } as ElicitationQuestion;
}

/** Reads the scope of a question. The session counts where both are given. */
// V1-ELIC-04
function scopeOf({ sessionId, toolCallId, requestId }: Wire): ElicitationScope {
  if (typeof sessionId === "string") return compact({ sessionId, toolCallId: textOrNull(toolCallId) });
  return { requestId: typeof requestId === "string" || typeof requestId === "number" ? requestId : null };
}
