import type { ModelClient } from "../model/model-client.js";
import type { Loose } from "../model/model-session.js";
import type { ClientMutant } from "./client-mutant.js";

const outcome = (change: (result: Loose, params: Loose) => unknown) => (client: ModelClient) =>
  client.result("session/request_permission", change);

const selected = (optionId: unknown) => ({ outcome: { outcome: "selected", optionId } });

export const permissionMutants: readonly ClientMutant[] = [
  {
    check: "TKC-PERM-01",
    what: "answers questions without the nested outcome",
    also: [
      "TKC-CANCEL-03",
      "TKC-CANCEL-07",
      "TKC-CHILD-02",
      "TKC-MSG-09",
      "TKC-MSG-10",
      "TKC-PERM-02",
      "TKC-PERM-07",
      "TKC-PERM-08",
    ],
    alter: outcome((result, { options }) =>
      options.length === 2 && options[0].optionId === "conf-yes" ? result.outcome : result,
    ),
  },
  {
    check: "TKC-PERM-02",
    what: "selects an option that nobody offered",
    also: ["TKC-CHILD-02", "TKC-PERM-08"],
    alter: outcome((result) => (result.outcome.optionId === "conf-yes" ? selected("allow") : result)),
  },
  {
    check: "TKC-PERM-03",
    what: "stops reading after a question",
    also: ["TKC-CHILD-01"],
    alter(client) {
      let isDeaf = false;
      client.outgoing((frame) => {
        isDeaf ||= frame.result?.outcome?.optionId === "conf-yes";
        return frame;
      });
      client.incoming((frame) => (isDeaf && frame.method === "_turnkit/settled" ? undefined : frame));
    },
  },
  {
    check: "TKC-PERM-04",
    what: "invents an option to allow",
    also: [],
    alter: outcome((result, { options }) => (options[0]?.optionId === "conf-never" ? selected("allow") : result)),
  },
  {
    check: "TKC-PERM-05",
    dialect: "v2",
    what: "refuses a question with an unknown kind",
    alter: (client) =>
      client.incoming((frame) => (JSON.stringify(frame).includes("_turnkit_perhaps") ? undefined : frame)),
  },
  {
    check: "TKC-PERM-06",
    what: "selects the first of no options",
    also: ["TKC-MSG-09"],
    alter: outcome((result, { options }) => (options.length === 0 ? selected(options[0]?.optionId) : result)),
  },
  {
    check: "TKC-PERM-07",
    what: "grants questions of any session",
    alter: outcome((result, { sessionId }) => (sessionId === "conf-nobody" ? selected("conf-yes") : result)),
  },
  {
    check: "TKC-PERM-08",
    what: "drops a question of an unknown tool call",
    alter: (client) =>
      client.incoming((frame) =>
        "id" in frame && JSON.stringify(frame).includes("conf-new-call") ? undefined : frame,
      ),
  },
  {
    check: "TKC-PERM-09",
    what: "answers the second question like the first",
    alter(client) {
      let first: unknown;
      client.result("session/request_permission", (result, { options }) => {
        if (!/^conf-[ab]-/.test(options[0]?.optionId)) return result;
        first ??= result;
        return first;
      });
    },
  },
];
