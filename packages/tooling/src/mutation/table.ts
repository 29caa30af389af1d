import { agentMutations } from "./agent.js";
import { agentArgumentMutations } from "./agent-arguments.js";
import { agentDefectMutations } from "./agent-defects.js";
import { agentKeyMutations } from "./agent-keys.js";
import { agentPorterMutations } from "./agent-porters.js";
import { agentStorageMutations } from "./agent-storage.js";
import { aiSdkMutations } from "./ai-sdk.js";
import { agentChildMutations, clientChildMutations, sessionChildMutations } from "./children.js";
import { cliAgentMutations } from "./cli-agent.js";
import { cliAgentRunMutations } from "./cli-agent-run.js";
import { clientMutations } from "./client.js";
import { clientKeyMutations } from "./client-keys.js";
import { clientReportMutations } from "./client-reports.js";
import { gatewayMutations } from "./gateway.js";
import { gatewayAgentMutations } from "./gateway-agents.js";
import { gatewayChannelMutations } from "./gateway-channels.js";
import { gatewayDefectMutations } from "./gateway-defects.js";
import { gatewayTakeoverMutations } from "./gateway-takeovers.js";
import type { Mutation } from "./mutation.js";
import { nodeClientMutations } from "./node-client.js";
import { nodeClientRunMutations } from "./node-client-run.js";
import { nodeClientScreenMutations } from "./node-client-screen.js";
import { pageMutations } from "./page.js";
import {
  agentPreviewMutations,
  clientPreviewMutations,
  schemaPreviewMutations,
  sessionPreviewMutations,
  testingPreviewMutations,
  transportPreviewMutations,
} from "./preview.js";
import { remoteMutations } from "./remote.js";
import { remoteAccountMutations } from "./remote-accounts.js";
import { remoteDefectMutations } from "./remote-defects.js";
import { remotePackedMutations } from "./remote-packed.js";
import { schemaMutations } from "./schema.js";
import { sessionCodecMutations } from "./session-codec.js";
import { sessionDefectMutations } from "./session-defects.js";
import { sessionSliceMutations } from "./session-slice.js";
import { transportMutations } from "./transport.js";
import { transportFileMutations } from "./transport-files.js";
import { transportReportMutations } from "./transport-reports.js";

const byPackage = {
  schema: [...schemaMutations, ...schemaPreviewMutations],
  transport: [
    ...transportMutations,
    ...transportFileMutations,
    ...transportReportMutations,
    ...transportPreviewMutations,
  ],
  session: [
    ...sessionCodecMutations,
    ...sessionSliceMutations,
    ...sessionDefectMutations,
    ...sessionChildMutations,
    ...sessionPreviewMutations,
  ],
  agent: [
    ...agentMutations,
    ...agentDefectMutations,
    ...agentArgumentMutations,
    ...agentStorageMutations,
    ...agentKeyMutations,
    ...agentPorterMutations,
    ...agentPreviewMutations,
    ...agentChildMutations,
  ],
  client: [
    ...clientMutations,
    ...clientReportMutations,
    ...clientChildMutations,
    ...clientKeyMutations,
    ...clientPreviewMutations,
  ],
  remote: [...remoteMutations, ...remoteAccountMutations, ...remoteDefectMutations, ...remotePackedMutations],
  gateway: [
    ...gatewayMutations,
    ...gatewayDefectMutations,
    ...gatewayAgentMutations,
    ...gatewayChannelMutations,
    ...gatewayTakeoverMutations,
  ],
  "ai-sdk": aiSdkMutations,
  testing: testingPreviewMutations,
};

const byApp = {
  web: pageMutations,
  "cli-agent": [...cliAgentMutations, ...cliAgentRunMutations],
  "node-client": [...nodeClientMutations, ...nodeClientRunMutations, ...nodeClientScreenMutations],
};

/** Every mutation; the tables of packages and apps name files from their `src`. */
export const mutations: readonly Mutation[] = [...rowsIn("packages", byPackage), ...rowsIn("apps", byApp)];

function rowsIn(group: string, tables: Readonly<Record<string, readonly Mutation[]>>): readonly Mutation[] {
  return Object.entries(tables).flatMap(([name, rows]) =>
    rows.map((row) => ({ ...row, file: `${group}/${name}/src/${row.file}` })),
  );
}
