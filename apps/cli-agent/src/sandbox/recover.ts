import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { createPathCheck } from "@turnkit/session/paths";
import { asSentence } from "@turnkit/transport";
import { messageOf } from "../errors.js";
import { type Covered, createCoveredPathSearch } from "./covered-paths.js";
import { edit } from "./edit-names.js";
import { findBubblewrap, type Machine, thisMachine } from "./find-bubblewrap.js";
import { createKeptPlans, type Leftover } from "./kept-plans.js";
import { takeBack } from "./take-back.js";

/** Resolution of the times of files, in milliseconds. */
const CLOCK_MS = 50;

/**
 * Renames protected files that commands created before their agent was killed. A file that another program created after the
 * command keeps its name.
 *
 * @param folder folder of the stored plans
 * @param session `PATH` and the roots of the session that opens
 * @returns a sentence for each renamed file, and for each plan whose folders could not be searched
 */
export async function recover(folder: string, session: Pick<Machine, "path" | "roots">): Promise<readonly string[]> {
  const { plans, problems } = await createKeptPlans(folder).leftovers();
  const sentences = problems.map((problem) => `The plan of an earlier command could not be read: ${problem}`);
  for (const plan of plans) {
    const failed = (error: unknown) => [asSentence(`After an earlier command, ${messageOf(error)}`)];
    sentences.push(...(await undo(plan, session).catch(failed)));
  }
  return sentences;
}

async function undo(plan: Leftover, session: Pick<Machine, "path" | "roots">): Promise<readonly string[]> {
  const roots = plan.roots.filter((root) => existsSync(root));
  const programs = await findBubblewrap(thisMachine(session.path, [...roots, ...session.roots]));
  if ("reason" in programs) return [];
  const search = createCoveredPathSearch(createPathCheck(plan.paths), plan.paths);
  const isNew = (one: Covered) => mayBeOf(plan, one);
  const { sentences, problem } = await takeBack(
    { ...plan, roots },
    // The user may have removed the link after the agent had ended.
    { search, isNew, edit: (changes) => edit(programs, changes), restoresLinks: false },
  );
  if (problem === undefined) await plan.drop();
  const where = roots.join(", ");
  return [
    ...sentences.map((sentence) => `The agent ended during a command in ${where}. ${sentence}`),
    ...(problem === undefined ? [] : [`After an earlier command in ${where}, ${problem}.`]),
  ];
}

/**
 * Returns `false` for a file that the command cannot have created or renamed. Programs cannot set the two times that are
 * compared: the birth of a file, and its last change of content, name or rights.
 */
async function mayBeOf({ since, until }: Leftover, { path, bytes }: Covered): Promise<boolean> {
  const found = await lstat(bytes ?? path).catch(() => undefined);
  return found !== undefined && found.birthtimeMs <= until && found.ctimeMs >= since - CLOCK_MS;
}
