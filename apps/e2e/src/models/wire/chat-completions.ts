import {
  type Ending,
  fragments,
  type ServerSentEvent,
  type SpokenPart,
  tail,
  textOf,
  type Wire,
  words,
} from "./wire.js";

const REASONS = { stop: "stop", calls: "tool_calls", length: "length", refusal: "content_filter" } as const;

/** Chat completions, as OpenAI, Ollama, vLLM and most proxies speak them. */
export const chatCompletions: Wire = {
  name: "chat-completions",
  matches: (path) => path.endsWith("/chat/completions"),

  read(body) {
    const all: any[] = body.messages ?? [];
    // Pictures of tools follow the results, in a message of the user.
    const messages = all.filter(({ role }, at) => role !== "user" || all[at - 1]?.role !== "tool");
    return {
      model: body.model,
      streams: body.stream === true,
      tools: (body.tools ?? []).map((tool: any) => tool.function.name),
      results: tail(messages, ({ role }) => role !== "tool").map(({ content }) => textOf(content)),
      prompt: textOf(messages.findLast(({ role }) => role === "user")?.content),
    };
  },

  stream(model) {
    const envelope = envelopeOf(model, "chat.completion.chunk");
    let calls = 0;
    const chunk = (delta: object, finish_reason: string | null = null): ServerSentEvent => ({
      data: { ...envelope, choices: [{ index: 0, delta, finish_reason }] },
    });
    return {
      start: () => [chunk({ role: "assistant", content: "" })],
      part(part) {
        if (part.type === "say") return words(part.text).map((content) => chunk({ content }));
        if (part.type === "think") return words(part.text).map((reasoning_content) => chunk({ reasoning_content }));
        const index = calls++;
        const begin = { index, id: part.id, type: "function", function: { name: part.name, arguments: "" } };
        return [
          chunk({ tool_calls: [begin] }),
          ...fragments(part.input).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
        ];
      },
      end: (ending) => [
        chunk({}, REASONS[ending.reason]),
        { data: { ...envelope, choices: [], usage: usageOf(ending) } },
        { data: "[DONE]" },
      ],
    };
  },

  whole(model, parts, ending) {
    const calls = parts.flatMap((part) => (part.type === "call" ? [part] : []));
    const message = {
      role: "assistant",
      content: spoken(parts, "say"),
      ...(calls.length > 0 ? { tool_calls: calls.map(toCall) } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: REASONS[ending.reason] }];
    return { ...envelopeOf(model, "chat.completion"), choices, usage: usageOf(ending) };
  },

  error: ({ status, message }) => ({
    error: { message, type: status === 429 ? "rate_limit_error" : "server_error", param: null, code: null },
  }),
};

/** The text of all parts of a type. */
function spoken(parts: readonly SpokenPart[], type: "say" | "think"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}

const envelopeOf = (model: string, object: string) => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  object,
  created: 1_700_000_000,
  model,
});

const toCall = ({ id, name, input }: Extract<SpokenPart, { type: "call" }>) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

const usageOf = ({ usage }: Ending) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.thought },
});
