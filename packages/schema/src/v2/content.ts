import {
  firstOf,
  type Infer,
  integer,
  lenient,
  nullable,
  number,
  object,
  openEnum,
  openVariants,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";

const role_ = openEnum("assistant", "user");
/** Audience of a content block. */
export type Role = Infer<typeof role_> | never;
/** Validates a {@link Role}. Unknown values are accepted. */
export const role: Schema<Role> = role_;

/** Media type, such as `image/png`. */
export type MediaType = string;
/** Validates a {@link MediaType}. Every string is valid. */
export const mediaType: Schema<MediaType> = string();

const annotations_ = object({
  /** Audience of the content. Entries that are not strings are dropped. */
  audience: lenient(nullable(sifted(role))),
  /** Time of the last change, in the form of ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance, from 0 to 1. */
  priority: lenient(nullable(number(0, 1))),
});
// V2-CON-02
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
// V2-CON-04
/** Plain text or Markdown. Every prompt may contain it. */
export interface TextContent extends Infer<typeof textContent_> {}
/** Validates {@link TextContent}. */
export const textContent: Schema<TextContent> = textContent_;

const imageContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** MIME type of the image. */
  mimeType: mediaType,
  /** Address of the original image. */
  uri: lenient(nullable(string())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-03
/** Image. A prompt may contain it only if the agent advertises `session.prompt.image`. */
export interface ImageContent extends Infer<typeof imageContent_> {}
/** Validates {@link ImageContent}. */
export const imageContent: Schema<ImageContent> = imageContent_;

const audioContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** MIME type of the sound. */
  mimeType: mediaType,
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-03
/** Sound. A prompt may contain it only if the agent advertises `session.prompt.audio`. */
export interface AudioContent extends Infer<typeof audioContent_> {}
/** Validates {@link AudioContent}. */
export const audioContent: Schema<AudioContent> = audioContent_;

const iconTheme_ = openEnum("light", "dark");
/** Background for which an icon is drawn. */
export type IconTheme = Infer<typeof iconTheme_> | never;
/** Validates an {@link IconTheme}. Unknown values are accepted. */
export const iconTheme: Schema<IconTheme> = iconTheme_;

const icon_ = object({
  /**
   * Address of the icon, with `https:` or `data:`. Fetch it without credentials, and follow no redirect to another
   * host.
   */
  src: string(),
  /** Media type. It has priority over the type that the server sends. */
  mimeType: lenient(nullable(mediaType)),
  /**
   * Suitable sizes, such as `48x48` or `any`. If absent, every size is suitable. Entries that are not strings are
   * dropped.
   */
  sizes: lenient(nullable(sifted(string()))),
  /** Background for which the icon is drawn. */
  theme: lenient(nullable(iconTheme)),
});
// V2-CON-06
/** Small picture for a resource. */
export interface Icon extends Infer<typeof icon_> {}
/** Validates an {@link Icon}. */
export const icon: Schema<Icon> = icon_;

const resourceLink_ = object({
  /** Address of the resource. */
  uri: string(),
  /** Name for people. */
  name: string(),
  /** Title for people. It is shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Icons of the resource. Malformed icons are dropped. */
  icons: lenient(nullable(sifted(icon))),
  /** Media type. */
  mimeType: lenient(nullable(mediaType)),
  /** Size in bytes. */
  size: lenient(nullable(integer(0))),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-05
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
  mimeType: lenient(nullable(mediaType)),
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
  mimeType: lenient(nullable(mediaType)),
});
/** Bytes of an embedded resource. */
export interface BlobResourceContents extends Infer<typeof blobResourceContents_> {}
/** Validates {@link BlobResourceContents}. */
export const blobResourceContents: Schema<BlobResourceContents> = blobResourceContents_;

// V2-CON-07
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
// V2-CON-03
/** Resource with its content. A prompt may contain it only if the agent advertises `session.prompt.embeddedContext`. */
export interface EmbeddedResource extends Infer<typeof embeddedResource_> {}
/** Validates an {@link EmbeddedResource}. */
export const embeddedResource: Schema<EmbeddedResource> = embeddedResource_;

const contentBlock_ = openVariants("type", {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource_link: resourceLink,
  resource: embeddedResource,
});
// V2-CON-01, V2-PRM-09
/** Part of a message. A block of another type is not changed. In a prompt, the agent must refuse such a block. */
export type ContentBlock = Infer<typeof contentBlock_> | never;
/** Validates a {@link ContentBlock}. */
export const contentBlock: Schema<ContentBlock> = contentBlock_;
