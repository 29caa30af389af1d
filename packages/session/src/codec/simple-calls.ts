import type { Answering, Asking, CallCodec, Calls, SessionInfo } from "../call.js";
import type { Meta } from "../content.js";
import { compact, list, meta, metaOrNull, required, textOrNull, texts, type Wire } from "./read.js";
import { record } from "./shape.js";

/** An answer that says no more than that it is one; older writers answer `null` (V1-RPC-08). */
export const readNothing = (wire: object): object => wire ?? {};

const nothing = { encodeResult: (result: object): object => result, decodeResult: readNothing };

/** A call with the id of a login method. */
export const loginBy = (method: string): CallCodec<Calls["login"]> => ({
  method,
  encodeParams: ({ methodId }) => ({ methodId }),
  decodeParams: (wire) => ({ methodId: required((wire as Wire).methodId) }),
  ...nothing,
});

/** A call without params of its own. */
export const logoutBy = (method: string): CallCodec<Calls["logout"]> => ({
  method,
  encodeParams: ({ _meta }) => compact({ _meta }),
  decodeParams: (wire) => compact({ _meta: meta((wire as Wire)._meta) }),
  ...nothing,
});

type OnEntity<K extends string> = { readonly [id in K]: string } & { readonly _meta?: Meta | null };

/** A call whose params are ids and nothing else. */
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

/** `session/close`, the same in every dialect. */
export const closeSession: CallCodec<Calls["closeSession"]> = /* @__PURE__ */ on("session/close", "sessionId");

/** `session/delete`, the same in every dialect. */
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

/** `elicitation/complete`, where there are elicitations. */
export const completeElicitation: CallCodec<Calls["completeElicitation"]> = /* @__PURE__ */ on(
  "elicitation/complete",
  "elicitationId",
);

/** `session/list`, the same in every dialect, as an agent answers it. */
export const answerListSessions: Answering<Calls["listSessions"]> = {
  method: "session/list",
  decodeParams: (wire) => {
    const { cwd, cursor, _meta } = wire as Wire;
    return compact({ cwd: textOrNull(cwd), cursor: textOrNull(cursor), _meta: meta(_meta) });
  },
  encodeResult: ({ sessions, nextCursor, _meta }) => compact({ sessions, nextCursor, _meta }),
};

/** {@link answerListSessions}, as a client makes it. */
export const askListSessions: Asking<Calls["listSessions"]> = {
  method: "session/list",
  encodeParams: ({ cwd, cursor, _meta }) => compact({ cwd, cursor, _meta }),
  decodeResult: (wire) => {
    const { sessions, nextCursor, _meta } = wire as Wire;
    return compact({ sessions: list(sessions, info), nextCursor: textOrNull(nextCursor), _meta: meta(_meta) });
  },
};

const info = /* @__PURE__ */ record<SessionInfo>("sessionId cwd additionalDirectories? title~ updatedAt~ _meta?", {
  additionalDirectories: texts,
});
