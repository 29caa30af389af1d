import { realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { displayPath } from "./display-path.js";
import { type Span, textOf, withAddress } from "./line.js";

export interface FileLinks {
  /** Returns the address of a file in the directory. Returns `undefined` for every other path. */
  address(path: string, line?: number | null): string | undefined;
  /** Returns a span as spans in which paths of files are links. A path may have a line number, as in `src/a.ts:12`. */
  spans(span: Span): readonly Span[];
}

export type FileLinkOptions = {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Returns the time in milliseconds. Tests have their own. */
  readonly now?: () => number;
};

/** Files that a system runs, installs or mounts when a person opens them. */
const RUNS = new RegExp(
  `\\.(?:${[
    "action ade adp app appimage appinstaller application appref-ms appx appxbundle bat chm cmd com command cpl crx deb",
    "desktop diagcab dmg exe fileloc flatpakref gadget hlp hta img inetloc inf iso isp its jar jnlp job library-ms lnk",
    "mde mpkg msc msh msi msix msixbundle msp mst msu osx pif pkg ppkg ps1 ps1xml ps2 psc1 psd1 psm1 rdp reg rpm run scf",
    "scpt scr sct search-ms settingcontent-ms shb shs snap sys term terminal theme themepack tool udl url vb vbe vbs vhd",
    "vhdx vsix webloc website workflow ws wsc wsf wsh xbap xll xnk xpi",
  ]
    .join(" ")
    .replaceAll(" ", "|")})$`,
  "i",
);
const RUNS_ON_WINDOWS = /\.(?:jse?|py[wz]?c?)$/i;

/** Characters that a path may have in a text, with a line and a column after it. */
const PLACE = /([\p{L}\p{M}\p{N}_@+~./-]+)(?::(\d{1,9})(?::\d{1,9})?)?/gu;
/** Maximum length of a path in a text, in characters. */
const MAX_PATH = 300;
/** Time for which a result is used again, in milliseconds, and the number of files that are looked up in that time. */
const CACHE = { ms: 2000, files: 300 } as const;

/** Creates {@link FileLinks}. The links lead only to existing files that no system runs when a person opens them. */
export function createFileLinks(options: FileLinkOptions): FileLinks {
  const { directory, env, platform = process.platform, now = performance.now.bind(performance) } = options;
  const known = new Map<string, string | undefined>();
  let since = now();
  // The host shows a terminal on another machine that the file is not there. On Windows, it would be a network share.
  const name = hostname();
  const host = platform !== "win32" && /^[\w.-]+$/.test(name) ? name : "";
  const knowsLines = env.TERM === "xterm-kitty" || env.TERM_PROGRAM === "iTerm.app";

  const find = (path: string): string | undefined => {
    if (now() - since > CACHE.ms) {
      since = now();
      known.clear();
    }
    if (!known.has(path) && known.size < CACHE.files) known.set(path, lookUp(path, directory, platform));
    return known.get(path);
  };
  const address = (path: string, line?: number | null): string | undefined => {
    const file = find(path);
    if (file === undefined) return undefined;
    const { pathname } = pathToFileURL(file);
    return `file://${host}${pathname}${knowsLines && line != null && line > 0 ? `#${line}` : ""}`;
  };
  return {
    address,
    spans(span) {
      const [style, , link] = typeof span === "string" ? [[], span] : span;
      if (link !== undefined) return [span];
      const text = textOf(span);
      const spans: Span[] = [];
      let end = 0;
      for (const { 0: place, 1: path = "", 2: line, index } of text.matchAll(PLACE)) {
        // A full stop may end the sentence.
        const isEnd = line === undefined && path.endsWith(".");
        const trimmed = isEnd ? path.replace(/\.{1,3}$/, "") : path;
        if (trimmed.length > MAX_PATH || !/[./]/.test(trimmed)) continue;
        const found = address(trimmed, line === undefined ? undefined : Number(line));
        if (found === undefined) continue;
        const shown = isEnd ? trimmed : place;
        if (index > end) spans.push([style, text.slice(end, index)]);
        spans.push(withAddress(style, shown, found));
        end = index + shown.length;
      }
      if (end === 0) return [span];
      return end < text.length ? [...spans, [style, text.slice(end)]] : spans;
    },
  };
}

/** Returns the absolute path of a file that is inside the directory, even after its links are resolved. */
function lookUp(path: string, directory: string, platform: NodeJS.Platform): string | undefined {
  try {
    const file = resolve(directory, path);
    if (displayPath(file, directory) === file || runs(file, platform)) return undefined;
    // The native function also gives the long form of short names of Windows, such as `SETUP~1.APP`.
    const real = realpathSync.native(file);
    if (displayPath(real, realpathSync.native(directory)) === real || runs(real, platform)) return undefined;
    const stats = statSync(real);
    // macOS runs programs without an ending in a terminal.
    return stats.isFile() && (platform !== "darwin" || (stats.mode & 0o111) === 0) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Returns `true` for a file that the system runs. Windows drops dots and spaces at the end of a name. */
function runs(file: string, platform: NodeJS.Platform): boolean {
  const name = withoutEnd(file);
  if (RUNS.test(name)) return true;
  // After the drive, a colon names a stream of a file: `a.exe:b.txt` is a part of `a.exe`.
  return platform === "win32" && (RUNS_ON_WINDOWS.test(name) || file.indexOf(":", 2) >= 0);
}

/** Returns a path without the dots and spaces at its end. An expression with `+$` would try each of them. */
function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === "." || path[end - 1] === " ") end -= 1;
  return path.slice(0, end);
}
