import { cancelChecks } from "./checks/cancel.js";
import { childChecks } from "./checks/children.js";
import { endChecks } from "./checks/ends.js";
import { fileChecks } from "./checks/files.js";
import { lineChecks } from "./checks/lines.js";
import { messageChecks } from "./checks/messages.js";
import { openingChecks } from "./checks/opening.js";
import { orderChecks } from "./checks/order.js";
import { permissionChecks } from "./checks/permissions.js";
import { questionChecks } from "./checks/questions.js";
import { requestChecks } from "./checks/requests.js";
import { restoringChecks } from "./checks/restoring.js";
import { specialOpeningChecks } from "./checks/special-openings.js";
import { terminalChecks } from "./checks/terminals.js";
import { variantChecks } from "./checks/variants.js";
import type { ClientCheck } from "./scene.js";

/** Every check of clients, in the order of a report. */
export const clientChecks: readonly ClientCheck[] = [
  ...messageChecks,
  ...openingChecks,
  ...specialOpeningChecks,
  ...requestChecks,
  ...lineChecks,
  ...orderChecks,
  ...variantChecks,
  ...permissionChecks,
  ...cancelChecks,
  ...childChecks,
  ...restoringChecks,
  ...fileChecks,
  ...terminalChecks,
  ...questionChecks,
  ...endChecks,
];
