import type { ContentBlock } from "@turnkit/client";
import { Markdown } from "../markdown/markdown.js";
import { safeAddress } from "../markdown/safe-address.js";
import { Fold } from "../timeline/folds.js";

/** Types of pictures and sounds that are drawn. SVG is not drawn, because it is a document. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;
const SOUND = /^audio\/[\w.+-]{1,40}$/;
const BASE64 = /^[\w+/=\s-]*$/;

/** Draws one block of content. */
export function BlockContent({ block }: { readonly block: ContentBlock }) {
  switch (block.type) {
    case "text":
      return <Markdown text={block.text} />;
    case "image":
      if (!PICTURE.test(block.mimeType) || !BASE64.test(block.data)) return <Other what={`image ${block.mimeType}`} />;
      return <img className="picture" alt="From the agent" src={`data:${block.mimeType};base64,${block.data}`} />;
    case "audio":
      if (!SOUND.test(block.mimeType) || !BASE64.test(block.data)) return <Other what={`sound ${block.mimeType}`} />;
      // biome-ignore lint/a11y/useMediaCaption: the protocol has no captions.
      return <audio controls src={`data:${block.mimeType};base64,${block.data}`} />;
    case "resource_link": {
      const address = safeAddress(block.uri);
      const name = block.title || block.name || block.uri;
      return (
        <p className="resource">
          {address === undefined ? (
            <span title={block.uri}>{name}</span>
          ) : (
            <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
              {name}
            </a>
          )}
        </p>
      );
    }
    case "resource": {
      const { resource } = block;
      return (
        <Fold name={resource.uri} className="resource" summary={resource.uri}>
          <pre>{"text" in resource ? resource.text : "(not a text)"}</pre>
        </Fold>
      );
    }
    default:
      return <Other what="content of an unknown kind" />;
  }
}

function Other({ what }: { readonly what: string }) {
  return <p className="quiet">[{what}]</p>;
}
