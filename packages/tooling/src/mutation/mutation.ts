import type { SourceFile } from "../source.js";
import { isTest } from "../source.js";

/** A small break of the code that the tests of one requirement have to notice. */
export type Mutation = {
  /** The requirement that it breaks (`V1-RPC-15`), or the defect that it brings back (`B1`). */
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  /** A text that the file has exactly once. */
  readonly find: string;
  /** Text that replaces `find`. */
  readonly replace: string;
  /** Fault that the mutation causes, in one line. */
  readonly what: string;
};

/** The text of the mutated file, or what is wrong with the row. */
export function mutate(mutation: Mutation, text: string): { readonly text: string } | { readonly problem: string } {
  const { id, file, find, replace } = mutation;
  const parts = text.split(find);
  if (parts.length !== 2) return { problem: `${id}: ${file} has ${JSON.stringify(find)} ${parts.length - 1} times` };
  return find === replace ? { problem: `${id}: it changes nothing` } : { text: parts.join(replace) };
}

/** Returns the rows of a table of mutations that no longer fit the code, the catalogues or the tests. */
export function mutationProblems(
  mutations: readonly Mutation[],
  { files, known, cited }: MutationGrounds,
): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  return mutations.flatMap((mutation) => {
    const { id, file } = mutation;
    const source = byPath.get(file);
    const result = source && mutate(mutation, source.text);
    const problems: readonly (string | false | undefined)[] = [
      // A defect had several causes, a requirement is one sentence.
      seen.has(id) && id.includes("-") && `${id} is mutated twice`,
      !known.has(id) && `${id} is neither a requirement nor a defect`,
      !cited.has(id) && `${id} is cited by no test`,
      (source === undefined || isTest(file)) && `${id}: ${file} is no source file`,
      result !== undefined && "problem" in result && result.problem,
    ];
    seen.add(id);
    return problems.filter((problem) => typeof problem === "string");
  });
}

/** Grounds that a table of mutations must fit: the sources, the ids of the catalogues, the ids that tests cite. */
export type MutationGrounds = {
  readonly files: readonly SourceFile[];
  readonly known: ReadonlySet<string>;
  readonly cited: ReadonlySet<string>;
};
