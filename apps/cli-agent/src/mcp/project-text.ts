import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { isInProject } from "@turnkit/transport/node";

/** Limits of a text that is searched. A text above a limit counts as a text that names the project. */
const MAX_LENGTH = 4_096;
const MAX_PATHS = 200;

/** Systems whose file systems usually ignore the case of names. */
const FOLDING = /^(?:darwin|win32)$/;

/** Characters that separate paths inside a text, such as a command line, a URL or JSON. */
const SEPARATORS = /[\s"'`=,;:|&<>(){}[\]@?#]+/;

/**
 * Returns `true` if a text names the project of a folder or a file in it:
 *
 * - The text contains the path of the project, as it was given or without links. The path may be percent-encoded.
 * - A part of the text is a path that leads into the project and exists. The part may follow an option, as in `-r./x`.
 */
export async function namesProject(
  text: string,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (text === "") return false;
  if (text.length > MAX_LENGTH || text.includes("\0")) return true;
  const folded = (path: string) => (FOLDING.test(platform) ? path.toLowerCase() : path);
  const folders = foldersOf(directory).map((folder) => folded(plain(folder)));
  const forms = formsOf(text);
  if (forms.some((form) => folders.some((folder) => contains(folded(plain(form)), folder)))) return true;
  const paths = new Set(forms.flatMap((form) => [form, ...form.split(SEPARATORS)].flatMap(candidatesOf)));
  if (paths.size > MAX_PATHS) return true;
  for (const path of paths) if (await leadsInto(path, directory)) return true;
  return false;
}

/** Returns the session's folder and the outermost folder of its project, with and without links. */
function foldersOf(directory: string): readonly string[] {
  let project = resolve(directory);
  while (dirname(project) !== project && isInProject(dirname(project), directory)) project = dirname(project);
  const given = [resolve(directory), project];
  return [...new Set([...given, ...given.map(realPath)])];
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Returns a path with `/` alone as separator, and without empty parts and parts with one dot. */
function plain(path: string): string {
  const parts = path
    .normalize("NFC")
    .split(/[\\/]+/)
    .filter((part) => part !== ".");
  return parts.join("/");
}

function contains(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    // For example, `/a/project-2` begins like `/a/project`, but is another folder.
    if (folder.endsWith("/") || !/[\w.-]/.test(text.charAt(at + folder.length))) return true;
  }
  return false;
}

/** Returns three forms of a text: unchanged, percent-decoded, and with the home folder in place of `~` and `$HOME`. */
function formsOf(text: string): readonly string[] {
  const forms = [text];
  for (let round = 0; round < 3; round += 1) {
    const decoded = (forms.at(-1) ?? "").replace(/(?:%[\da-f]{2})+/gi, (codes) => {
      try {
        return decodeURIComponent(codes);
      } catch {
        return codes;
      }
    });
    if (decoded === forms.at(-1)) break;
    forms.push(decoded);
  }
  const home = homedir();
  const atHome = (form: string) =>
    form.replace(/\$\{?HOME\}?|%USERPROFILE%|(^|[\s"'`=,;:(])~(?=[\\/])/g, (_, before = "") => `${before}${home}`);
  return [...new Set(forms.flatMap((form) => [form, atHome(form)]))];
}

/** Returns the paths that a word may mean. The value of a short option may follow its letter. */
function candidatesOf(word: string): readonly string[] {
  if (word === "") return [];
  const slash = word.search(/[\\/]/);
  return [
    ...[word, word.replace(/^-{1,2}/, ""), ...(/^-\w./.test(word) ? [word.slice(2)] : [])],
    ...(slash > 0 ? [word.slice(slash)] : []),
    // A URL has several slashes before its path.
    ...(/^[\\/]{2}/.test(word) ? [word.replace(/^[\\/]+/, "/")] : []),
  ].filter((path) => path !== "");
}

async function leadsInto(path: string, directory: string): Promise<boolean> {
  const resolved = resolve(directory, path);
  const isThere = await stat(resolved).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const folder = plain(realPath(directory));
  return isInProject(resolved, directory) || `${plain(realPath(resolved))}/`.startsWith(`${folder}/`);
}
