import type { DialectName } from "../../src/dialects/dialect.js";
import type { ModelClient } from "../model/model-client.js";
import type { Loose } from "../model/model-session.js";

/** Fault of an otherwise correct client, which exactly one check finds. */
export type ClientMutant = {
  /** Id of the check. */
  readonly check: string;
  readonly dialect?: DialectName;
  /** Fault of the client, after the words `a client that`. */
  readonly what: string;
  /** Further checks that the same fault breaks. */
  readonly also?: readonly string[];
  readonly alter: (client: ModelClient) => void;
};

/** Returns a change after which the client ends at a frame of the agent. */
export const dyingAt =
  (fits: (frame: Loose) => boolean) =>
  (client: ModelClient): void =>
    client.incoming((frame) => {
      if (!fits(frame)) return frame;
      client.quit(1);
      return undefined;
    });

/** Returns a change after which the client ends at an update. */
export const dyingAtUpdate = (fits: (update: Loose) => boolean): ((client: ModelClient) => void) =>
  dyingAt((frame) => frame.method === "session/update" && fits(frame.params.update));

/** Returns a change of all answers of the client. */
export const answering =
  (fits: (frame: Loose) => boolean, change: (frame: Loose) => unknown) =>
  (client: ModelClient): void =>
    client.outgoing((frame) => (!("method" in frame) && fits(frame) ? change(frame) : frame));
