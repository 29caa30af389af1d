import type { ContentBlock } from "@turnkit/client";

/** Types of pictures that models read. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
/** Size of all pictures of a prompt, in bytes. Base64 makes them a third larger, and a message has 32 MiB at most. */
export const MOST_BYTES = 15 * 2 ** 20;

/** Picture that will be sent with the next prompt. */
export type PastedImage = { readonly name: string; readonly bytes: number; readonly block: ContentBlock };

/** Pictures that were added and not sent, by session. */
export const heldImages = new Map<string, readonly PastedImage[]>();

/** Returns the pictures among pasted or dropped files. */
export const picturesOf = (data: DataTransfer): readonly File[] =>
  [...data.files].filter(({ type }) => PICTURE.test(type));

/** Reads a picture as a block of a prompt. */
export async function readImage(file: File): Promise<PastedImage> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In pieces, because a call has a bound for its arguments.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return {
    name: file.name || "picture",
    bytes: bytes.length,
    block: { type: "image", mimeType: file.type, data: btoa(text) },
  };
}
