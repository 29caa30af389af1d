import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import {
  disableProviderRequest,
  disableProviderResponse,
  listProvidersResponse,
  type ProviderCurrentConfig,
  providerInfo,
  setProviderRequest,
  setProviderResponse,
} from "./index.js";

const provider = { providerId: "main", supported: ["openai"], required: false };
const set = { providerId: "main", apiType: "anthropic", baseUrl: "https://a.test" };

describe("providers (V2-AUTH-14)", () => {
  it.each<Case>([
    ["listed", listProvidersResponse, { providers: [provider] }, fine],
    ["configured", providerInfo, { ...provider, current: { apiType: "azure", baseUrl: "https://a.test" } }, fine],
    ["disabled by null", providerInfo, { ...provider, current: null }, fine],
    [
      "with a bad configuration",
      providerInfo,
      { ...provider, current: { apiType: "azure" } },
      { refused: ["current.baseUrl"] },
    ],
    [
      "that speak every protocol",
      providerInfo,
      { ...provider, supported: ["anthropic", "openai", "azure", "vertex", "bedrock", "_mine"] },
      fine,
    ],
    [
      "that speak one of the future",
      providerInfo,
      { ...provider, supported: ["openai", "gemini"] },
      { kept: ["supported.1"] },
    ],
    [
      "that speak garbage",
      providerInfo,
      { ...provider, supported: ["openai", 5] },
      { salvaged: ["supported.1"], as: provider },
    ],
    ["without a word on being required", providerInfo, { ...provider, required: undefined }, { refused: ["required"] }],
    ["set", setProviderRequest, set, fine],
    ["set with headers", setProviderRequest, { ...set, headers: { Authorization: "a" } }, fine],
    [
      "set with headers as MCP servers have them",
      setProviderRequest,
      { ...set, headers: [{ name: "A", value: "a" }] },
      { refused: ["headers"] },
    ],
    [
      "set with a header that is no text",
      setProviderRequest,
      { ...set, headers: { A: 1 } },
      { refused: ["headers.A"] },
    ],
    ["set without an address", setProviderRequest, { ...set, baseUrl: undefined }, { refused: ["baseUrl"] }],
    ["set, in the answer", setProviderResponse, {}, fine],
    ["taken out of use", disableProviderRequest, { providerId: "main" }, fine],
    ["taken out of use without a name", disableProviderRequest, {}, { refused: ["providerId"] }],
    ["taken out of use, in the answer", disableProviderResponse, {}, fine],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("headers, which may be secret, cannot be written where the current configuration is shown", () => {
    const current: ProviderCurrentConfig = {
      apiType: "openai",
      baseUrl: "https://a.test",
      // @ts-expect-error they are set and never shown
      headers: { Authorization: "a" },
    };
    expectOutcome(providerInfo, { ...provider, current }, fine);
  });
});
