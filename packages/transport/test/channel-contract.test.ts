import { describeChannel } from "./channel-contract.js";
import { kinds } from "./channel-kinds.js";

for (const kind of kinds) describeChannel(kind);
