import type { ContentBlock } from "@turnkit/agent";
import { describe, expect, it } from "vitest";
import type { ConversationItem } from "../model.js";
import { toMessages } from "./to-messages.js";

const sees = { images: true };
const blind = { images: false };
const prompt = (...content: ContentBlock[]): ConversationItem[] => [{ role: "user", content }];
const content = (blocks: ContentBlock[], senses = sees) => toMessages(prompt(...blocks), senses)[0]?.content;

describe("a prompt for a model", () => {
  it("holds pictures for models that see, and says what others miss", () => {
    const picture: ContentBlock = { type: "image", data: "aGk=", mimeType: "image/png" };
    const attached: ContentBlock = {
      type: "resource",
      resource: { uri: "file:///a.png", blob: "aGk=", mimeType: "image/png" },
    };
    expect(content([picture, attached])).toEqual([
      { type: "image", image: "aGk=", mediaType: "image/png" },
      { type: "image", image: "aGk=", mediaType: "image/png" },
    ]);
    expect(content([picture], blind)).toEqual([
      { type: "text", text: "[A picture (image/png) was attached, which you cannot see.]" },
    ]);
  });

  it("holds attached texts under their address, and of links the address", () => {
    expect(
      content([
        { type: "resource", resource: { uri: "file:///a.ts", text: "let a;" } },
        { type: "resource_link", uri: "file:///b.ts", name: "b.ts", description: "the other one" },
      ]),
    ).toEqual([
      { type: "text", text: '<resource uri="file:///a.ts">\nlet a;\n</resource>' },
      { type: "text", text: "[b.ts](file:///b.ts) (the other one)" },
    ]);
  });

  it("is never empty, since providers refuse that", () => {
    expect(content([{ type: "text", text: "" }])).toEqual([{ type: "text", text: "(empty)" }]);
  });
});

describe("what the model said and the tools answered", () => {
  it("goes back as it came, with the provider's own data", () => {
    const signed = { anthropic: { signature: "s" } };
    const conversation: ConversationItem[] = [
      {
        role: "assistant",
        content: [
          { type: "reasoning", id: "1", text: "", providerMetadata: signed },
          { type: "text", id: "2", text: "" },
          { type: "text", id: "3", text: "Let me look." },
          { type: "tool-call", toolCallId: "c", toolName: "look", input: { at: 1 }, providerMetadata: signed },
          { type: "tool-call", toolCallId: "d", toolName: "look", input: "{at" },
        ],
      },
      {
        role: "tool",
        content: [
          { toolCallId: "c", toolName: "look", output: { type: "json", value: { found: true } } },
          { toolCallId: "d", toolName: "look", output: { type: "error", code: "invalid_input", message: "No JSON." } },
        ],
      },
    ];
    expect(toMessages(conversation, sees)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "", providerOptions: signed },
          { type: "text", text: "Let me look." },
          { type: "tool-call", toolCallId: "c", toolName: "look", input: { at: 1 }, providerOptions: signed },
          // Providers accept only objects; the model sees its own input.
          { type: "tool-call", toolCallId: "d", toolName: "look", input: { invalid: "{at" } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "look", output: { type: "json", value: { found: true } } },
          {
            type: "tool-result",
            toolCallId: "d",
            toolName: "look",
            output: { type: "error-text", value: "invalid_input: No JSON." },
          },
        ],
      },
    ]);
  });

  it("is left out where nothing is left of it", () => {
    expect(toMessages([{ role: "assistant", content: [{ type: "text", text: "" }] }], sees)).toEqual([]);
  });
});

describe("defect P5: a picture that a tool returns", () => {
  const picture = { type: "picture", mimeType: "image/png", data: "aGk=", text: "The picture a.png." } as const;
  const conversation: ConversationItem[] = [
    {
      role: "tool",
      content: [
        { toolCallId: "c", toolName: "read_file", output: picture },
        { toolCallId: "d", toolName: "read_file", output: { type: "text", value: "text" } },
      ],
    },
  ];
  const outputs = (senses: Parameters<typeof toMessages>[1]) => {
    const [message, ...more] = toMessages(conversation, senses);
    return { more, outputs: ((message?.content ?? []) as { output: unknown }[]).map(({ output }) => output) };
  };

  it("is in its result, where the API takes pictures there", () => {
    expect(outputs({ images: true })).toEqual({
      more: [],
      outputs: [
        {
          type: "content",
          value: [
            { type: "text", text: "The picture a.png." },
            { type: "image-data", data: "aGk=", mediaType: "image/png" },
          ],
        },
        { type: "text", value: "text" },
      ],
    });
  });

  it("follows the results, where the API takes pictures only of a user", () => {
    expect(outputs({ images: true, pictures: "after results" })).toEqual({
      more: [
        {
          role: "user",
          content: [
            { type: "text", text: "The picture a.png." },
            { type: "image", image: "aGk=", mediaType: "image/png" },
          ],
        },
      ],
      outputs: [
        { type: "text", value: "The picture a.png. It is not shown here." },
        { type: "text", value: "text" },
      ],
    });
  });

  it("is a text for a model that cannot see", () => {
    const { more, outputs: shown } = outputs({ images: false });
    expect(more).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain("aGk=");
  });
});
