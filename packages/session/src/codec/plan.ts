import { MAIN_PLAN, type Plan } from "../plan.js";
import { identified, meta, text, type Wire } from "./read.js";
import { listOf, passedOver, record, type Shape, tagged } from "./shape.js";

const entries = /* @__PURE__ */ listOf(/* @__PURE__ */ record({ content: text, priority: text, status: text }));

const plan = /* @__PURE__ */ tagged<Wire>("type", {
  items: /* @__PURE__ */ record({ entries }),
  file: /* @__PURE__ */ record({ uri: text }),
  markdown: /* @__PURE__ */ record({ content: text }),
});

/** Older drafts call it `id`. */
const NAMES = ["planId", "id"];

/** The only plan that version 1 has. */
export const onlyPlan: Shape = [
  {
    plan: (_, wire) =>
      wire?.entries === undefined
        ? undefined
        : { planId: MAIN_PLAN, type: "items", entries: entries(wire.entries) ?? [] },
  },
  { entries: passedOver },
];

/** A plan by its id. */
export const planUpdate: Shape = [{ plan: readPlan }];

/** The end of a plan. */
export const planRemoved: Shape = [
  { planId: (_, wire) => identified(wire as Wire, NAMES, "planId")?.planId },
  { id: passedOver, _meta: meta },
];

function readPlan(value: unknown): Plan | undefined {
  const read = plan(value);
  return read && (identified(read, NAMES, "planId") as Plan | undefined);
}
