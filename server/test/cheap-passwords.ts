import { withPasswordCost } from "./password-cost";

// Unit tests sign in hundreds of times. Those of the hashing itself ask for another cost.
withPasswordCost(10);
