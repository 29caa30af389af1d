import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { listCandidateFiles } from "../prompt/candidate-files.js";

/**
 * Answers `/files.json?folder=PATH` with the names of the files that a mention can name: `{ "files": ["src/a.ts"] }`.
 * Without such a folder, `files` is null. With `names=0` in the address, only the existence of the folder is checked.
 * The answer names files of any folder, so use it only for visitors who may start an agent in any folder.
 */
// SHARE-13
export async function answerFiles({ url }: Request, env: NodeJS.ProcessEnv): Promise<Response> {
  const { searchParams } = new URL(url);
  const folder = searchParams.get("folder") ?? "";
  const answer = (files: readonly string[] | null) =>
    Response.json({ files }, { headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } });
  const found = isAbsolute(folder) ? await stat(folder).catch(() => undefined) : undefined;
  if (!found?.isDirectory()) return answer(null);
  return answer(searchParams.get("names") === "0" ? [] : await listCandidateFiles(folder, env));
}
