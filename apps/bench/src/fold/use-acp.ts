import { groupNotifications, type NotificationEventData, useAcpStore } from "use-acp";
import type { Measure } from "../scenario.js";
import { measureTwice } from "./twice.js";

/**
 * Measures the store of use-acp after every update, and its grouping for drawing once at the end. Its components group
 * at each draw.
 */
export const measure: Measure = (size) =>
  measureTwice(size, (updates) => {
    const { addNotification, clearNotifications } = useAcpStore.getState();
    clearNotifications("s" as never);
    for (const update of updates) {
      addNotification({ type: "session_notification", data: { sessionId: "s", update } } as NotificationEventData);
    }
    groupNotifications(useAcpStore.getState().notifications["s" as never] ?? []);
  });
