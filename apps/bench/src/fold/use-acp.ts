import { groupNotifications, type NotificationEventData, useAcpStore } from "use-acp";
import type { Measure } from "../scenario.js";
import { conversation } from "./conversation.js";

/** Its store after every update, and its grouping for drawing once at the end (its components do that at each draw). */
export const measure: Measure = (size) => {
  const updates = conversation(size);
  const { addNotification } = useAcpStore.getState();
  const started = performance.now();
  for (const update of updates) {
    addNotification({ type: "session_notification", data: { sessionId: "s", update } } as NotificationEventData);
  }
  groupNotifications(useAcpStore.getState().notifications["s" as never] ?? []);
  return { time: performance.now() - started };
};
