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
/** Marker that the agent answers the `providers` methods. The marker counts if it is present and not null. */
export interface ProvidersCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link ProvidersCapabilities}. */
export const providersCapabilities: Schema<ProvidersCapabilities> = nothing_;

/** Identifier of a provider. */
export type ProviderId = string;
/** Validates a {@link ProviderId}. */
export const providerId: Schema<ProviderId> = string();

const llmProtocol_ = openEnum("anthropic", "openai", "azure", "vertex", "bedrock");
/** Protocol that a provider uses. */
export type LlmProtocol = Infer<typeof llmProtocol_> | never;
/** Validates an {@link LlmProtocol}. Unknown values are accepted. */
export const llmProtocol: Schema<LlmProtocol> = llmProtocol_;

const providerCurrentConfig_ = object({
  /** Protocol in use. */
  apiType: llmProtocol,
  /** Base URL in use. */
  baseUrl: string(),
});
/** Configuration of a provider, without its headers. */
export interface ProviderCurrentConfig extends Infer<typeof providerCurrentConfig_> {}
/** Validates a {@link ProviderCurrentConfig}. */
export const providerCurrentConfig: Schema<ProviderCurrentConfig> = providerCurrentConfig_;

const providerInfo_ = object({
  /** Id of the provider. */
  providerId,
  /** Protocols that the provider can use. Malformed entries are dropped. */
  supported: requiredOr(sifted(llmProtocol), []),
  /** True if the provider cannot be disabled. */
  required: boolean(),
  /**
   * Current configuration. If it is absent or null, the provider is disabled. A malformed value makes the entry
   * invalid.
   */
  current: optional(nullable(providerCurrentConfig)),
});
/** Service that runs the model of the agent. */
export interface ProviderInfo extends Infer<typeof providerInfo_> {}
/** Validates a {@link ProviderInfo}. */
export const providerInfo: Schema<ProviderInfo> = providerInfo_;

// V1-UNST-07, V2-AUTH-14
/** Params of `providers/list`, for agents with `providers`. */
export interface ListProvidersRequest extends Infer<typeof nothing_> {}
/** Validates a {@link ListProvidersRequest}. */
export const listProvidersRequest: Schema<ListProvidersRequest> = nothing_;

const listProvidersResponse_ = object({
  /** All providers. A malformed provider makes the result invalid. */
  providers: list(providerInfo),
});
/** Result of `providers/list`. */
export interface ListProvidersResponse extends Infer<typeof listProvidersResponse_> {}
/** Validates a {@link ListProvidersResponse}. */
export const listProvidersResponse: Schema<ListProvidersResponse> = listProvidersResponse_;

const setProviderRequest_ = object({
  /** Id of the provider. */
  providerId,
  /** Protocol to use. */
  apiType: llmProtocol,
  /** Base URL to use. */
  baseUrl: string(),
  /** Headers to send. They may contain secrets. */
  headers: optional(record(string())),
});
/** Params of `providers/set`, with the complete new configuration of a provider. */
export interface SetProviderRequest extends Infer<typeof setProviderRequest_> {}
/** Validates a {@link SetProviderRequest}. */
export const setProviderRequest: Schema<SetProviderRequest> = setProviderRequest_;
/** Result of `providers/set`. */
export interface SetProviderResponse extends Infer<typeof nothing_> {}
/** Validates a {@link SetProviderResponse}. */
export const setProviderResponse: Schema<SetProviderResponse> = nothing_;

const disableProviderRequest_ = object({
  /** Id of the provider. It must not be a required provider. */
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
