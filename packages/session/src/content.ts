/**
 * Tag that this version does not know, from a later protocol or an extension. The type has no values: such an object
 * can be received, kept and passed on, but not written by hand.
 */
declare enum Unrecognised {
  tag = "",
}

/** A tag that is not in the protocol as turnkit knows it. */
export type UnknownTag = Unrecognised;

/** Free-form data of implementations, present on nearly every protocol object. */
export type Meta = { readonly [key: string]: unknown };

/** Hints for the use and display of a block. */
export type Annotations = {
  readonly audience?: readonly string[] | null;
  /** ISO 8601. */
  readonly lastModified?: string | null;
  /** Priority from 0 (optional) to 1 (required). */
  readonly priority?: number | null;
  readonly _meta?: Meta | null;
};

type Annotated = { readonly annotations?: Annotations | null; readonly _meta?: Meta | null };

/** Text, to be drawn as Markdown. */
export type TextContent = Annotated & { readonly type: "text"; readonly text: string };

/** A picture; `data` is base64. */
export type ImageContent = Annotated & {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly uri?: string | null;
};

/** Sound; `data` is base64. */
export type AudioContent = Annotated & { readonly type: "audio"; readonly data: string; readonly mimeType: string };

/** A picture for a link, from `https:` or `data:` only. */
export type Icon = {
  readonly src: string;
  readonly mimeType?: string | null;
  /** `WxH` or `any`. */
  readonly sizes?: readonly string[] | null;
  readonly theme?: string | null;
  readonly _meta?: Meta | null;
};

/** A resource by reference. */
export type ResourceLink = Annotated & {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly icons?: readonly Icon[] | null;
  readonly mimeType?: string | null;
  /** Bytes. */
  readonly size?: number | null;
};

/** Embedded resource: `text`, or `blob` in base64. With both it is a text. */
// V1-CONT-05
export type EmbeddedResource = Annotated & {
  readonly type: "resource";
  readonly resource:
    | { readonly uri: string; readonly text: string; readonly mimeType?: string | null; readonly _meta?: Meta | null }
    | { readonly uri: string; readonly blob: string; readonly mimeType?: string | null; readonly _meta?: Meta | null };
};

/** Block of a type that this version does not know, unchanged. */
export type UnknownContent = { readonly type: UnknownTag };

/** One piece of a message, a prompt or a tool's output. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownContent;
