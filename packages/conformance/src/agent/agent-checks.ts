import type { AgentCheck } from "../check.js";
import { authenticationChecks } from "./checks/authentication.js";
import { backgroundChecks } from "./checks/background.js";
import { cancelChecks } from "./checks/cancel.js";
import { clientToolChecks } from "./checks/client-tools.js";
import { framingChecks } from "./checks/framing.js";
import { initializeChecks } from "./checks/initialize.js";
import { keptSettingChecks } from "./checks/kept-settings.js";
import { lifecycleChecks } from "./checks/lifecycle.js";
import { messageIdChecks } from "./checks/message-ids.js";
import { messageChecks } from "./checks/messages.js";
import { ownTurnChecks } from "./checks/own-turns.js";
import { patchChecks } from "./checks/patches.js";
import { permissionChecks } from "./checks/permissions.js";
import { promptBlockChecks } from "./checks/prompt-blocks.js";
import { promptKeyChecks } from "./checks/prompt-keys.js";
import { promptChecks } from "./checks/prompts.js";
import { repeatedRestoreChecks } from "./checks/repeated-restore.js";
import { replayEndChecks } from "./checks/replay-end.js";
import { restoreChecks } from "./checks/restore.js";
import { schemaChecks } from "./checks/schema.js";
import { sessionChecks } from "./checks/sessions.js";
import { settingChecks } from "./checks/settings.js";
import { toolIdChecks } from "./checks/tool-ids.js";
import { updateChecks } from "./checks/updates.js";
import { wholeReplayChecks } from "./checks/whole-replay.js";
import { wrongMessageChecks } from "./checks/wrong-messages.js";

/** Every check of agents, in the order of a report. */
export const agentChecks: readonly AgentCheck[] = [
  ...framingChecks,
  ...messageChecks,
  ...wrongMessageChecks,
  ...initializeChecks,
  ...authenticationChecks,
  ...sessionChecks,
  ...promptChecks,
  ...promptBlockChecks,
  ...promptKeyChecks,
  ...updateChecks,
  ...patchChecks,
  ...toolIdChecks,
  ...messageIdChecks,
  ...backgroundChecks,
  ...schemaChecks,
  ...permissionChecks,
  ...clientToolChecks,
  ...cancelChecks,
  ...ownTurnChecks,
  ...restoreChecks,
  ...repeatedRestoreChecks,
  ...wholeReplayChecks,
  ...replayEndChecks,
  ...lifecycleChecks,
  ...settingChecks,
  ...keptSettingChecks,
];
