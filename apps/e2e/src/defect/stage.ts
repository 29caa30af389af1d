import { Schedule, turn } from "../race/schedule.js";

export { type ClientStage, sessionId, stageSession } from "../race/client-stage.js";

export const dialects = ["v1", "v2", "seed"] as const;

/** A schedule whose steps the test takes itself. */
export const bySteps = (): Schedule => new Schedule(1);

/** Lets everything that is on its way arrive. */
export async function arrive(turns = 5): Promise<void> {
  for (let n = 0; n < turns; n += 1) await turn();
}

/** The params of a permission question that every dialect reads. */
export const question = (sessionId: string) => ({
  sessionId,
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  title: "May I?",
  toolCall: { toolCallId: "t", title: "Edit" },
  subject: { type: "command", command: "ls", cwd: "/work" },
});
