import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import {
  agentCapabilities,
  disableProviderRequest,
  disableProviderResponse,
  listProvidersRequest,
  listProvidersResponse,
  providerInfo,
  setProviderRequest,
  setProviderResponse,
} from "./index.js";

describe("providers (V1-UNST-07)", () => {
  const provider = { providerId: "main", supported: ["openai"], required: false };
  const set = { providerId: "main", apiType: "anthropic", baseUrl: "https://a.test" };

  it.each<Case>([
    ["offered", agentCapabilities, { providers: {} }, fine],
    ["asked for", listProvidersRequest, {}, fine],
    ["listed", listProvidersResponse, { providers: [provider] }, fine],
    [
      "one of them bad: the list is no list of all then",
      listProvidersResponse,
      { providers: [provider, {}] },
      { refused: ["providers.1.providerId", "providers.1.supported", "providers.1.required"] },
    ],
    ["configured", providerInfo, { ...provider, current: { apiType: "azure", baseUrl: "https://a.test" } }, fine],
    ["disabled by null", providerInfo, { ...provider, current: null }, fine],
    [
      "with a bad configuration, which is not none",
      providerInfo,
      { ...provider, current: "azure" },
      { refused: ["current"] },
    ],
    [
      "that speak every protocol",
      providerInfo,
      { ...provider, supported: ["anthropic", "openai", "azure", "vertex", "bedrock"] },
      fine,
    ],
    ["that speak another one", providerInfo, { ...provider, supported: ["gemini"] }, { kept: ["supported.0"] }],
    [
      "that speak garbage",
      providerInfo,
      { ...provider, supported: [5, "openai"] },
      { salvaged: ["supported.0"], as: provider },
    ],
    [
      "that speak nobody knows what",
      providerInfo,
      { ...provider, supported: null },
      { salvaged: ["supported"], as: { ...provider, supported: [] } },
    ],
    ["without a word on being required", providerInfo, { ...provider, required: undefined }, { refused: ["required"] }],
    ["set", setProviderRequest, { ...set, headers: { Authorization: "a" } }, fine],
    ["set without headers", setProviderRequest, set, fine],
    [
      "set with a header that is no text",
      setProviderRequest,
      { ...set, headers: { A: 1 } },
      { refused: ["headers.A"] },
    ],
    ["set without a protocol", setProviderRequest, { ...set, apiType: undefined }, { refused: ["apiType"] }],
    ["set, in the answer", setProviderResponse, {}, fine],
    ["taken out of use", disableProviderRequest, { providerId: "main" }, fine],
    ["taken out of use without a name", disableProviderRequest, {}, { refused: ["providerId"] }],
    ["taken out of use, in the answer", disableProviderResponse, {}, fine],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
