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

/** Audience of a content block. */
export type Role = "user" | "assistant";
/** Validates a {@link Role}. */
export const role: Schema<Role> = oneOf("user", "assistant");

const annotations_ = object({
  /** Audience of the content. Entries that are not roles are dropped. */
  audience: lenient(nullable(sifted(role))),
  /** Time of the last change, in the form of ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance. By convention, it is from 0 to 1. */
  priority: lenient(nullable(number())),
});
// V1-CONT-06
/** Hints about the use and display of a content block. */
export interface Annotations extends Infer<typeof annotations_> {}
/** Validates {@link Annotations}. */
export const annotations: Schema<Annotations> = annotations_;

const textContent_ = object({
  /** Text. Clients show it as Markdown. */
  text: string(),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-01
/** Plain text or Markdown. Every prompt may contain it. */
export interface TextContent extends Infer<typeof textContent_> {}
/** Validates {@link TextContent}. */
export const textContent: Schema<TextContent> = textContent_;

const imageContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** Media type, such as `image/png`. */
  mimeType: string(),
  /** Address of the original image. */
  uri: lenient(nullable(string())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-02
/** Image. A prompt may contain it only if the agent advertises `promptCapabilities.image`. */
export interface ImageContent extends Infer<typeof imageContent_> {}
/** Validates {@link ImageContent}. */
export const imageContent: Schema<ImageContent> = imageContent_;

const audioContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** Media type, such as `audio/wav`. */
  mimeType: string(),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-03
/** Sound. A prompt may contain it only if the agent advertises `promptCapabilities.audio`. */
export interface AudioContent extends Infer<typeof audioContent_> {}
/** Validates {@link AudioContent}. */
export const audioContent: Schema<AudioContent> = audioContent_;

const resourceLink_ = object({
  /** Address of the resource. */
  uri: string(),
  /** Name for people. */
  name: string(),
  /** Title for people. It is shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Media type. */
  mimeType: lenient(nullable(string())),
  /** Size in bytes. */
  size: lenient(nullable(integer())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-04
/** Link to a resource that the receiver can fetch. Every prompt may contain it. */
export interface ResourceLink extends Infer<typeof resourceLink_> {}
/** Validates a {@link ResourceLink}. */
export const resourceLink: Schema<ResourceLink> = resourceLink_;

const textResourceContents_ = object({
  /** Address of the text. */
  uri: string(),
  /** Whole text. */
  text: string(),
  /** Media type. */
  mimeType: lenient(nullable(string())),
});
/** Text of an embedded resource. */
export interface TextResourceContents extends Infer<typeof textResourceContents_> {}
/** Validates {@link TextResourceContents}. */
export const textResourceContents: Schema<TextResourceContents> = textResourceContents_;

const blobResourceContents_ = object({
  /** Address of the bytes. */
  uri: string(),
  /** Bytes in base64. */
  blob: string(),
  /** Media type of the bytes. */
  mimeType: lenient(nullable(string())),
});
/** Bytes of an embedded resource. */
export interface BlobResourceContents extends Infer<typeof blobResourceContents_> {}
/** Validates {@link BlobResourceContents}. */
export const blobResourceContents: Schema<BlobResourceContents> = blobResourceContents_;

/** Content of an embedded resource. If there is a member `text`, it is a text, otherwise bytes. */
export type EmbeddedResourceResource = TextResourceContents | BlobResourceContents;
/** Validates an {@link EmbeddedResourceResource}. */
export const embeddedResourceResource: Schema<EmbeddedResourceResource> = firstOf(
  textResourceContents,
  blobResourceContents,
);

const embeddedResource_ = object({
  /** Text or bytes, with their address. */
  resource: embeddedResourceResource,
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V1-CONT-05
/**
 * Resource with its content. A prompt may contain it only if the agent advertises `promptCapabilities.embeddedContext`.
 */
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
/** Part of a message. Blocks of a type that this version does not define can be received, but not written. */
export type ContentBlock = Infer<typeof contentBlock_> | never;
/** Validates a {@link ContentBlock} in messages from the agent. A block of an unknown type is not changed. */
export const contentBlock: Schema<ContentBlock> = contentBlock_;

// V1-CONT-09
/** Validates a {@link ContentBlock} in messages from the client. A block of an unknown type is an error. */
export const promptContentBlock: Schema<ContentBlock> = variants("type", blocks, { unknown: "reject" });
