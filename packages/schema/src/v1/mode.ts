import { sessionId } from "../both/identifiers.js";
import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

/** Identifier of a mode of a session. */
export type SessionModeId = string;
/** Validates a {@link SessionModeId}. */
export const sessionModeId: Schema<SessionModeId> = string();

const sessionMode_ = object({
  /** Name on the wire. */
  id: sessionModeId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Mode of working, such as asking first or only planning. */
export interface SessionMode extends Infer<typeof sessionMode_> {}
/** Validates a {@link SessionMode}. */
export const sessionMode: Schema<SessionMode> = sessionMode_;

const sessionModeState_ = object({
  /** The mode that the session is in. */
  currentModeId: sessionModeId,
  /** All modes that it can be in; malformed ones are dropped. They never change later. */
  availableModes: requiredOr(sifted(sessionMode), []),
});
// V1-MODE-01, V1-MODE-07
/** The modes of a session when it begins. Config options supersede them: a client that knows both uses those. */
export interface SessionModeState extends Infer<typeof sessionModeState_> {}
/** Validates a {@link SessionModeState}. */
export const sessionModeState: Schema<SessionModeState> = sessionModeState_;

const currentModeUpdate_ = object({
  /** New mode. */
  currentModeId: sessionModeId,
});
// V1-UPD-24
/** Change of the session's mode. */
export interface CurrentModeUpdate extends Infer<typeof currentModeUpdate_> {}
/** Validates a {@link CurrentModeUpdate}. */
export const currentModeUpdate: Schema<CurrentModeUpdate> = currentModeUpdate_;

const setSessionModeRequest_ = object({
  /** The session. */
  sessionId,
  /** One of its available modes. */
  modeId: sessionModeId,
});
// V1-MODE-02
/** Params of `session/set_mode`, allowed at any time, also during a turn. */
export interface SetSessionModeRequest extends Infer<typeof setSessionModeRequest_> {}
/** Validates a {@link SetSessionModeRequest}. */
export const setSessionModeRequest: Schema<SetSessionModeRequest> = setSessionModeRequest_;

const setSessionModeResponse_ = object({});
/** Result of `session/set_mode`: the requested mode is now the current one. */
export interface SetSessionModeResponse extends Infer<typeof setSessionModeResponse_> {}
/** Validates a {@link SetSessionModeResponse}. */
export const setSessionModeResponse: Schema<SetSessionModeResponse> = setSessionModeResponse_;
