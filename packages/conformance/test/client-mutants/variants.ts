import type { Loose } from "../model/model-session.js";
import { type ClientMutant, dyingAt, dyingAtUpdate } from "./client-mutant.js";

const dying = (
  check: string,
  what: string,
  fits: (update: Loose) => boolean,
  more: Partial<ClientMutant> = {},
): ClientMutant => ({ check, what: `ends at ${what}`, alter: dyingAtUpdate(fits), ...more });

const isRefused = (frame: Loose) => frame.result?.turnkitNew !== undefined;

export const variantMutants: readonly ClientMutant[] = [
  dying("TKC-VAR-01", "an unknown update", (update) => update.sessionUpdate === "turnkit_unknown"),
  dying("TKC-VAR-02", "an unknown block", (update) => update.content?.type === "turnkit_hologram"),
  dying("TKC-VAR-03", "an audio block", (update) => update.content?.type === "audio"),
  dying("TKC-VAR-04", "an unknown status", (update) => update.status === "turnkit_rising"),
  dying("TKC-VAR-05", "unknown content", (update) => update.content?.[0]?.type === "turnkit_chart"),
  dying("TKC-VAR-06", "an unknown priority", (update) => JSON.stringify(update).includes("turnkit_urgent")),
  dying("TKC-VAR-07", "an unknown member", (update) => "turnkitNew" in update),
  dying("TKC-VAR-08", "a null", (update) => update.status === null),
  dying("TKC-VAR-09", "an update without its members", (update) => update.sessionUpdate === undefined),
  dying("TKC-VAR-10", "a wrong type", (update) => update.locations === "everywhere"),
  dying("TKC-VAR-11", "an unknown state", (update) => update.state === "_turnkit_dreaming", { dialect: "v2" }),
  dying("TKC-VAR-12", "an unknown plan", (update) => update.plan?.type === "_turnkit_gantt", { dialect: "v2" }),
  dying("TKC-VAR-13", "unknown work in the background", (update) => update.background?.length > 0, { dialect: "v2" }),
  dying("TKC-VAR-14", "output of an unknown terminal", (update) => update.terminalId === "conf-unseen", {
    dialect: "v2",
  }),
  dying("TKC-VAR-15", "an unknown option", (update) => update.configOptions?.[0]?.type === "_turnkit_dial"),
  {
    check: "TKC-VAR-16",
    what: "ends with an error after unknown updates",
    alter(client) {
      let isOdd = false;
      const quit = client.quit.bind(client);
      client.incoming((frame) => {
        isOdd ||= frame.params?.update?.sessionUpdate === "turnkit_unknown";
        return frame;
      });
      client.quit = (code) => quit(isOdd ? 1 : code);
    },
  },
  {
    check: "TKC-VAR-17",
    what: "ends at an unknown member of initialize",
    alter: dyingAt((frame) => isRefused(frame) && frame.result.protocolVersion !== undefined),
  },
  {
    check: "TKC-VAR-18",
    what: "ends at an unknown member of session/new",
    alter: dyingAt((frame) => isRefused(frame) && frame.result.sessionId !== undefined),
  },
  {
    check: "TKC-VAR-19",
    what: "waits for a stop reason that it knows",
    alter: (client) => client.incoming((frame) => (frame.result?.stopReason === "_turnkit_tired" ? undefined : frame)),
  },
];
