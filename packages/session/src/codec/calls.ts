import type {
  AgentCapabilities,
  Answering,
  Asking,
  CallCodec,
  Calls,
  ClientCapabilities,
  SessionInfo,
} from "../call.js";
import type { Meta } from "../content.js";
import type { ElicitationQuestion, ElicitationScope } from "../elicitation.js";
import type { ConfigOption } from "../settings.js";
import type { CallTable } from "./codec.js";
import { type DialectName, type Lost, lostIn } from "./losses.js";
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
import { type Reader, record } from "./shape.js";
import type { NamedCall } from "./wire-handlers.js";

/** Returns all calls of a dialect. The two directions of `askPermission` are passed separately. */
/* @__NO_SIDE_EFFECTS__ */
export function allCalls<C extends CallTable, Q extends { readonly askPermission: Asking<Calls["askPermission"]> }>(
  commands: C,
  questions: Q,
  answers: { readonly askPermission: Answering<Calls["askPermission"]> },
): C & Q & { readonly askPermission: CallCodec<Calls["askPermission"]> } {
  const askPermission = { ...questions.askPermission, ...answers.askPermission };
  return { ...commands, ...questions, askPermission };
}

/** Reads a result without members. Older programs answer with `null`. */
// V1-RPC-08
const readNothing = (wire: object): object => wire ?? {};

/** Returns a result unchanged. It has no members, or only metadata. */
export const asIs = (result: object): object => result;

const nothing = { encodeResult: asIs, decodeResult: readNothing };

type OnEntity<K extends string> = { readonly [id in K]: string } & { readonly _meta?: Meta | null };

/** Returns a call whose params contain only ids. */
/* @__NO_SIDE_EFFECTS__ */
export const on = <K extends string>(
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

/** Call `elicitation/complete`. Its form is the same in all dialects with elicitations. */
const completeElicitation: CallCodec<Calls["completeElicitation"]> = /* @__PURE__ */ on(
  "elicitation/complete",
  "elicitationId",
);

const info = /* @__PURE__ */ record<SessionInfo>({
  required: { sessionId: text, cwd: text },
  optional: { additionalDirectories: texts },
  nullable: { title: text, updatedAt: text },
});

/** Call `session/list`. Its form is the same in every dialect. */
const listSessions: CallCodec<Calls["listSessions"]> = {
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

/**
 * Returns the calls of clients that exist in every dialect. The dialect provides its methods for login and logout, and
 * its options.
 */
/* @__NO_SIDE_EFFECTS__ */
export const commonCommands = (methods: { readonly login: string; readonly logout: string }, options: SettingParts) =>
  ({
    login: on(methods.login, "methodId"),
    logout: on(methods.logout),
    listSessions,
    closeSession: on("session/close", "sessionId"),
    deleteSession: on("session/delete", "sessionId"),
    setConfigOption: setOptionCall(options),
  }) satisfies CallTable;

/** Capabilities of an agent that calls require. If a call is not in this table, every agent supports it. */
export const neededCapability = {
  logout: "logout",
  loadSession: "load",
  resumeSession: "resume",
  listSessions: "list",
  closeSession: "close",
  deleteSession: "delete",
} as const satisfies { readonly [K in keyof Calls]?: keyof AgentCapabilities };

/** Names of the session capabilities that are markers in every dialect. */
export const SESSION_MARKS = ["delete", "additionalDirectories"] as const;

/** Names of the login capabilities that are markers in version 1 and seed. */
export const AUTH_MARKS = ["logout"] as const;

/** Methods for login and logout. */
export const auth = { login: "auth/login", logout: "auth/logout" };

/** Methods for login and logout in version 1 and seed. */
export const olderAuth = { login: "authenticate", logout: "logout" };

/** Returns the calls of agents in a dialect with elicitations. The dialect provides its permission question. */
/* @__NO_SIDE_EFFECTS__ */
export const callsOfAgents = <A>(askPermission: A) => ({ askPermission, elicit, completeElicitation });

/** Call `elicitation/create`. Its form is the same in all dialects with elicitations. */
const elicit: CallCodec<Calls["elicit"]> = {
  method: "elicitation/create",
  encodeParams: ({ scope, ...question }) => compact({ ...question, ...scope }),
  decodeParams: (wire) => ({ ...question(wire as Wire), scope: scopeOf(wire as Wire) }),
  encodeResult: asIs,
  decodeResult: (wire) => {
    const { action, content, _meta } = wire as Wire;
    if (action === "accept") {
      return compact({ action, content: isObject(content) ? content : undefined, _meta: meta(_meta) });
    }
    // An answer with an unknown action allows nothing (V2-ELI-05).
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
    // Version 1 may leave out both members (V1-ELIC-05).
    return {
      ...base,
      mode,
      requestedSchema: { ...form, type: "object", properties: part(form, "properties") as never },
    };
  }
  const others = without(wire, ["sessionId", "toolCallId", "requestId"]);
  return { ...others, ...base, mode: text(mode) ?? "" } as ElicitationQuestion;
}

/** Reads the scope of an elicitation. If both a session and a request are given, the session counts. */
// V1-ELIC-04
function scopeOf({ sessionId, toolCallId, requestId }: Wire): ElicitationScope {
  if (typeof sessionId === "string") return compact({ sessionId, toolCallId: textOrNull(toolCallId) });
  return { requestId: typeof requestId === "string" || typeof requestId === "number" ? requestId : null };
}

const CATEGORIES = { setMode: "mode", setModel: "model" } as const;

/** Call that changes an option. */
export type SettingCall = NamedCall<"setConfigOption" | keyof typeof CATEGORIES>;

/** Returns the call that changes an option. Version 1 has separate calls for modes and models. */
export function settingCall(
  { configId, setBy }: ConfigOption,
  { sessionId, value }: { readonly sessionId: string; readonly value: string | boolean },
): SettingCall {
  if (setBy === undefined) return { name: "setConfigOption", params: { sessionId, configId, value } };
  const name = setBy === "session/set_mode" ? "setMode" : "setModel";
  return { name, params: { sessionId, value: String(value) } };
}

/** Returns `true` for a call that changes an option. */
export function isSettingCall(call: NamedCall): call is SettingCall {
  return call.name === "setConfigOption" || call.name in CATEGORIES;
}

/** Returns the option that a call changes, or `undefined` if no such option exists. */
export function optionToChange(call: SettingCall, options: readonly ConfigOption[] = []): ConfigOption | undefined {
  return options.find((option) =>
    call.name === "setConfigOption"
      ? option.configId === call.params.configId
      : option.category === CATEGORIES[call.name],
  );
}

/** Functions for the options and values of one dialect. */
export type SettingParts = Pick<CallCodec<Calls["setConfigOption"]>, "encodeParams" | "decodeParams"> & {
  readonly dialect: DialectName;
  readonly readOption: Reader<ConfigOption>;
  writeOptions(options: readonly ConfigOption[], lost: Lost, peer: ClientCapabilities | undefined): unknown;
};

/** Returns the call that changes an option by its id, in the form of a dialect. */
/* @__NO_SIDE_EFFECTS__ */
const setOptionCall = ({
  dialect,
  encodeParams,
  decodeParams,
  readOption,
  writeOptions,
}: SettingParts): CallCodec<Calls["setConfigOption"]> => ({
  method: "session/set_config_option",
  encodeParams,
  decodeParams,
  encodeResult: ({ configOptions }, peer, onLoss) => ({
    configOptions: writeOptions(configOptions, lostIn(dialect, "setConfigOption", onLoss), peer),
  }),
  decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, readOption) }),
});
