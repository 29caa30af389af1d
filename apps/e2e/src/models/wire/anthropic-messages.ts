import { type Ending, fragments, type ServerSentEvent, type SpokenPart, textOf, type Wire, words } from "./wire.js";

const REASONS = { stop: "end_turn", calls: "tool_use", length: "max_tokens", refusal: "refusal" } as const;

/** Signature of a thought. Clients have to send it back with the thought. */
export const THOUGHT_SIGNATURE = "signed-by-the-stand-in";

/** Messages, as Anthropic speaks them. */
export const anthropicMessages: Wire = {
  name: "anthropic-messages",
  matches: (path) => path.endsWith("/messages"),

  read(body) {
    const messages: any[] = body.messages ?? [];
    const last = blocksOf(messages.at(-1)?.content);
    const isPrompt = ({ role, content }: any) =>
      role === "user" && blocksOf(content).some(({ type }) => type === "text");
    return {
      model: body.model,
      streams: body.stream === true,
      tools: (body.tools ?? []).map(({ name }: any) => name),
      results: last.filter(({ type }) => type === "tool_result").map(({ content }) => textOf(content)),
      prompt: textOf(messages.findLast(isPrompt)?.content),
    };
  },

  stream(model) {
    let index = -1;
    const block = (content_block: object, deltas: object[]): ServerSentEvent[] => {
      index += 1;
      return [
        named("content_block_start", { index, content_block }),
        ...deltas.map((delta) => named("content_block_delta", { index, delta })),
        named("content_block_stop", { index }),
      ];
    };
    return {
      start: () => [
        named("message_start", {
          message: { ...envelope(model), content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } },
        }),
        named("ping", {}),
      ],
      part(part) {
        if (part.type === "call") {
          const deltas = fragments(part.input).map((partial_json) => ({ type: "input_json_delta", partial_json }));
          return block({ type: "tool_use", id: part.id, name: part.name, input: {} }, deltas);
        }
        if (part.type === "say") {
          return block(
            { type: "text", text: "" },
            words(part.text).map((text) => ({ type: "text_delta", text })),
          );
        }
        const deltas = words(part.text).map((thinking) => ({ type: "thinking_delta", thinking }));
        return block({ type: "thinking", thinking: "", signature: "" }, [
          ...deltas,
          { type: "signature_delta", signature: THOUGHT_SIGNATURE },
        ]);
      },
      end: (ending) => [
        named("message_delta", {
          delta: { stop_reason: REASONS[ending.reason], stop_sequence: null },
          usage: usageOf(ending),
        }),
        named("message_stop", {}),
      ],
    };
  },

  whole: (model, parts, ending) => ({
    ...envelope(model),
    content: parts.map(toBlock),
    stop_reason: REASONS[ending.reason],
    usage: usageOf(ending),
  }),

  error: ({ status, message }) => ({
    type: "error",
    error: { type: status === 429 ? "rate_limit_error" : "api_error", message },
  }),
};

const named = (event: string, data: object): ServerSentEvent => ({ event, data: { type: event, ...data } });

const envelope = (model: string) => ({
  id: `msg_${crypto.randomUUID()}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});

function blocksOf(content: unknown): any[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}

function toBlock(part: SpokenPart): object {
  if (part.type === "say") return { type: "text", text: part.text };
  if (part.type === "think") return { type: "thinking", thinking: part.text, signature: THOUGHT_SIGNATURE };
  return { type: "tool_use", id: part.id, name: part.name, input: part.input };
}

/** Here the cached tokens are not part of the others. */
const usageOf = ({ usage }: Ending) => ({
  input_tokens: usage.input - usage.cached,
  cache_read_input_tokens: usage.cached,
  cache_creation_input_tokens: 0,
  output_tokens: usage.output,
});
