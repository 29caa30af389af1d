import type { Meta } from "../../content.js";
import type { MessageUpsert, WireEvent } from "../../event.js";
import { metadataAbout } from "../../metadata.js";
import type { StatesAround } from "../codec.js";

type Patch = MessageUpsert | (WireEvent & { readonly type: "tool_call_update" | "session_info_update" });

/**
 * Metadata as a whole: in seed it replaces what was there (3.1). Keys that went are said as `null`, which a reader of
 * either rule takes for absent.
 */
export function wholeMeta(event: Patch, { before, after }: StatesAround): Meta | null | undefined {
  if (event._meta === undefined) return undefined;
  const whole = metadataAbout(after, event);
  if (whole === undefined) return null;
  const gone = Object.keys(metadataAbout(before, event) ?? {}).filter((key) => !Object.hasOwn(whole, key));
  return gone.length === 0 ? whole : { ...whole, ...Object.fromEntries(gone.map((key) => [key, null])) };
}
