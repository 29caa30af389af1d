/**
 * Tag of a later protocol version or an extension, which this version does not define. The type has no values. Objects
 * with such a tag can be received, stored and passed on, but not written in code.
 */
declare enum Unrecognised {
  tag = "",
}

/** Tag that is not in the protocol versions that turnkit supports. */
export type UnknownTag = Unrecognised;

/** Free-form data of implementations. Nearly every object of the protocol can have it. */
export type Meta = { readonly [key: string]: unknown };

/** Hints for the use and the display of a content block. */
export type Annotations = {
  readonly audience?: readonly string[] | null;
  /** Time of the last change, in the form of ISO 8601. */
  readonly lastModified?: string | null;
  /** Priority from 0 (optional) to 1 (required). */
  readonly priority?: number | null;
  readonly _meta?: Meta | null;
};

type Annotated = { readonly annotations?: Annotations | null; readonly _meta?: Meta | null };

/** Text, to be shown as Markdown. */
export type TextContent = Annotated & { readonly type: "text"; readonly text: string };

/** Picture. `data` is base64. */
export type ImageContent = Annotated & {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly uri?: string | null;
};

/** Sound. `data` is base64. */
export type AudioContent = Annotated & { readonly type: "audio"; readonly data: string; readonly mimeType: string };

/** Picture for a link. Use only addresses with `https:` or `data:`. */
export type Icon = {
  readonly src: string;
  readonly mimeType?: string | null;
  /** Sizes in the form `WxH`, or `any`. */
  readonly sizes?: readonly string[] | null;
  readonly theme?: string | null;
  readonly _meta?: Meta | null;
};

/** Link to a resource. */
export type ResourceLink = Annotated & {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly icons?: readonly Icon[] | null;
  readonly mimeType?: string | null;
  /** Size in bytes. */
  readonly size?: number | null;
};

/** Embedded resource with `text`, or with `blob` in base64. If both are present, `text` counts. */
// V1-CONT-05
export type EmbeddedResource = Annotated & {
  readonly type: "resource";
  readonly resource:
    | { readonly uri: string; readonly text: string; readonly mimeType?: string | null; readonly _meta?: Meta | null }
    | { readonly uri: string; readonly blob: string; readonly mimeType?: string | null; readonly _meta?: Meta | null };
};

/** Content block of a type that this version does not define, unchanged. */
export type UnknownContent = { readonly type: UnknownTag };

/** Part of a message, a prompt or the output of a tool. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownContent;
