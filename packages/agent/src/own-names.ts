/** Base of turns and sessions. A name of the official SDK that is another one here throws when it is read. */
export abstract class OwnNames {
  get sessionId(): string {
    // Otherwise, all sessions would share one entry of a Map.
    throw new TypeError("Turns and sessions have no sessionId. Read turn.session.id, or session.id.");
  }
}
