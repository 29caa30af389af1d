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
/** Audience of a piece of content. */
export type Role = Infer<typeof role_> | never;
/** Validates a {@link Role}; unknown ones are kept. */
export const role: Schema<Role> = role_;

/** A media type, such as `image/png`. */
export type MediaType = string;
/** Validates a {@link MediaType}: any string. */
export const mediaType: Schema<MediaType> = string();

const annotations_ = object({
  /** Audience of the content; entries that are no string are dropped. */
  audience: lenient(nullable(sifted(role))),
  /** Time of the last change, in ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance, from 0 to 1. */
  priority: lenient(nullable(number(0, 1))),
});
// V2-CON-02
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
// V2-CON-04
/** Plain or Markdown text, allowed in every prompt. */
export interface TextContent extends Infer<typeof textContent_> {}
/** Validates {@link TextContent}. */
export const textContent: Schema<TextContent> = textContent_;

const imageContent_ = object({
  /** The bytes in base64. */
  data: string(),
  /** MIME type of the image. */
  mimeType: mediaType,
  /** Address of the image's source. */
  uri: lenient(nullable(string())),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-03
/** An image. In a prompt only if the agent advertises `session.prompt.image`. */
export interface ImageContent extends Infer<typeof imageContent_> {}
/** Validates {@link ImageContent}. */
export const imageContent: Schema<ImageContent> = imageContent_;

const audioContent_ = object({
  /** The bytes in base64. */
  data: string(),
  /** MIME type of the sound. */
  mimeType: mediaType,
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-03
/** A sound. In a prompt only if the agent advertises `session.prompt.audio`. */
export interface AudioContent extends Infer<typeof audioContent_> {}
/** Validates {@link AudioContent}. */
export const audioContent: Schema<AudioContent> = audioContent_;

const iconTheme_ = openEnum("light", "dark");
/** The background that an icon is drawn for. */
export type IconTheme = Infer<typeof iconTheme_> | never;
/** Validates an {@link IconTheme}; unknown ones are kept. */
export const iconTheme: Schema<IconTheme> = iconTheme_;

const icon_ = object({
  /** Address of the icon, `https:` or `data:`. Fetch it without credentials and follow no redirect to another host. */
  src: string(),
  /** Media type; it takes precedence over the server's. */
  mimeType: lenient(nullable(mediaType)),
  /** Suitable sizes, as `48x48` or `any`; absent means any. Entries that are no string are dropped. */
  sizes: lenient(nullable(sifted(string()))),
  /** The background that the icon is drawn for. */
  theme: lenient(nullable(iconTheme)),
});
// V2-CON-06
/** A small picture for a resource. */
export interface Icon extends Infer<typeof icon_> {}
/** Validates an {@link Icon}. */
export const icon: Schema<Icon> = icon_;

const resourceLink_ = object({
  /** Address of the resource. */
  uri: string(),
  /** A name for people. */
  name: string(),
  /** A title for people, shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Icons of the resource; malformed ones are dropped. */
  icons: lenient(nullable(sifted(icon))),
  /** Media type. */
  mimeType: lenient(nullable(mediaType)),
  /** Size in bytes. */
  size: lenient(nullable(integer(0))),
  /** Hints on use and display. */
  annotations: lenient(nullable(annotations)),
});
// V2-CON-05
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
  mimeType: lenient(nullable(mediaType)),
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
  mimeType: lenient(nullable(mediaType)),
});
/** The bytes of an embedded resource. */
export interface BlobResourceContents extends Infer<typeof blobResourceContents_> {}
/** Validates {@link BlobResourceContents}. */
export const blobResourceContents: Schema<BlobResourceContents> = blobResourceContents_;

// V2-CON-07
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
// V2-CON-03
/** A resource with its contents. In a prompt only if the agent advertises `session.prompt.embeddedContext`. */
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
/** One piece of a message. A block of another type is kept as received. In a prompt, the agent must refuse it. */
export type ContentBlock = Infer<typeof contentBlock_> | never;
/** Validates a {@link ContentBlock}. */
export const contentBlock: Schema<ContentBlock> = contentBlock_;
