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
  /** The current mode. */
  currentModeId: sessionModeId,
  /** All modes of the session; malformed ones are dropped. The list never changes. */
  availableModes: requiredOr(sifted(sessionMode), []),
});
// V1-MODE-01, V1-MODE-07
/** The modes of a session when it begins. A client that supports config options uses those instead. */
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

/** Identifier of a model that an agent offers. */
export type ModelId = string;
/** Validates a {@link ModelId}. */
export const modelId: Schema<ModelId> = string();

const modelInfo_ = object({
  /** Name on the wire. */
  modelId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** A model that the agent offers. */
export interface ModelInfo extends Infer<typeof modelInfo_> {}
/** Validates a {@link ModelInfo}. */
export const modelInfo: Schema<ModelInfo> = modelInfo_;

const sessionModelState_ = object({
  /** The model in use. */
  currentModelId: modelId,
  /** All models to choose from; malformed ones are dropped. */
  availableModels: requiredOr(sifted(modelInfo), []),
});
// V1-MODEL-01, V1-MODEL-03
/**
 * Models of a session when it begins, as sent by agents of 2025. The protocol has removed them: prefer a config option
 * of the category `model`.
 */
export interface SessionModelState extends Infer<typeof sessionModelState_> {}
/** Validates a {@link SessionModelState}. */
export const sessionModelState: Schema<SessionModelState> = sessionModelState_;

const setSessionModelRequest_ = object({
  /** The session. */
  sessionId,
  /** One of its available models. */
  modelId,
});
// V1-MODEL-02
/** Params of `session/set_model`, for agents that sent their `models`. */
export interface SetSessionModelRequest extends Infer<typeof setSessionModelRequest_> {}
/** Validates a {@link SetSessionModelRequest}. */
export const setSessionModelRequest: Schema<SetSessionModelRequest> = setSessionModelRequest_;

const setSessionModelResponse_ = object({});
/** Result of `session/set_model`: the requested model is now the current one. */
export interface SetSessionModelResponse extends Infer<typeof setSessionModelResponse_> {}
/** Validates a {@link SetSessionModelResponse}. */
export const setSessionModelResponse: Schema<SetSessionModelResponse> = setSessionModelResponse_;
