import type { ContentBlock } from "@turnkit/client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { PageServer } from "../link/page-server.js";
import { findMentions } from "../mention/mentions.js";

/** Time for which a list of files is used, in milliseconds. */
const FRESH_MS = 5_000;

/**
 * Returns the files of a folder for a text with mentions. They are read when a mention begins, unless they were read a moment ago.
 * Without a mention, or from a server that does not list files, there are none.
 */
export function useMentionedFiles(text: string, folder: string, list: PageServer["files"]): readonly string[] {
  const [files, setFiles] = useState<readonly string[]>([]);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const count = text.split("@").length - 1;
  const read = useCallback(async () => {
    if (performance.now() - readAt.current < FRESH_MS) return;
    readAt.current = performance.now();
    setFiles((await list(folder)) ?? []);
  }, [folder, list]);
  useEffect(() => {
    if (count > 0) void read();
  }, [count, read]);
  return files;
}

/** Returns links to the listed files and folders that a text mentions, for its prompt. Every agent accepts links. */
export function linksTo(text: string, folder: string, files: readonly string[]): readonly ContentBlock[] {
  const known = new Set(files);
  const isKnown = (path: string) =>
    known.has(path) || (path.endsWith("/") && files.some((file) => file.startsWith(path)));
  const paths = findMentions(text).flatMap((mention) => mention.paths.find(isKnown) ?? []);
  return [...new Set(paths)].map((name) => ({ type: "resource_link", uri: addressOf(folder, name), name }));
}

/** Returns the `file:` address of a path inside a folder, which may be one of Windows. */
function addressOf(folder: string, path: string): string {
  const isWindows = /^(?:[a-z]:|\\\\)/i.test(folder);
  const plain = (isWindows ? folder.replaceAll("\\", "/") : folder).replace(/\/$/, "");
  const encoded = `${plain}/${path}`.split("/").map(encodeURIComponent).join("/");
  // A network path has its host after two slashes, and a drive keeps its colon.
  if (plain.startsWith("//")) return `file:${encoded}`;
  return `file://${isWindows ? "/" : ""}${encoded.replace(/^([a-z])%3A/i, "$1:")}`;
}
