import type { Figures } from "../figures.js";
import type { Clock, Subjects } from "./store.js";

/** Returns the same subjects, whose appends are counted and timed. Only appends that succeed count. */
export const countedSubjects = (subjects: Subjects, figures: Figures, clock: Clock): Subjects => ({
  ...subjects,
  async append(subject, data, place) {
    const since = clock.now();
    const sequence = await subjects.append(subject, data, place);
    figures.add("stored_messages");
    figures.add("stored_bytes", data.length);
    figures.took("store_seconds", clock.now() - since);
    return sequence;
  },
});
