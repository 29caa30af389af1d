import { cancelMutants } from "./cancel.js";
import { framingMutants } from "./framing.js";
import { initializeMutants } from "./initialize.js";
import { lifecycleMutants } from "./lifecycle.js";
import { messageMutants } from "./messages.js";
import type { Mutant } from "./mutant.js";
import { promptMutants } from "./prompts.js";
import { restoreMutants } from "./restore.js";
import { schemaMutants } from "./schema.js";
import { sessionMutants } from "./sessions.js";
import { settingMutants } from "./settings.js";
import { steeringMutants } from "./steering.js";
import { updateMutants } from "./updates.js";

/** Every mutant of the model agent. */
export const agentMutants: readonly Mutant[] = [
  ...framingMutants,
  ...messageMutants,
  ...initializeMutants,
  ...sessionMutants,
  ...promptMutants,
  ...updateMutants,
  ...schemaMutants,
  ...steeringMutants,
  ...cancelMutants,
  ...restoreMutants,
  ...lifecycleMutants,
  ...settingMutants,
];
