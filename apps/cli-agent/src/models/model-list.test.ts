import { describe, expect, it } from "vitest";
import { pricesOf } from "./catalogue.js";
import { costOf } from "./cost.js";
import { createModelList, type ModelListOptions } from "./model-list.js";
import data from "./models.json" with { type: "json" };
import { findProviders } from "./providers.js";

const list = (more: Partial<ModelListOptions> = {}) => createModelList({ config: {}, env: {}, keys: {}, ...more });
const ids = (more?: Partial<ModelListOptions>) => list(more).offered.map(({ id }) => id);

describe("the models on offer", () => {
  it("are the offline reviewer alone where nothing is configured", () => {
    expect(ids()).toEqual(["reviewer"]);
    expect(list().preferred).toBe("reviewer");
  });

  it("are those of every provider with a key, from the environment or stored", () => {
    const some = { env: { ANTHROPIC_API_KEY: "a" }, keys: { google: "g" } };
    expect(ids(some).map((id) => id.split("/")[0])).toEqual([
      ...Array(3).fill("anthropic"),
      ...Array(3).fill("google"),
      "reviewer",
    ]);
    expect(list(some).preferred).toMatch(/^anthropic\//);
    expect(list({ keys: { google: "g" } }).preferred).toMatch(/^google\//);
  });

  it("are what the configuration names, with what it says of them", () => {
    const models = { big: { name: "Big one", contextWindow: 8_000, efforts: ["less", "more"] }, small: {} };
    const options = { config: { providers: { local: { baseURL: "http://127.0.0.1:8000/v1", models } } } };
    expect(ids(options)).toEqual(["local/big", "local/small", "reviewer"]);
    expect(list(options).find("local/big")).toMatchObject({
      name: "Big one",
      contextWindow: 8_000,
      efforts: ["less", "more"],
    });
  });

  it("defect P2: are those of an Ollama on this machine too, which nobody chose yet", () => {
    const found = { ollamaModels: ["qwen3:32b", "llama4"] };
    expect(ids(found)).toEqual(["ollama/qwen3:32b", "ollama/llama4", "reviewer"]);
    expect(list(found).preferred).toBe("reviewer");
    expect(list(found).setupAdvice).toContain(
      "Choose the model `ollama/qwen3:32b`, or start with `--model ollama/qwen3:32b`",
    );
  });

  it("are those of a gateway, by its name and with its key", () => {
    expect(ids({ env: { OPENROUTER_API_KEY: "o" } })).toEqual(["openrouter/openrouter/auto", "reviewer"]);
    expect(
      list({ env: { GROQ_API_KEY: "g" }, model: "groq/moonshotai/kimi-k3" }).find("groq/moonshotai/kimi-k3").name,
    ).toBe("moonshotai/kimi-k3 (Groq)");
    expect(() => list({ model: "mistral/codestral" }).find("mistral/codestral")).toThrow(
      "Mistral needs a key: set MISTRAL_API_KEY, or run `turnkit-agent login mistral`.",
    );
  });

  it.each(["constructor", "toString", "__proto__"])(
    "take nothing from a member of every object that a model is called: %s",
    (name) => {
      const config = { providers: { local: { baseURL: "http://127.0.0.1:8000/v1", models: { big: {} } } } };
      expect(list({ config }).find(`local/${name}`)).toMatchObject({
        name: expect.stringContaining(name),
        images: false,
      });
    },
  );

  it("take a model that is not offered, of a provider that is known", () => {
    expect(list({ env: { OPENAI_API_KEY: "o" } }).find("openai/gpt-4.1").contextWindow).toBe(1_000_000);
  });
});

describe("prices", () => {
  const cost = (id: string, inputTokens: number, options = {}) => {
    const [provider = "", name = ""] = id.split("/");
    const spec = findProviders({ config: {}, env: {}, keys: {}, ...options }).get(provider);
    const prices = spec && pricesOf(spec, name);
    return prices && costOf({ inputTokens, outputTokens: 0, totalTokens: inputTokens }, prices)?.amount;
  };

  it("of the models that are offered come from the data file, by the length of the request", () => {
    expect(cost("anthropic/claude-sonnet-5-5", 1_000_000)).toBe(2);
    expect(cost("anthropic/claude-haiku-5-5-20261007", 100_000)).toBeCloseTo(0.01);
    expect(cost("anthropic/claude-haiku-5-5", 200_000)).toBeCloseTo(0.1);
    expect(cost("openai/gpt-6.1-sol", 300_000)).toBeUndefined();
  });

  it("are unknown for other models, and at other addresses", () => {
    expect(cost("anthropic/claude-sonnet-9", 1_000)).toBeUndefined();
    expect(cost("google/gemini-pro-latest", 1_000)).toBeUndefined();
    const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    expect(cost("anthropic/claude-sonnet-5-5", 1_000, { env })).toBeUndefined();
  });

  it("have a date and no model twice", () => {
    expect(data.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(new Set(data.prices.map(({ model }) => model)).size).toBe(data.prices.length);
  });
});

describe("defect P2: the advice about a model", () => {
  it("is given where nobody chose the reviewer, with commands to copy", () => {
    const advice = list().setupAdvice ?? "";
    expect(advice).toContain("No language model is set up");
    expect(advice).toContain("`turnkit-agent login anthropic`");
    for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "Ollama"]) {
      expect(advice).toContain(name);
    }
    expect(list({ env: { GROQ_API_KEY: "g" } }).setupAdvice).toContain("`--model groq/NAME`");
  });

  it.each<Partial<ModelListOptions>>([
    { model: "reviewer" },
    { config: { model: "reviewer" } },
    { env: { OPENAI_API_KEY: "o" } },
    { model: "ollama/qwen3" },
  ])("is not given otherwise: %j", (options) => {
    expect(list(options).setupAdvice).toBeUndefined();
  });
});

describe("defect P65: a server without a model is not ignored in silence", () => {
  const advice = (more: Partial<ModelListOptions>) => list(more).setupAdvice ?? "";
  const baseURL = "http://127.0.0.1:8000/v1";

  it.each<[string, Partial<ModelListOptions>, string]>([
    [
      "OPENAI_BASE_URL",
      { env: { OPENAI_BASE_URL: baseURL } },
      "Name a model of the server at `OPENAI_BASE_URL`: `--model openai/NAME`.",
    ],
    [
      "a variable of a provider that needs a key",
      { env: { ANTHROPIC_BASE_URL: baseURL } },
      "Set `ANTHROPIC_API_KEY`, the key of the server at `ANTHROPIC_BASE_URL`.",
    ],
    [
      "the configuration",
      { config: { providers: { mine: { baseURL } } } },
      "Name a model of mine: `--model mine/NAME`.",
    ],
    [
      "the key alone",
      { env: { TURNKIT_API_KEY: "t" } },
      "Give the address of the server of `TURNKIT_API_KEY`: `--base-url",
    ],
  ])("%s", (_, options, step) => {
    expect(advice(options)).toContain(`- ${step}`);
    expect(list(options).openSteps.join()).toContain(step);
  });

  it("no step names a server whose models are offered", () => {
    const providers = { mine: { baseURL, models: { big: {} } } };
    expect(list({ config: { providers } }).openSteps).toEqual([]);
    expect(list({ env: { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: baseURL } }).openSteps).toEqual([]);
    expect(list().openSteps).toEqual([]);
  });

  it("an address needs a model, so that no other server gets the prompt", () => {
    expect(() => list({ baseURL, env: { OPENAI_API_KEY: "o" } })).toThrow(
      `The server at ${baseURL} needs the name of a model: give --model, or set TURNKIT_MODEL.`,
    );
  });
});

describe("the model to begin with", () => {
  const env = { OPENAI_API_KEY: "o" };

  it("is the one that was asked for, before that of the configuration", () => {
    const config = { model: "openai/gpt-5" };
    expect(list({ env, config }).preferred).toBe("openai/gpt-5");
    expect(list({ env, config, model: "ollama/qwen3:8b" }).preferred).toBe("ollama/qwen3:8b");
    expect(list({ env, config, model: "reviewer" }).preferred).toBe("reviewer");
  });

  it("may be at an address of its own, with slashes in its name", () => {
    const own = list({ model: "meta-llama/Llama-4", baseURL: "http://127.0.0.1:8000/v1" });
    expect(own.preferred).toBe("custom/meta-llama/Llama-4");
    expect(own.find(own.preferred).name).toBe("meta-llama/Llama-4 (127.0.0.1:8000)");
  });

  it("must be of a provider that is known", () => {
    expect(() => list({ model: "gpt-5" })).toThrow(/`gpt-5` has no known provider. Write provider\/model with one of/);
  });

  it("needs the key of its provider", () => {
    const { find, preferred } = list({ model: "openai/gpt-5" });
    expect(() => find(preferred)).toThrow(
      "OpenAI needs a key: set OPENAI_API_KEY, or run `turnkit-agent login openai`.",
    );
  });
});

describe("a provider", () => {
  const provider = (id: string, more: Partial<Parameters<typeof findProviders>[0]> = {}) =>
    findProviders({ config: {}, env: {}, keys: {}, ...more }).get(id);

  it("has the key of the environment before a stored one; an empty variable is none", () => {
    const keys = { openai: "stored" };
    expect(provider("openai", { keys, env: { OPENAI_API_KEY: "set" } })?.key).toBe("set");
    expect(provider("openai", { keys, env: { OPENAI_API_KEY: "" } })?.key).toBe("stored");
  });

  it("is where the command line says, then the configuration, then the environment", () => {
    const baseURL = "http://config.example/v1";
    const env = { ANTHROPIC_BASE_URL: "http://env.example/v1" };
    const config = { providers: { anthropic: { baseURL } } };
    const endpoint = { provider: "anthropic", baseURL: "http://flag.example/v1" };
    expect(provider("anthropic", { env })?.baseURL).toBe(env.ANTHROPIC_BASE_URL);
    expect(provider("anthropic", { env, config })?.baseURL).toBe(baseURL);
    expect(provider("anthropic", { env, config, endpoint })?.baseURL).toBe(endpoint.baseURL);
  });

  it("that stands in for Anthropic may leave out the version, as that one's own programs do; its own address is none", () => {
    const at = (url: string) => provider("anthropic", { env: { ANTHROPIC_BASE_URL: url } })?.baseURL;
    expect(at("https://proxy.example/anthropic/")).toBe("https://proxy.example/anthropic/v1");
    expect(at("https://proxy.example/v1")).toBe("https://proxy.example/v1");
    expect(at("https://api.anthropic.com")).toBeUndefined();
  });

  it("has an address that is one", () => {
    const env = { OPENAI_BASE_URL: "127.0.0.1:1234" };
    expect(() => provider("openai", { env })).toThrow("OPENAI_BASE_URL is a URL such as http://127.0.0.1:11434/v1");
  });

  it("that stands in for OpenAI is spoken to in chat completions, unless the configuration says otherwise", () => {
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:1234/v1" };
    expect(provider("openai")?.type).toBe("openai");
    expect(provider("openai", { env: { OPENAI_BASE_URL: "https://api.openai.com/v1" } })?.type).toBe("openai");
    expect(provider("openai", { env })).toMatchObject({ type: "openai-compatible", needsKey: false });
    expect(provider("openai", { env, config: { providers: { openai: { type: "openai" } } } })?.type).toBe("openai");
  });

  it("never gets the key of another one: an address of its own has a key of its own", () => {
    const endpoint = { provider: "custom", baseURL: "http://elsewhere.example/v1" };
    const env = { OPENAI_API_KEY: "o", TURNKIT_API_KEY: "t" };
    expect(provider("custom", { endpoint, env })?.key).toBe("t");
    expect(provider("custom", { endpoint, env: { OPENAI_API_KEY: "o" } })?.key).toBeUndefined();
  });

  it("with a known address needs its key there, and none at another address", () => {
    const baseURL = "http://127.0.0.1:8000/v1";
    expect(provider("openrouter")).toMatchObject({ type: "openai-compatible", needsKey: true });
    expect(provider("openrouter", { config: { providers: { openrouter: { baseURL } } } })?.needsKey).toBe(false);
    expect([provider("ollama")?.needsKey, provider("lmstudio")?.needsKey]).toEqual([false, false]);
  });

  it("of the configuration needs an address", () => {
    expect(() => provider("mine", { config: { providers: { mine: {} } } })).toThrow(
      "The provider `mine` needs a `baseURL`",
    );
  });
});
