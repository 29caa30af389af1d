import { foldScenarios } from "./fold/scenarios.js";
import { gatewayScenarios } from "./gateway/scenarios.js";
import { remoteScenarios } from "./remote/scenarios.js";
import type { Scenario } from "./scenario.js";
import { startScenarios } from "./start/scenarios.js";
import { wireScenarios } from "./wire/scenarios.js";

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...wireScenarios,
  ...remoteScenarios,
  ...gatewayScenarios,
  ...foldScenarios,
  ...startScenarios,
];
