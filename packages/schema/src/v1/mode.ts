import { sessionId } from "../both/identifiers.js";
import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

/** Identifier of a mode of a session. */
export type SessionModeId = string;
/** Validates a {@link SessionModeId}. */
export const sessionModeId: Schema<SessionModeId> = string();

const sessionMode_ = object({
  /** Id on the wire. */
  id: sessionModeId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Mode of the agent's work, for example one that asks before each action. */
export interface SessionMode extends Infer<typeof sessionMode_> {}
/** Validates a {@link SessionMode}. */
export const sessionMode: Schema<SessionMode> = sessionMode_;

const sessionModeState_ = object({
  /** Current mode. */
  currentModeId: sessionModeId,
  /** All modes of the session. Malformed modes are dropped. The list never changes. */
  availableModes: requiredOr(sifted(sessionMode), []),
});
// V1-MODE-01, V1-MODE-07
/** Modes of a session when it begins. A client that supports configuration options uses those options instead. */
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
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's modes. */
  modeId: sessionModeId,
});
// V1-MODE-02
/** Params of `session/set_mode`. The request is allowed at any time, even during a turn. */
export interface SetSessionModeRequest extends Infer<typeof setSessionModeRequest_> {}
/** Validates a {@link SetSessionModeRequest}. */
export const setSessionModeRequest: Schema<SetSessionModeRequest> = setSessionModeRequest_;

const setSessionModeResponse_ = object({});
/** Result of `session/set_mode`. The requested mode is now the current mode. */
export interface SetSessionModeResponse extends Infer<typeof setSessionModeResponse_> {}
/** Validates a {@link SetSessionModeResponse}. */
export const setSessionModeResponse: Schema<SetSessionModeResponse> = setSessionModeResponse_;

/** Identifier of a model that an agent offers. */
export type ModelId = string;
/** Validates a {@link ModelId}. */
export const modelId: Schema<ModelId> = string();

const modelInfo_ = object({
  /** Id on the wire. */
  modelId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Model that the agent offers. */
export interface ModelInfo extends Infer<typeof modelInfo_> {}
/** Validates a {@link ModelInfo}. */
export const modelInfo: Schema<ModelInfo> = modelInfo_;

const sessionModelState_ = object({
  /** Id of the model in use. */
  currentModelId: modelId,
  /** All models that the user can choose. Malformed models are dropped. */
  availableModels: requiredOr(sifted(modelInfo), []),
});
// V1-MODEL-01, V1-MODEL-03
/**
 * Models of a session when it begins. Only agents of 2025 send them, and they are no longer in the protocol. Prefer an
 * option with the category `model`.
 */
export interface SessionModelState extends Infer<typeof sessionModelState_> {}
/** Validates a {@link SessionModelState}. */
export const sessionModelState: Schema<SessionModelState> = sessionModelState_;

const setSessionModelRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's models. */
  modelId,
});
// V1-MODEL-02
/** Params of `session/set_model`, for agents that sent their `models`. */
export interface SetSessionModelRequest extends Infer<typeof setSessionModelRequest_> {}
/** Validates a {@link SetSessionModelRequest}. */
export const setSessionModelRequest: Schema<SetSessionModelRequest> = setSessionModelRequest_;

const setSessionModelResponse_ = object({});
/** Result of `session/set_model`. The requested model is now the current model. */
export interface SetSessionModelResponse extends Infer<typeof setSessionModelResponse_> {}
/** Validates a {@link SetSessionModelResponse}. */
export const setSessionModelResponse: Schema<SetSessionModelResponse> = setSessionModelResponse_;
