import { expect, it } from "vitest";
import { mediaTypeOf } from "./media-type.js";

it.each([
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["RIFF....WEBPVP8 ", "image/webp"],
  ["RIFF....WAVEfmt ", "audio/wav"],
  ["ID3\x04", "audio/mpeg"],
  ["....ftypM4A ", "audio/mp4"],
])("defect P5: %j is %s", (head, mimeType) => {
  expect(mediaTypeOf(Buffer.from(head, "latin1"))?.mimeType).toBe(mimeType);
});

it.each(["", "\xff\xfeh\x00i\x00", "GIF", "12345678WEBP", "RIFF....AVI ", "<svg>", "%PDF-1.7"])(
  "%j is no picture and no audio",
  (head) => {
    expect(mediaTypeOf(Buffer.from(head, "latin1"))).toBeUndefined();
  },
);
