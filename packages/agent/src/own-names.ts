import type { PermissionAnswer } from "./questions.js";

/** Base class of turns and sessions. Reading a name of the official SDK throws, if turnkit has another name for it. */
export abstract class OwnNames {
  get sessionId(): string {
    // Otherwise, all sessions would share one entry of a Map.
    throw new TypeError("Turns and sessions have no sessionId. Read turn.session.id, or session.id.");
  }

  get params(): object {
    throw new TypeError("A turn has no params. Read turn.prompt, turn.session.id and turn._meta.");
  }
}

const refuse = {
  get(): never {
    throw new TypeError("An answer has no outcome and no optionId. Read allowed, or option?.optionId.");
  },
};

/** Adds the names of the official SDK to an answer. They throw, because each answer would otherwise look like a refusal. */
export function permissionAnswer(answer: PermissionAnswer): PermissionAnswer {
  return Object.defineProperties(answer, { outcome: refuse, optionId: refuse });
}
