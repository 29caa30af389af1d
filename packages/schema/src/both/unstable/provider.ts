import {
  boolean,
  type Infer,
  list,
  nullable,
  object,
  openEnum,
  optional,
  record,
  requiredOr,
  type Schema,
  sifted,
  string,
} from "../../vocabulary.js";

const nothing_ = object({});
/** Marker: the agent answers the `providers` methods. It counts when present and not null. */
export interface ProvidersCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link ProvidersCapabilities}. */
export const providersCapabilities: Schema<ProvidersCapabilities> = nothing_;

/** Identifier of a provider. */
export type ProviderId = string;
/** Validates a {@link ProviderId}. */
export const providerId: Schema<ProviderId> = string();

const llmProtocol_ = openEnum("anthropic", "openai", "azure", "vertex", "bedrock");
/** The protocol that a provider speaks. */
export type LlmProtocol = Infer<typeof llmProtocol_> | never;
/** Validates an {@link LlmProtocol}; unknown ones are kept. */
export const llmProtocol: Schema<LlmProtocol> = llmProtocol_;

const providerCurrentConfig_ = object({
  /** The protocol in use. */
  apiType: llmProtocol,
  /** The address in use. */
  baseUrl: string(),
});
/** Configuration of a provider, without its headers. */
export interface ProviderCurrentConfig extends Infer<typeof providerCurrentConfig_> {}
/** Validates a {@link ProviderCurrentConfig}. */
export const providerCurrentConfig: Schema<ProviderCurrentConfig> = providerCurrentConfig_;

const providerInfo_ = object({
  /** The provider. */
  providerId,
  /** The protocols that it can speak; malformed ones are dropped. */
  supported: requiredOr(sifted(llmProtocol), []),
  /** True if the provider cannot be disabled. */
  required: boolean(),
  /** Current configuration. Absent or null means disabled, malformed makes the entry invalid. */
  current: optional(nullable(providerCurrentConfig)),
});
/** A service that runs the agent's model. */
export interface ProviderInfo extends Infer<typeof providerInfo_> {}
/** Validates a {@link ProviderInfo}. */
export const providerInfo: Schema<ProviderInfo> = providerInfo_;

// V1-UNST-07, V2-AUTH-14
/** Params of `providers/list`, for agents with `providers`. */
export interface ListProvidersRequest extends Infer<typeof nothing_> {}
/** Validates a {@link ListProvidersRequest}. */
export const listProvidersRequest: Schema<ListProvidersRequest> = nothing_;

const listProvidersResponse_ = object({
  /** All providers; a malformed one makes the result invalid. */
  providers: list(providerInfo),
});
/** Result of `providers/list`. */
export interface ListProvidersResponse extends Infer<typeof listProvidersResponse_> {}
/** Validates a {@link ListProvidersResponse}. */
export const listProvidersResponse: Schema<ListProvidersResponse> = listProvidersResponse_;

const setProviderRequest_ = object({
  /** The provider. */
  providerId,
  /** The protocol to speak. */
  apiType: llmProtocol,
  /** The address to use. */
  baseUrl: string(),
  /** Headers to send. They may hold secrets. */
  headers: optional(record(string())),
});
/** Params of `providers/set`: the whole new configuration of the provider. */
export interface SetProviderRequest extends Infer<typeof setProviderRequest_> {}
/** Validates a {@link SetProviderRequest}. */
export const setProviderRequest: Schema<SetProviderRequest> = setProviderRequest_;
/** Result of `providers/set`. */
export interface SetProviderResponse extends Infer<typeof nothing_> {}
/** Validates a {@link SetProviderResponse}. */
export const setProviderResponse: Schema<SetProviderResponse> = nothing_;

const disableProviderRequest_ = object({
  /** The provider. It must not be a required one. */
  providerId,
});
/** Params of `providers/disable`. */
export interface DisableProviderRequest extends Infer<typeof disableProviderRequest_> {}
/** Validates a {@link DisableProviderRequest}. */
export const disableProviderRequest: Schema<DisableProviderRequest> = disableProviderRequest_;
/** Result of `providers/disable`. */
export interface DisableProviderResponse extends Infer<typeof nothing_> {}
/** Validates a {@link DisableProviderResponse}. */
export const disableProviderResponse: Schema<DisableProviderResponse> = nothing_;
