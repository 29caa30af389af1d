import { sessionId } from "../both/identifiers.js";
import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

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
 * Models of a session when it begins, as agents of 2025 send them. Removed from the protocol since: prefer a config
 * option of the category `model`.
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
