/** Base class of turns and sessions. Reading a name of the official SDK throws, if turnkit has another name for it. */
export abstract class OwnNames {
  get sessionId(): string {
    // Otherwise, all sessions would share one entry of a Map.
    throw new TypeError("Turns and sessions have no sessionId. Read turn.session.id, or session.id.");
  }
}
