const STAGES = ["read", "check", "explain", "fix"] as const;

/** One of the stages of a review. */
export type Stage = (typeof STAGES)[number];

/** How far a review is: the file and its stage, or the end of everything. */
export type Progress = { readonly file: number; readonly stage: Stage } | "done";

type Entry = { readonly content: string; readonly status: "pending" | "in_progress" | "completed" };

/** The plan as it stands: the stages of the only file, or one entry per file. */
export function planEntries(names: readonly string[], progress: Progress): Entry[] {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    const current = progress === "done" ? STAGES.length : STAGES.indexOf(progress.stage);
    const steps = [`Read ${only}`, "Check it with oxlint", "Explain the findings", "Propose a fix where there is one"];
    return steps.map((content, index) => ({ content, status: statusOf(index, current) }));
  }
  const current = progress === "done" ? names.length : progress.file;
  return names.map((name, index) => ({ content: `Review ${name}`, status: statusOf(index, current) }));
}

function statusOf(index: number, current: number): Entry["status"] {
  return index < current ? "completed" : index === current ? "in_progress" : "pending";
}
