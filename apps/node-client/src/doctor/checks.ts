import type { Check } from "./check.js";
import { agentInfo } from "./checks/agent-info.js";
import { cancel } from "./checks/cancel.js";
import { coherentUpdates } from "./checks/coherent-updates.js";
import { exit } from "./checks/exit.js";
import { finishedToolCalls } from "./checks/finished-tool-calls.js";
import { knownUpdates } from "./checks/known-updates.js";
import { login } from "./checks/login.js";
import { messageForm } from "./checks/message-form.js";
import { newSession } from "./checks/new-session.js";
import { nullId } from "./checks/null-id.js";
import { prompt } from "./checks/prompt.js";
import { protocolVersion } from "./checks/protocol-version.js";
import { restoreUnknown } from "./checks/restore-unknown.js";
import { sessionClose } from "./checks/session-close.js";
import { sessionList } from "./checks/session-list.js";
import { startTime } from "./checks/start-time.js";
import { starts } from "./checks/starts.js";
import { stdoutNoise } from "./checks/stdout-noise.js";
import { unknownAnswer } from "./checks/unknown-answer.js";
import { unknownMethod } from "./checks/unknown-method.js";
import { updateOrder } from "./checks/update-order.js";
import { validMessages } from "./checks/valid-messages.js";

/** Everything that the doctor looks at, in the order of the report. */
export const checks: readonly Check[] = [
  ...[starts, protocolVersion, startTime, agentInfo],
  ...[stdoutNoise, messageForm, nullId, unknownAnswer, validMessages, unknownMethod],
  ...[login, newSession, sessionList, prompt, knownUpdates, coherentUpdates, updateOrder, finishedToolCalls, cancel],
  ...[restoreUnknown, sessionClose, exit],
];
