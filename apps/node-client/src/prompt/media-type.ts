/** Content that a prompt can have besides text. */
export type MediaType = { readonly kind: "image" | "audio"; readonly mimeType: string };

/** Number of bytes that {@link mediaTypeOf} needs. */
export const MEDIA_HEAD = 16;

/** Signatures of files as Latin-1 texts, with their positions. */
const signatures: readonly (readonly [at: number, text: string, type: MediaType])[] = [
  [0, "\x89PNG\r\n\x1a\n", { kind: "image", mimeType: "image/png" }],
  [0, "\xff\xd8\xff", { kind: "image", mimeType: "image/jpeg" }],
  [0, "GIF87a", { kind: "image", mimeType: "image/gif" }],
  [0, "GIF89a", { kind: "image", mimeType: "image/gif" }],
  [8, "WEBP", { kind: "image", mimeType: "image/webp" }],
  [8, "WAVE", { kind: "audio", mimeType: "audio/wav" }],
  [0, "ID3", { kind: "audio", mimeType: "audio/mpeg" }],
  [0, "\xff\xfb", { kind: "audio", mimeType: "audio/mpeg" }],
  [0, "\xff\xf3", { kind: "audio", mimeType: "audio/mpeg" }],
  [0, "\xff\xf2", { kind: "audio", mimeType: "audio/mpeg" }],
  [0, "fLaC", { kind: "audio", mimeType: "audio/flac" }],
  [0, "OggS", { kind: "audio", mimeType: "audio/ogg" }],
  [4, "ftypM4A", { kind: "audio", mimeType: "audio/mp4" }],
];

/**
 * Returns the type of a picture or an audio file by the first bytes of its file. The name of the file does not count.
 * Returns `undefined` for other content.
 */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head).toString("latin1");
  const found = signatures.find(([at, signature]) => text.startsWith(signature, at));
  // WEBP and WAVE are inside of a RIFF file.
  return found?.[0] === 8 && !text.startsWith("RIFF") ? undefined : found?.[2];
}
