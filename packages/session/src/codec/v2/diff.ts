import type { Diff, DiffChange, ToolCallContent, ToolCallPatch } from "../../tool-call.js";
import type { Lost } from "../losses.js";
import { compact } from "../read.js";
import { gitPatch, isBinary } from "./git-patch.js";

/** Callback for a diff whose texts cannot be written as a patch. */
type OnLostText = () => void;

/** Encodes one item of the content. A diff is encoded as a patch, not as whole texts. */
// V2-DIFF-06
export function encodeItem(item: ToolCallContent, onLostText: OnLostText): object {
  return needsEncoding(item) ? encodeDiff(item as Diff, onLostText) : item;
}

/** Encodes a change of a tool call. If nothing needs a change, the same object is returned. */
export function encodePatch<T extends ToolCallPatch>(
  patch: T,
  lost: Lost,
): T | (Omit<T, "content"> & { readonly content: readonly object[] }) {
  const { content, toolCallId } = patch;
  if (content == null || !content.some(needsEncoding)) return patch;
  return { ...patch, content: content.map((item) => encodeItem(item, () => lost("diff-text", toolCallId))) };
}

const needsEncoding = (item: ToolCallContent): boolean => item.type === "diff" && item.changes.some(needsChange);
const needsChange = (change: DiffChange): boolean => "oldText" in change || "newText" in change || change.path === "";

function encodeDiff(diff: Diff, onLostText: OnLostText): object {
  const { changes, patch, _meta } = diff;
  const sentPatch = patch === undefined || patch === null ? patchOf(changes, onLostText) : patch;
  return compact({ ...diff, changes: changes.map(encodeChange), patch: sentPatch ?? patch, _meta: _meta ?? undefined });
}

function patchOf(changes: readonly DiffChange[], onLostText: OnLostText): Diff["patch"] | undefined {
  const sections: string[] = [];
  for (const change of changes) {
    const section = gitPatch(change);
    if (section !== undefined) sections.push(section);
    else if (change.oldText !== change.newText) onLostText();
  }
  return sections.length === 0 ? undefined : { format: "git_patch", text: sections.join("") };
}

function encodeChange(change: DiffChange): object {
  const { oldText, newText, path, fileType, ...others } = change;
  const known = [oldText, newText].filter((text) => typeof text === "string");
  const sort = known.length === 0 ? undefined : known.some(isBinary) ? "binary" : "text";
  // A change with an unknown operation may have no path.
  return compact({ ...others, path: path === "" ? undefined : path, fileType: fileType ?? sort ?? fileType });
}
