import { type Ending, type SpokenPart, textOf, type Wire, words } from "./wire.js";

const REASONS = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" } as const;

/** generateContent and streamGenerateContent, as Google's Gemini speaks them. */
export const googleGenerateContent: Wire = {
  name: "google-generate-content",
  matches: (path) => /:(stream)?generateContent$/i.test(path),

  read(body, path) {
    const contents: any[] = body.contents ?? [];
    const last: any[] = contents.at(-1)?.parts ?? [];
    // A picture of a tool is beside its result, with a text of its own.
    const isPrompt = ({ role, parts }: any) =>
      role === "user" && parts.every(({ functionResponse }: any) => functionResponse === undefined);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
      streams: path.includes(":stream"),
      tools: (body.tools ?? []).flatMap((tool: any) => (tool.functionDeclarations ?? []).map(({ name }: any) => name)),
      results: last.flatMap(({ functionResponse }) =>
        functionResponse ? [resultText(functionResponse.response)] : [],
      ),
      prompt: textOf(contents.findLast(isPrompt)?.parts),
    };
  },

  stream(model) {
    const chunk = (parts: object[], more: object = {}) => ({
      data: { candidates: [{ index: 0, content: { role: "model", parts }, ...more }], modelVersion: model },
    });
    return {
      start: () => [],
      part(part) {
        if (part.type === "call") return [chunk([toPart(part)])];
        return words(part.text).map((text) => chunk([toPart({ ...part, text })]));
      },
      end: (ending) => {
        const { data } = chunk([{ text: "" }], { finishReason: REASONS[ending.reason] });
        return [{ data: { ...data, usageMetadata: usageOf(ending) } }];
      },
    };
  },

  whole: (model, parts, ending) => ({
    candidates: [
      { index: 0, content: { role: "model", parts: parts.map(toPart) }, finishReason: REASONS[ending.reason] },
    ],
    modelVersion: model,
    usageMetadata: usageOf(ending),
  }),

  error: ({ status, message }) => ({
    error: { code: status, message, status: status === 429 ? "RESOURCE_EXHAUSTED" : "INTERNAL" },
  }),
};

function toPart(part: SpokenPart): object {
  if (part.type === "say") return { text: part.text };
  if (part.type === "think") return { text: part.text, thought: true };
  return { functionCall: { name: part.name, args: part.input } };
}

/** Returns the result, which is under `content`, `output` or another key of the client's choice. */
const resultText = (response: any): string =>
  typeof (response?.content ?? response?.output) === "string"
    ? (response.content ?? response.output)
    : JSON.stringify(response);

const usageOf = ({ usage }: Ending) => ({
  promptTokenCount: usage.input,
  cachedContentTokenCount: usage.cached,
  candidatesTokenCount: usage.output - usage.thought,
  thoughtsTokenCount: usage.thought,
  totalTokenCount: usage.input + usage.output,
});
