import type { Plan, PlanEntry } from "@turnkit/session";
import type { Page } from "./page.js";
import type { Style } from "./style.js";

/** Shows plans with a mark for every step. */
export interface PlanRenderer {
  update(plan: Plan): void;
  removed(planId: string): void;
}

const marks: Readonly<Record<string, readonly [mark: string, style: Style]>> = {
  pending: ["[ ]", "plain"],
  in_progress: ["[>]", "cyan"],
  completed: ["[x]", "green"],
  cancelled: ["[-]", "dim"],
};

/**
 * Makes a {@link PlanRenderer}. A person at a terminal gets the whole plan each time it changes; a log (`onlyChanges`)
 * gets the whole plan once, then the steps that changed.
 */
export function createPlanRenderer(page: Page, onlyChanges: boolean): PlanRenderer {
  const shown = new Map<string, ReadonlyMap<string, string>>();

  const updateItems = (planId: string, entries: readonly PlanEntry[]) => {
    const before = shown.get(planId);
    const steps = entries.map((entry) => ({ entry, key: `${entry.status} ${entry.content}` }));
    const changed = steps.filter(({ key }) => before?.has(key) !== true);
    const removed = (before?.size ?? 0) > steps.length;
    shown.set(planId, new Map(steps.map(({ entry, key }) => [key, entry.content])));
    if (before !== undefined && changed.length === 0 && !removed) return;
    page.section("plan");
    const done = entries.filter(({ status }) => status === "completed").length;
    page.line(["bold", "Plan"], ["dim", ` ${done}/${entries.length} done`]);
    for (const { entry } of onlyChanges ? changed : steps) page.line(...stepLine(entry));
  };

  return {
    update(plan) {
      if (plan.type === "items") return updateItems(plan.planId, plan.entries);
      page.section("plan");
      page.line(["bold", "Plan"], plan.type === "file" ? ` in ${plan.uri}` : "");
      if (plan.type === "markdown") page.block(plan.content, { limit: 40 });
    },
    removed(planId) {
      shown.delete(planId);
      page.section("plan");
      page.line(["dim", "Plan removed"]);
    },
  };
}

function stepLine({ status, content, priority }: PlanEntry) {
  const [mark, style] = marks[status] ?? (["[?]", "plain"] as const);
  const urgent = priority === "high" && status !== "completed" ? " (high)" : "";
  return ["  ", [style, `${mark} ${content}`], ["dim", urgent]] as const;
}
