import { chatCompletions } from "./chat-completions.js";
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

/** Sealed content of a thought. Clients that let the provider store nothing have to send it back. */
export const SEALED_THOUGHT = "sealed-by-the-stand-in";

/** Responses, OpenAI's newer format. */
export const openaiResponses: Wire = {
  name: "openai-responses",
  matches: (path) => path.endsWith("/responses"),

  read(body) {
    const items: any[] = typeof body.input === "string" ? [{ role: "user", content: body.input }] : (body.input ?? []);
    return {
      model: body.model,
      streams: body.stream === true,
      tools: (body.tools ?? []).map(({ name }: any) => name),
      results: tail(items, ({ type }) => type !== "function_call_output").map(({ output }) => textOf(output)),
      prompt: textOf(items.findLast(({ role }) => role === "user")?.content),
    };
  },

  stream(model) {
    const envelope = envelopeOf(model);
    let index = -1;
    const items: object[] = [];
    const item = (begin: object, whole: object, between: (place: object) => ServerSentEvent[]): ServerSentEvent[] => {
      index += 1;
      items.push(whole);
      return [
        named("response.output_item.added", { output_index: index, item: begin }),
        ...between({ output_index: index, item_id: (whole as { id: string }).id }),
        named("response.output_item.done", { output_index: index, item: whole }),
      ];
    };
    return {
      start: () => [named("response.created", { response: { ...envelope, status: "in_progress", output: [] } })],
      part(part) {
        const whole = toItem(part);
        if (part.type === "say") {
          return item({ ...whole, content: [] }, whole, (place) =>
            words(part.text).map((delta) => named("response.output_text.delta", { ...place, content_index: 0, delta })),
          );
        }
        if (part.type === "think") {
          return item({ ...whole, summary: [] }, whole, (place) => [
            named("response.reasoning_summary_part.added", { ...place, summary_index: 0 }),
            ...words(part.text).map((delta) =>
              named("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta }),
            ),
            named("response.reasoning_summary_part.done", { ...place, summary_index: 0 }),
          ]);
        }
        return item({ ...whole, arguments: "" }, whole, (place) =>
          fragments(part.input).map((delta) => named("response.function_call_arguments.delta", { ...place, delta })),
        );
      },
      end: (ending) => {
        const response = closing(envelope, items, ending);
        return [named(response.status === "completed" ? "response.completed" : "response.incomplete", { response })];
      },
    };
  },

  whole: (model, parts, ending) => closing(envelopeOf(model), parts.map(toItem), ending),

  error: (failure) => chatCompletions.error(failure),
};

const named = (event: string, data: object): ServerSentEvent => ({ event, data: { type: event, ...data } });

const envelopeOf = (model: string) => ({
  id: `resp_${crypto.randomUUID()}`,
  object: "response",
  created_at: 1_700_000_000,
  model,
});

function toItem(part: SpokenPart): object {
  const id = `item_${crypto.randomUUID()}`;
  if (part.type === "say") {
    const content = [{ type: "output_text", text: part.text, annotations: [] }];
    return { type: "message", id, role: "assistant", status: "completed", content };
  }
  if (part.type === "think") {
    const summary = [{ type: "summary_text", text: part.text }];
    return { type: "reasoning", id, summary, encrypted_content: SEALED_THOUGHT };
  }
  const { id: call_id, name, input } = part;
  return { type: "function_call", id, call_id, name, arguments: JSON.stringify(input), status: "completed" };
}

function closing(envelope: object, output: readonly object[], { reason, usage }: Ending) {
  const stopped = reason === "length" ? "max_output_tokens" : "content_filter";
  const incomplete = reason === "length" || reason === "refusal";
  return {
    ...envelope,
    status: incomplete ? "incomplete" : "completed",
    incomplete_details: incomplete ? { reason: stopped } : null,
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.thought },
      total_tokens: usage.input + usage.output,
    },
  };
}
