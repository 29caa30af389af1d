import type { ClientMutant } from "./client-mutant.js";
import { endMutants, restoreMutants } from "./ends.js";
import { lineMutants, orderMutants } from "./lines.js";
import { messageMutants } from "./messages.js";
import { openingMutants } from "./opening.js";
import { permissionMutants } from "./permissions.js";
import { requestMutants } from "./requests.js";
import { toolMutants } from "./tools.js";
import { turnMutants } from "./turns.js";
import { variantMutants } from "./variants.js";

export type { ClientMutant };

/** Every mutant of the model client. */
export const clientMutants: readonly ClientMutant[] = [
  ...messageMutants,
  ...openingMutants,
  ...requestMutants,
  ...lineMutants,
  ...orderMutants,
  ...variantMutants,
  ...permissionMutants,
  ...turnMutants,
  ...restoreMutants,
  ...endMutants,
  ...toolMutants,
];
