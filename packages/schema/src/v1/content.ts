import {
  firstOf,
  type Infer,
  integer,
  lenient,
  nullable,
  number,
  object,
  oneOf,
  type Schema,
  sifted,
  string,
  variants,
} from "../vocabulary.js";

/** Audience of a piece of content. */
export type Role = "user" | "assistant";
/** Validates a {@link Role}. */
export const role: Schema<Role> = oneOf("user", "assistant");

const annotations_ = object({
  /** Audience of the content; entries that are no role are dropped. */
  audience: lenient(nullable(sifted(role))),
  /** Time of the last change, in ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance, from 0 to 1 by convention. */
  priority: lenient(nullable(number())),
});
// V1-CONT-06
/** Hints on how to use or show a piece of content. */
export interface Annotations extends Infer<typeof annotations_> {}
/** Validates {@link Annotations}. */
export const annotations: Schema<Annotations> = annotations_;

const textContent_ = object({
  /** The text; clients show it as Markdown. */
  text: string(),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-01
/** Plain or Markdown text, allowed in every prompt. */
export interface TextContent extends Infer<typeof textContent_> {}
/** Validates {@link TextContent}. */
export const textContent: Schema<TextContent> = textContent_;

const imageContent_ = object({
  /** The bytes in base64. */
  data: string(),
  /** The media type, such as `image/png`. */
  mimeType: string(),
  /** Address of the image's source. */
  uri: lenient(nullable(string())),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-02
/** An image. In a prompt only if the agent advertises `promptCapabilities.image`. */
export interface ImageContent extends Infer<typeof imageContent_> {}
/** Validates {@link ImageContent}. */
export const imageContent: Schema<ImageContent> = imageContent_;

const audioContent_ = object({
  /** The bytes in base64. */
  data: string(),
  /** The media type, such as `audio/wav`. */
  mimeType: string(),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-03
/** A sound. In a prompt only if the agent advertises `promptCapabilities.audio`. */
export interface AudioContent extends Infer<typeof audioContent_> {}
/** Validates {@link AudioContent}. */
export const audioContent: Schema<AudioContent> = audioContent_;

const resourceLink_ = object({
  /** Address of the resource. */
  uri: string(),
  /** A name for people. */
  name: string(),
  /** A title for people, shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Media type. */
  mimeType: lenient(nullable(string())),
  /** Size in bytes. */
  size: lenient(nullable(integer())),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-04
/** Pointer to a resource that the receiver can fetch, allowed in every prompt. */
export interface ResourceLink extends Infer<typeof resourceLink_> {}
/** Validates a {@link ResourceLink}. */
export const resourceLink: Schema<ResourceLink> = resourceLink_;

const textResourceContents_ = object({
  /** Address of the text's source. */
  uri: string(),
  /** The whole text. */
  text: string(),
  /** Media type. */
  mimeType: lenient(nullable(string())),
});
/** The text of an embedded resource. */
export interface TextResourceContents extends Infer<typeof textResourceContents_> {}
/** Validates {@link TextResourceContents}. */
export const textResourceContents: Schema<TextResourceContents> = textResourceContents_;

const blobResourceContents_ = object({
  /** Address of the bytes' source. */
  uri: string(),
  /** The bytes in base64. */
  blob: string(),
  /** Their media type. */
  mimeType: lenient(nullable(string())),
});
/** The bytes of an embedded resource. */
export interface BlobResourceContents extends Infer<typeof blobResourceContents_> {}
/** Validates {@link BlobResourceContents}. */
export const blobResourceContents: Schema<BlobResourceContents> = blobResourceContents_;

/** Contents of an embedded resource: text if there is a `text`, else bytes. */
export type EmbeddedResourceResource = TextResourceContents | BlobResourceContents;
/** Validates an {@link EmbeddedResourceResource}. */
export const embeddedResourceResource: Schema<EmbeddedResourceResource> = firstOf(
  textResourceContents,
  blobResourceContents,
);

const embeddedResource_ = object({
  /** Text or bytes, with their address. */
  resource: embeddedResourceResource,
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-05
/** A resource with its contents. In a prompt only if the agent advertises `promptCapabilities.embeddedContext`. */
export interface EmbeddedResource extends Infer<typeof embeddedResource_> {}
/** Validates an {@link EmbeddedResource}. */
export const embeddedResource: Schema<EmbeddedResource> = embeddedResource_;

const blocks = {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource_link: resourceLink,
  resource: embeddedResource,
};
const contentBlock_ = variants("type", blocks, { unknown: "keep" });
// V1-CONT-07
/** One piece of a message. Blocks of types that this version does not define can be received, not written. */
export type ContentBlock = Infer<typeof contentBlock_> | never;
/** Validates a {@link ContentBlock} in messages from the agent. A block of an unknown type is kept as received. */
export const contentBlock: Schema<ContentBlock> = contentBlock_;

// V1-CONT-09
/** Validates a {@link ContentBlock} in messages from the client. A block of an unknown type is an error. */
export const promptContentBlock: Schema<ContentBlock> = variants("type", blocks, { unknown: "reject" });
