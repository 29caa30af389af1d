import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { annotations, contentBlock, embeddedResource, resourceLink } from "./index.js";

const text = { type: "text", text: "a" };
const image = { type: "image", data: "AA==", mimeType: "image/png" };
const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const link = { type: "resource_link", name: "a", uri: "file:///a" };
const ofText = { type: "resource", resource: { uri: "file:///a", text: "a" } };
const ofBytes = { type: "resource", resource: { uri: "file:///a", blob: "AA==" } };

describe("content blocks", () => {
  it.each<Case>([
    ["V2-CON-01 text", contentBlock, text, fine],
    ["V2-CON-01 text without text", contentBlock, { type: "text" }, { refused: ["text"] }],
    ["V2-CON-01 an image", contentBlock, { ...image, uri: "https://a.test/a.png" }, fine],
    ["V2-CON-01 an image with a bad source", contentBlock, { ...image, uri: 5 }, { salvaged: ["uri"], as: image }],
    ["V2-CON-01 an image without a type", contentBlock, { ...image, mimeType: undefined }, { refused: ["mimeType"] }],
    ["V2-CON-01 audio", contentBlock, audio, fine],
    ["V2-CON-01 audio without data", contentBlock, { ...audio, data: undefined }, { refused: ["data"] }],
    [
      "V2-CON-01 a link with everything",
      contentBlock,
      { ...link, title: "A", description: "d", icons: [{ src: "data:," }], mimeType: "text/plain", size: 3 },
      fine,
    ],
    ["V2-CON-01 a link without a name", contentBlock, { type: "resource_link", uri: "a:b" }, { refused: ["name"] }],
    ["V2-CON-01 a resource of text", contentBlock, ofText, fine],
    ["V2-CON-01 a resource of bytes", contentBlock, ofBytes, fine],
    [
      "V2-CON-01 a resource of nothing",
      contentBlock,
      { type: "resource", resource: { uri: "a:b" } },
      { refused: ["resource.text"] },
    ],
    ["V2-CON-01 a type that nobody here knows", contentBlock, { type: "video", data: ["AA=="] }, { kept: ["type"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it.each([text, image, audio, link, ofText, ofBytes])(
    "$type may have annotations and metadata (V2-CON-01)",
    (block) => {
      const annotated = { ...block, annotations: { audience: ["user"], priority: 1 }, _meta: { a: 1 } };
      expectOutcome(contentBlock, annotated, fine);
      expectOutcome(contentBlock, { ...block, annotations: [] }, { salvaged: ["annotations"], as: block });
    },
  );
});

describe("what is in them", () => {
  it.each<Case>([
    [
      "V2-CON-02 annotations",
      annotations,
      { audience: ["assistant"], lastModified: "2026-01-01T00:00:00Z", priority: 0 },
      fine,
    ],
    ["V2-CON-02 nulls", annotations, { audience: null, lastModified: null, priority: null }, fine],
    ["V2-CON-02 a role of the future", annotations, { audience: ["critic"] }, { kept: ["audience.0"] }],
    ["V2-CON-02 a priority above 1", annotations, { priority: 1.01 }, { salvaged: ["priority"], as: {} }],
    ["V2-CON-02 a priority below 0", annotations, { priority: -0.1 }, { salvaged: ["priority"], as: {} }],
    ["V2-CON-02 a date that is a number", annotations, { lastModified: 1 }, { salvaged: ["lastModified"], as: {} }],
    ["V2-CON-02 a size beyond 2^53", resourceLink, { ...link, size: 2 ** 63 }, fine],
    ["V2-CON-02 a size below 0", resourceLink, { ...link, size: -1 }, { salvaged: ["size"], as: link }],
    ["V2-CON-02 half a byte", resourceLink, { ...link, size: 0.5 }, { salvaged: ["size"], as: link }],
    ["V2-CON-02 data that is no string", contentBlock, { ...image, data: [0] }, { refused: ["data"] }],
    ["V2-CON-02 an address that is no string", contentBlock, { ...link, uri: {} }, { refused: ["uri"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

describe("a resource with text and bytes (V2-CON-07)", () => {
  const both = { uri: "file:///a", text: "a", blob: "AA==" };

  it.each<Case>([
    ["is one of text", embeddedResource, { resource: both }, fine],
    ["is one of text, whatever the bytes are", embeddedResource, { resource: { ...both, blob: 5 } }, fine],
    ["is one of bytes only where the text is none", embeddedResource, { resource: { ...both, text: 5 } }, fine],
    [
      "is neither where both are none",
      embeddedResource,
      { resource: { ...both, text: 5, blob: 5 } },
      { refused: ["resource.text"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
